#include "elastane/train/peers.h"

#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

namespace elastane::train {

struct Peers::Group {
  c10::intrusive_ptr<c10d::Store> store;
  std::unique_ptr<c10d::ProcessGroupGloo> gloo;
};

namespace {

// what went wrong in one line; LibTorch's own messages go on with stack traces
std::string first_line(const std::exception& error) {
  const auto* known = dynamic_cast<const c10::Error*>(&error);
  const std::string text = known != nullptr ? known->what_without_backtrace() : error.what();
  return text.substr(0, text.find('\n'));
}

}  // namespace

Peers::Peers() = default;
Peers::Peers(Peers&&) noexcept = default;
Peers::~Peers() = default;

Peers::Peers(const PeersOptions& options) : ranks_(options.ranks), rank_(options.rank) {
  if (options.ranks == 1) return;
  group_ = std::make_unique<Group>();
  try {
    c10d::TCPStoreOptions store;
    store.port = static_cast<std::uint16_t>(options.port);
    store.isServer = options.rank == 0;
    store.numWorkers = options.ranks;
    store.timeout = options.patience;
    group_->store = c10::make_intrusive<c10d::TCPStore>(options.host, store);
    const auto gloo = c10d::ProcessGroupGloo::Options::create(options.patience);
    gloo->devices.push_back(
        c10d::ProcessGroupGloo::createDeviceForHostname(options.host == "localhost" ? "127.0.0.1" : options.host));
    group_->gloo = std::make_unique<c10d::ProcessGroupGloo>(group_->store, options.rank, options.ranks, gloo);
  } catch (const std::exception& error) {
    throw PeerLost("[ranks] rank " + std::to_string(options.rank) + " of " + std::to_string(options.ranks) +
                   " could not meet the others at " + options.host + ":" + std::to_string(options.port) + ": " +
                   first_line(error));
  }
}

void Peers::sum(const std::vector<at::Tensor>& tensors) {
  if (group_ == nullptr || tensors.empty()) return;
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> flat;
  for (const at::Tensor& t : tensors) flat.push_back(t.detach().reshape({-1}));
  std::vector<at::Tensor> all = {at::cat(flat)};
  try {
    group_->gloo->allreduce(all)->wait();
  } catch (const std::exception& error) {
    throw PeerLost("[ranks] rank " + std::to_string(rank_) + " lost another one: " + first_line(error));
  }
  std::int64_t at = 0;
  for (const at::Tensor& t : tensors) {
    t.detach().copy_(all[0].narrow(0, at, t.numel()).view_as(t));
    at += t.numel();
  }
}

bool Peers::any(bool here) {
  if (group_ == nullptr) return here;
  const at::Tensor votes = at::full({1}, here ? 1.0F : 0.0F);
  sum({votes});
  return votes.item<float>() > 0;
}

}  // namespace elastane::train
