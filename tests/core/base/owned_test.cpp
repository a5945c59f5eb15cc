// Tests of elastane/core/base/owned.h.
#include "elastane/core/base/owned.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace elastane {
namespace {

struct Hidden;

// copied, moved and freed while Hidden is incomplete
struct Holder {
  Owned<Hidden> hidden;
};
Holder copy_of(const Holder& holder) { return holder; }
void replace(Holder& holder, const Holder& other) { holder = other; }

struct Hidden {
  int number = 0;
  std::vector<int> list = {};
};

TEST(Owned, CopiesAreEqualAndIndependent) {
  Holder holder{Owned<Hidden>::make(7, std::vector{1, 2})};
  Holder copy = copy_of(holder);
  holder.hidden->number = 8;
  holder.hidden->list.push_back(3);
  EXPECT_EQ(copy.hidden->number, 7);
  EXPECT_EQ((*copy.hidden).list.size(), 2U);
  replace(copy, holder);
  EXPECT_EQ(copy.hidden->number, 8);
  EXPECT_NE(&*copy.hidden, &*holder.hidden);
}

TEST(Owned, MovesWithoutMovingItsValue) {
  Holder holder{Owned<Hidden>::make(7)};
  const Hidden* at = &*holder.hidden;
  const Holder moved(std::move(holder));
  EXPECT_EQ(&*moved.hidden, at);
}

}  // namespace
}  // namespace elastane
