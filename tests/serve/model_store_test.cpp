// elastane/serve/model_store.cpp
#include "elastane/serve/model_store.h"

#include <gtest/gtest.h>

#include "tests/serve/small_service.h"

namespace elastane::serve {
namespace {

TEST(ModelStore, ModelsComeBackByTheirNames) {
  const TestFolder folder;
  const ModelStore store(folder.path() + "/models");
  EXPECT_EQ(store.current().value(), "");
  const std::string name = store.add(small_model_file(60)).value();
  EXPECT_EQ(store.add(small_model_file(60)).value(), name);
  EXPECT_NE(store.add(small_model_file(30)).value(), name);
  EXPECT_EQ(store.names().size(), 2U);
  EXPECT_EQ((*store.load(name))->grid.step, 60);
  ASSERT_TRUE(store.set_current(name));
  EXPECT_EQ(store.current().value(), name);
  EXPECT_FALSE(store.load("../../etc/passwd"));
  EXPECT_FALSE(store.load("0123456789abcdef"));
  EXPECT_FALSE(store.add(std::as_bytes(std::span("not a model"))));
}

}  // namespace
}  // namespace elastane::serve
