#include "elastane/train/peers.h"

#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "elastane/train/one_line.h"
#include "elastane/train/own_address.h"

namespace elastane::train {

struct Peers::Group {
  c10::intrusive_ptr<c10d::Store> store;
  std::unique_ptr<c10d::ProcessGroupGloo> gloo;
};

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
    store.timeout = options.rendezvous_patience;
    group_->store = c10::make_intrusive<c10d::TCPStore>(options.host, store);
    const auto gloo = c10d::ProcessGroupGloo::Options::create(options.patience);
    const std::string own = own_address_towards(options.host, options.port).value();
    gloo->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(own));
    group_->gloo = std::make_unique<c10d::ProcessGroupGloo>(group_->store, options.rank, options.ranks, gloo);
  } catch (const std::exception& error) {
    throw PeerLost("[ranks] rank " + std::to_string(options.rank) + " of " + std::to_string(options.ranks) +
                   " could not meet the others at " + options.host + ":" + std::to_string(options.port) + ": " +
                   one_line(error));
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
    throw PeerLost("[ranks] rank " + std::to_string(rank_) + " lost another one: " + one_line(error));
  }
  std::int64_t at = 0;
  for (const at::Tensor& t : tensors) {
    t.detach().copy_(all[0].narrow(0, at, t.numel()).view_as(t));
    at += t.numel();
  }
}

void Peers::copy_first(const std::vector<at::Tensor>& tensors) {
  if (group_ == nullptr) return;
  const at::NoGradGuard no_grad;
  if (!first()) {
    for (const at::Tensor& t : tensors) t.detach().zero_();
  }
  sum(tensors);
}

void Peers::check_same(std::uint64_t value, const std::string& what) {
  if (group_ == nullptr) return;
  // doubles hold 32 bits exactly, and all but one of the summands are zero
  const at::Tensor all = at::zeros({ranks_, 2}, at::kDouble);
  all[rank_][0] = static_cast<double>(value >> 32U);
  all[rank_][1] = static_cast<double>(value & 0xFFFFFFFFU);
  sum({all});
  for (int r = 1; r < ranks_; ++r) {
    if (!at::equal(all[r], all[0])) {
      throw std::runtime_error("[ranks] rank " + std::to_string(r) + " has other " + what + " than rank 0");
    }
  }
}

bool Peers::any(bool here) {
  if (group_ == nullptr) return here;
  const at::Tensor votes = at::full({1}, here ? 1.0F : 0.0F);
  sum({votes});
  return votes.item<float>() > 0;
}

}  // namespace elastane::train
