#include <algorithm>
#include <sstream>
#include <string>

#include "elastane/core/base/checksum.h"
#include "elastane/core/correction.h"

namespace elastane {

namespace {

StackOptions stack_options(const Model& model, const CorrectorOptions& options, const LatentOptions& latent) {
  StackOptions stack;
  stack.top_block_only = latent.top_block_only;
  stack.max_horizon = options.trust.horizon - 1;
  // as many directions at once as a metric asks for, within what a cache holds
  stack.max_columns = std::max(options.metric.rank, std::min(model.outputs(), 32));
  return stack;
}

}  // namespace

Correction::Correction(const Model& model, const CorrectorOptions& options, const LatentOptions& latent)
    : network_bytes_(model.state_bytes()),
      inputs_(model.inputs() * (model.config().mask_input ? 2 : 1)),
      stack_(model, stack_options(model, options, latent)),
      corrector_(options, stack_.latents(), stack_.outputs(), *model.network().k),
      input_(inputs_),
      z_(stack_.latents()),
      y_(stack_.outputs()) {}

std::uint64_t Correction::fingerprint() const {
  std::ostringstream text;
  const MetricOptions& metric = corrector_.options().metric;
  text << name(corrector_.metric()) << ' ' << metric.rank << ' ' << stack_.latents() << ' ' << stack_.outputs() << ' '
       << inputs_;
  const std::string shape = text.str();
  return hash64(std::as_bytes(std::span(shape)));
}

}  // namespace elastane
