// Processes that train one model together, on this machine or on several: sums over all of them, by Gloo.
#pragma once

#include <ATen/ATen.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace elastane::train {

// another process is gone, or does not answer
struct PeerLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PeersOptions {
  int ranks = 1;
  int rank = 0;
  std::string host = "127.0.0.1";  // where rank 0 listens
  int port = 0;
  std::chrono::milliseconds rendezvous_patience{std::chrono::minutes(5)};  // until all have arrived
  // With a process that is alive and does not answer: it may be reading or writing. One that is gone is noticed at once.
  std::chrono::milliseconds patience{std::chrono::minutes(30)};
};

class Peers {
 public:
  Peers();  // alone
  explicit Peers(const PeersOptions& options);
  Peers(Peers&&) noexcept;
  ~Peers();

  int ranks() const { return ranks_; }
  int rank() const { return rank_; }
  bool first() const { return rank_ == 0; }

  // each tensor becomes its sum over all processes; all must be of one type
  void sum(const std::vector<at::Tensor>& tensors);

  // each tensor becomes that of the first process
  void copy_first(const std::vector<at::Tensor>& tensors);

  // throws, in every process, unless all give the same value
  void check_same(std::uint64_t value, const std::string& what);

  // is it true in any process?
  bool any(bool here);

 private:
  struct Group;
  std::unique_ptr<Group> group_;
  int ranks_ = 1, rank_ = 0;
};

}  // namespace elastane::train
