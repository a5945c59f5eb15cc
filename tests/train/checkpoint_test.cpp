// elastane/train/checkpoint.cpp: what is saved is loaded bit for bit, and damaged files are refused.
#include "elastane/train/checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "tests/io/folder.h"

namespace elastane::train {
namespace {

Checkpoint some() {
  at::manual_seed(1);
  return {.metadata = {{"train", "{}"}},
          .tensors = {{"a", at::randn({3, 2})},
                      {"b", at::randn({4}, at::kDouble)},
                      {"c", at::arange(5)},
                      {"d", at::full({1}, NAN)},
                      {"empty", at::zeros({0, 3})}}};
}

TEST(Checkpoint, IsLoadedBitForBit) {
  const Folder folder;
  const std::string path = folder / "checkpoint.safetensors";
  const Checkpoint saved = some();
  save_checkpoint(path, saved).value();
  const Checkpoint loaded = load_checkpoint(path).value();
  EXPECT_EQ(loaded.metadata, saved.metadata);
  ASSERT_EQ(loaded.tensors.size(), saved.tensors.size());
  for (const auto& [name, value] : saved.tensors) {
    const at::Tensor* found = loaded.find(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->scalar_type(), value.scalar_type()) << name;
    EXPECT_EQ(found->sizes(), value.sizes()) << name;
    EXPECT_EQ(std::memcmp(found->data_ptr(), value.data_ptr(), value.nbytes()), 0) << name;
  }
  EXPECT_EQ(loaded.find("nothing"), nullptr);
}

TEST(Checkpoint, RefusesTypesThatItDoesNotKeep) {
  const Folder folder;
  const Status status =
      save_checkpoint(folder / "c", {.metadata = {}, .tensors = {{"half", at::zeros({2}, at::kHalf)}}});
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().find("half: expected float, double or int64"), std::string::npos);
}

TEST(Checkpoint, RefusesATruncatedFile) {
  const Folder folder;
  const std::string path = folder / "checkpoint.safetensors";
  save_checkpoint(path, some()).value();
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 7);
  EXPECT_FALSE(load_checkpoint(path));
}

}  // namespace
}  // namespace elastane::train
