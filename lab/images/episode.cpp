#include "lab/images/episode.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "elastane/core/base/random.h"

namespace elastane::images {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr int kHalf = 2;  // pixels per side that become one
constexpr double kStrongest = 1.2;
constexpr std::size_t kColours = 3, kSide = 32, kColourPixels = kSide * kSide, kRecord = 1 + kColours * kColourPixels;

Result<Bytes> read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Error{"[images] " + path +
                 ": expected a file, found none; run: node experiments/frost/fetch_images.mjs FOLDER"};
  }
  return Bytes{std::istreambuf_iterator<char>(file), {}};
}

Error wrong(const std::string& path, const std::string& expected, std::size_t found) {
  return Error{"[images] " + path + ": expected " + expected + ", found " + std::to_string(found) +
               "; fetch the images again"};
}

// raw images, [image][channel][pixel]
struct Raw {
  int side = 0, channels = 1;
  Bytes pixels, labels;

  std::size_t size() const { return static_cast<std::size_t>(side) * static_cast<std::size_t>(side * channels); }
};

std::size_t big_endian(const Bytes& bytes, std::size_t at) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = 256 * value + bytes[at + i];
  return value;
}

// the format of MNIST's own files: a magic number, sizes, bytes
Result<Raw> read_idx(const std::string& folder, const std::string& name) {
  const std::string pictures = folder + "/" + name + "-images-idx3-ubyte",
                    answers = folder + "/" + name + "-labels-idx1-ubyte";
  auto pixels = read_bytes(pictures);
  if (!pixels) return Error{pixels.error()};
  auto labels = read_bytes(answers);
  if (!labels) return Error{labels.error()};
  constexpr std::size_t kPictures = 2051, kAnswers = 2049, kHead = 16, kShortHead = 8;
  if (pixels->size() < kHead || big_endian(*pixels, 0) != kPictures)
    return wrong(pictures, "images in IDX format, magic number 2051", pixels->size());
  if (labels->size() < kShortHead || big_endian(*labels, 0) != kAnswers)
    return wrong(answers, "labels in IDX format, magic number 2049", labels->size());
  const std::size_t count = big_endian(*pixels, 4), rows = big_endian(*pixels, 8), cols = big_endian(*pixels, 12);
  if (rows != cols || rows < kHalf || rows > 256 || rows % kHalf != 0)
    return wrong(pictures, "square images of an even side up to 256", rows);
  if (pixels->size() - kHead != count * rows * cols)
    return wrong(pictures, std::to_string(count * rows * cols) + " pixels", pixels->size() - kHead);
  if (labels->size() - kShortHead != count)
    return wrong(answers, std::to_string(count) + " labels", labels->size() - kShortHead);
  pixels->erase(pixels->begin(), pixels->begin() + kHead);
  labels->erase(labels->begin(), labels->begin() + kShortHead);
  return Raw{.side = static_cast<int>(rows), .channels = 1, .pixels = std::move(*pixels), .labels = std::move(*labels)};
}

// the binary format of CIFAR-10: a label, then the bytes of red, green and blue
Result<Raw> read_records(const std::string& path) {
  const auto bytes = read_bytes(path);
  if (!bytes) return Error{bytes.error()};
  if (bytes->empty() || bytes->size() % kRecord != 0) return wrong(path, "records of 3,073 bytes", bytes->size());
  Raw raw{.side = static_cast<int>(kSide), .channels = static_cast<int>(kColours), .pixels = {}, .labels = {}};
  for (std::size_t at = 0; at < bytes->size(); at += kRecord) {
    raw.labels.push_back((*bytes)[at]);
    raw.pixels.insert(raw.pixels.end(), bytes->begin() + static_cast<std::ptrdiff_t>(at) + 1,
                      bytes->begin() + static_cast<std::ptrdiff_t>(at + kRecord));
  }
  return raw;
}

// appends an image at half its size, around 0 and of the order of 1
void append_halved(const Raw& raw, std::size_t image, double centre, double spread, ImageSet& set) {
  const std::size_t side = static_cast<std::size_t>(raw.side), half = side / kHalf;
  for (std::size_t c = 0; c < static_cast<std::size_t>(raw.channels); ++c) {
    const std::uint8_t* plane = raw.pixels.data() + image * raw.size() + c * side * side;
    for (std::size_t r = 0; r < half; ++r) {
      for (std::size_t k = 0; k < half; ++k) {
        const std::uint8_t* at = plane + kHalf * (r * side + k);
        const double mean = (at[0] + at[1] + at[side] + at[side + 1]) / (4.0 * 255.0);
        set.pixels.push_back(static_cast<float>((mean - centre) / spread));
      }
    }
  }
  set.labels.push_back(raw.labels[image]);
}

void add_noise(Random random, std::size_t features, ImageSet& set) {
  const double strength = random.uniform(0, kStrongest);
  for (std::size_t i = set.pixels.size() - features; i < set.pixels.size(); ++i) {
    set.pixels[i] += static_cast<float>(strength * random.normal());
  }
}

// images first … end − 1 of a file; `noise`: of digits, seeds of test and training images differ
ImageSet prepared(Task task, const Raw& raw, std::size_t first, std::size_t end, std::uint64_t noise) {
  const bool digits = task == Task::digits;
  ImageSet set;
  set.features = static_cast<int>(raw.size()) / (kHalf * kHalf);
  for (std::size_t i = first; i < end; ++i) {
    append_halved(raw, i, digits ? 0 : 0.47, digits ? 1 : 0.25, set);
    if (digits) add_noise(Random((noise << 32U) + i), static_cast<std::size_t>(set.features), set);
  }
  return set;
}

}  // namespace

Task parse_task(const std::string& name) {
  if (name == "digits") return Task::digits;
  if (name == "cifar10") return Task::cifar10;
  throw std::runtime_error("[images] unknown task \"" + name + "\", expected one of digits, cifar10");
}

Result<Images> read_images(Task task, const std::string& folder, const ImageLimits& limits) {
  const bool digits = task == Task::digits;
  const auto learn = digits ? read_idx(folder + "/mnist", "train") : read_records(folder + "/cifar10/train.bin");
  if (!learn) return Error{learn.error()};
  const auto test = digits ? read_idx(folder + "/mnist", "t10k") : read_records(folder + "/cifar10/test.bin");
  if (!test) return Error{test.error()};
  for (const Raw* raw : {&*learn, &*test}) {
    if (!raw->labels.empty() && std::ranges::max(raw->labels) >= kClasses) {
      return wrong(folder, "labels from 0 to 9", std::ranges::max(raw->labels));
    }
  }
  const auto least = [](std::size_t count, int limit) { return std::min(count, static_cast<std::size_t>(limit)); };
  const std::size_t count = learn->labels.size(), held_out = least(count / 5, limits.held_out);
  return Images{.learn = prepared(task, *learn, 0, least(count - held_out, limits.learn), 1),
                .held_out = prepared(task, *learn, count - held_out, count, 1),
                .test = prepared(task, *test, 0, least(test->labels.size(), limits.test), 2)};
}

}  // namespace elastane::images
