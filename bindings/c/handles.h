// What the handles of the C interface hold, and how its functions check, fail and answer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "bindings/c/elastane.h"
#include "elastane/elastane.h"

// The first member of every handle names its kind, so that a handle of another kind is noticed.
struct elastane_model {
  static constexpr std::uint64_t kTag = 0xE1A57A4E6D6F6401U;
  std::uint64_t tag = kTag;
  elastane::Model model;
};
struct elastane_stream {
  static constexpr std::uint64_t kTag = 0xE1A57A4E73747202U;
  std::uint64_t tag = kTag;
  elastane::Stream stream;
};
struct elastane_fleet {
  static constexpr std::uint64_t kTag = 0xE1A57A4E666C6503U;
  std::uint64_t tag = kTag;
  elastane::Fleet fleet;
};
struct elastane_forecaster {
  static constexpr std::uint64_t kTag = 0xE1A57A4E666F7204U;
  std::uint64_t tag = kTag;
  elastane::SharedForecastModel model;
  elastane::Forecaster forecaster;
};

namespace elastane::c {

// remembers the text for elastane_last_error and returns the status
elastane_status fail(elastane_status status, const char* text) noexcept;
inline elastane_status fail(elastane_status status, const std::string& text) noexcept {
  return fail(status, text.c_str());
}
inline elastane_status refuse(const char* what) noexcept { return fail(ELASTANE_BAD_ARGUMENT, what); }

template <class Handle>
bool is_valid(const Handle* handle) noexcept {
  return handle != nullptr && handle->tag == Handle::kTag;
}

template <class Handle>
void free_handle(Handle* handle) noexcept {
  if (!is_valid(handle)) return;
  handle->tag = 0;
  delete handle;
}

// runs what may throw
template <class Body>
elastane_status guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return fail(ELASTANE_NO_MEMORY, "[c] not enough memory");
  } catch (const std::exception& error) {
    return fail(ELASTANE_INTERNAL, error.what());
  } catch (...) {
    return fail(ELASTANE_INTERNAL, "[c] an unknown exception");
  }
}

inline constexpr std::uint32_t kLeastStruct = 8;  // the size itself, and a field

// a struct of the caller, which may be older (shorter) or newer (longer) than ours; NULL: the defaults
template <class Struct>
bool read_struct(const Struct* given, Struct& ours) noexcept {
  if (given == nullptr) return true;
  if (given->size < kLeastStruct) return false;
  std::memcpy(&ours, given, std::min<std::size_t>(given->size, sizeof(Struct)));
  return true;
}
template <class Struct>
bool is_writable(const Struct* report) noexcept {
  return report == nullptr || report->size >= kLeastStruct;
}
template <class Struct>
void write_struct(Struct ours, Struct* to) noexcept {
  if (to == nullptr) return;
  ours.size = to->size;
  std::memcpy(to, &ours, std::min<std::size_t>(to->size, sizeof(Struct)));
}

bool read_budget(const elastane_budget* given, Budget& budget) noexcept;
void write_report(const AdvanceReport& report, elastane_advance_report* to) noexcept;
void write_report(const StepReport& report, elastane_step_report* to) noexcept;

// copies bytes out by the rules of a snapshot function; `write` fills a span of exactly `size` bytes
template <class Write>
elastane_status write_bytes(void* bytes, std::size_t capacity, std::size_t* needed, std::size_t size, Write write) {
  if (needed != nullptr) *needed = size;
  if (bytes == nullptr) return ELASTANE_OK;
  if (capacity < size) return refuse("[snapshot] the buffer is too small; ask for the size with bytes = NULL");
  return write(std::span(static_cast<std::byte*>(bytes), size));
}
inline std::span<const std::byte> bytes_of(const void* bytes, std::size_t count) {
  return {static_cast<const std::byte*>(bytes), count};
}

}  // namespace elastane::c
