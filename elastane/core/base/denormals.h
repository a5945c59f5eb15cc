// While it lives, this thread's arithmetic treats numbers below 1e-38 as zero. A state that decays without input would
// otherwise reach denormal numbers, which many processors compute a hundred times slower: steps would be late exactly
// when nothing happens.
#pragma once

#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace elastane {

class FlushDenormals {
 public:
#if defined(__SSE__)
  FlushDenormals() : saved_(_mm_getcsr()) {
    _mm_setcsr(static_cast<unsigned>(saved_) | kFlushResults | kFlushOperands);
  }
  ~FlushDenormals() { _mm_setcsr(static_cast<unsigned>(saved_)); }
#elif defined(__aarch64__)
  FlushDenormals() {
    asm volatile("mrs %0, fpcr" : "=r"(saved_));
    asm volatile("msr fpcr, %0" : : "r"(saved_ | kFlush));
  }
  ~FlushDenormals() { asm volatile("msr fpcr, %0" : : "r"(saved_)); }
#else
  FlushDenormals() = default;
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  static constexpr unsigned kFlushResults = 0x8000, kFlushOperands = 0x0040;  // of x86
  static constexpr std::uint64_t kFlush = 1U << 24;                           // FZ of ARM: both
  std::uint64_t saved_ = 0;
};

}  // namespace elastane
