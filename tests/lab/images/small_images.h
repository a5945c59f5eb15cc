// Images of a few pixels in the formats of MNIST and CIFAR-10, made in a folder of the test.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace elastane::images {

inline void write_bytes(const std::string& path, const std::vector<unsigned>& bytes) {
  std::ofstream file(path, std::ios::binary);
  for (const unsigned byte : bytes) file.put(static_cast<char>(byte));
}

// images of 4 x 4 pixels whose brightness is 20 times their label
inline void write_digits(const std::string& folder, const std::string& name, unsigned count) {
  std::filesystem::create_directories(folder);
  std::vector<unsigned> pixels = {0, 0, 8, 3, 0, 0, count / 256, count % 256, 0, 0, 0, 4, 0, 0, 0, 4};
  std::vector<unsigned> labels = {0, 0, 8, 1, 0, 0, count / 256, count % 256};
  for (unsigned i = 0; i < count; ++i) {
    labels.push_back(i % 10);
    pixels.insert(pixels.end(), 16, 20 * (i % 10));
  }
  write_bytes(folder + "/" + name + "-images-idx3-ubyte", pixels);
  write_bytes(folder + "/" + name + "-labels-idx1-ubyte", labels);
}

inline void write_records(const std::string& folder, const std::string& name, unsigned count) {
  std::filesystem::create_directories(folder);
  std::vector<unsigned> bytes;
  for (unsigned i = 0; i < count; ++i) {
    bytes.push_back(i % 10);
    for (unsigned colour = 0; colour < 3; ++colour) bytes.insert(bytes.end(), 1024, 20 * (i % 10) + colour);
  }
  write_bytes(folder + "/" + name + ".bin", bytes);
}

// a folder with both, of this many training and test images
inline std::string small_images(const std::string& name, unsigned learn = 100, unsigned test = 40) {
  std::string folder = std::filesystem::temp_directory_path() / ("elastane_images_" + name);
  write_digits(folder + "/mnist", "train", learn);
  write_digits(folder + "/mnist", "t10k", test);
  write_records(folder + "/cifar10", "train", learn);
  write_records(folder + "/cifar10", "test", test);
  return folder;
}

}  // namespace elastane::images
