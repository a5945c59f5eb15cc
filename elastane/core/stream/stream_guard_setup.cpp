// What a stream's guard does outside steps: creation.
#include "elastane/core/base/buffer.h"
#include "elastane/core/base/checksum.h"
#include "elastane/core/stream/stream_guard.h"

namespace elastane {
namespace {

std::uint64_t fingerprint_of(const LossGuardOptions& options) {
  const double figures[] = {static_cast<double>(options.kind),
                            options.allowance,
                            options.credit,
                            options.earnings,
                            options.handicap,
                            options.rate,
                            options.cap,
                            options.share,
                            options.patience};
  return hash64(std::as_bytes(std::span(figures)));
}

}  // namespace

StreamGuard::StreamGuard(const LossGuardOptions& options, const Network& network, std::size_t begin, int judged)
    : guard_(options),
      begin_(begin),
      twin_begin_(round_up(
          begin + sizeof(double) * (kGuardDoubles + 2 * static_cast<std::size_t>(network.config.outputs)), kAlignment)),
      twin_bytes_(network.layout.size),
      judged_(judged > 0 ? judged : network.config.outputs),
      fingerprint_(fingerprint_of(options)),
      spoken_(static_cast<std::size_t>(network.config.outputs)) {}

}  // namespace elastane
