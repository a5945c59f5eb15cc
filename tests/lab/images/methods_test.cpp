// Tests of lab/images/methods.cpp: every name is found once.
#include "lab/images/methods.h"

#include <gtest/gtest.h>

#include <set>

namespace elastane::images {
namespace {

TEST(ImageMethods, AreFoundByTheirNames) {
  std::set<std::string> names;
  for (const Method& method : methods()) {
    EXPECT_TRUE(names.insert(method.name).second) << method.name;
    EXPECT_STREQ(find_method(method.name).name, method.name);
  }
  EXPECT_EQ(find_method("tied").form(), RecursionForm::literal);
  EXPECT_EQ(find_method("recursion_99").lipschitz, 0.99);
  EXPECT_THROW(find_method("resnet"), std::runtime_error);
}

}  // namespace
}  // namespace elastane::images
