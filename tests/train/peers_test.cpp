// elastane/train/peers.cpp, own_address.cpp: two processes' sums, in two threads of one.
#include "elastane/train/peers.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "elastane/train/own_address.h"

namespace elastane::train {
namespace {

// f(peers) for each of `ranks`, at once
template <class F>
void together(int ranks, F f) {
  const int port = 20000 + static_cast<int>(std::random_device()() % 20000);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([=] {
      Peers peers({.ranks = ranks, .rank = rank, .host = "127.0.0.1", .port = port});
      f(peers);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Peers, SumTensorsInPlace) {
  together(3, [](Peers& peers) {
    const at::Tensor a = at::full({2, 3}, peers.rank() + 1.0), b = at::arange(4).to(at::kDouble);
    peers.sum({a.to(at::kDouble)});
    const at::Tensor wide = a.to(at::kDouble);
    peers.sum({wide, b});
    EXPECT_TRUE((wide == 6).all().item<bool>());
    EXPECT_TRUE(at::equal(b, 3 * at::arange(4).to(at::kDouble)));
  });
}

TEST(Peers, AgreeOrSayWhoDoesNot) {
  together(2, [](Peers& peers) {
    EXPECT_FALSE(peers.any(false));
    EXPECT_TRUE(peers.any(peers.rank() == 1));
    peers.check_same(0xFFFFFFFFFFFFFFFFULL, "things");
    try {
      peers.check_same(0x100000000ULL + static_cast<unsigned>(peers.rank()), "things");
      ADD_FAILURE() << "agreed";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "[ranks] rank 1 has other things than rank 0");
    }
  });
}

TEST(Peers, CopyTheFirst) {
  together(2, [](Peers& peers) {
    const at::Tensor a = at::full({5}, static_cast<float>(7 * peers.rank() + 1)).requires_grad_();
    peers.copy_first({a});
    EXPECT_TRUE((a == 1).all().item<bool>());
  });
}

TEST(Peers, AreFewOrNone) {
  Peers alone;
  const at::Tensor a = at::ones({3});
  alone.sum({a});
  EXPECT_TRUE((a == 1).all().item<bool>());
  EXPECT_TRUE(alone.any(true));
  alone.check_same(1, "things");
}

TEST(OwnAddress, IsOfTheInterfaceThatLeadsThere) {
  EXPECT_EQ(own_address_towards("127.0.0.1", 1234).value(), "127.0.0.1");
  EXPECT_EQ(own_address_towards("localhost", 1234).value(), "127.0.0.1");
  EXPECT_FALSE(own_address_towards("no.such.host.invalid", 1234));
}

}  // namespace
}  // namespace elastane::train
