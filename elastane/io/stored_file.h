// One kind of safetensors file, described by {key, write, read}: format, parse, save and load follow from it.
//
//   constexpr StoredFile<LearnedGate> kGateFile = {"elastane_gate", "gate", "a learned gate", write, read};
//   Result<LearnedGate> load_gate(const std::string& path) { return load(kGateFile, path); }
//
// The metadata entry `key` marks the file and holds a text, usually JSON, that says what the arrays mean.
#pragma once

#include <deque>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "elastane/io/file.h"
#include "elastane/io/stored_arrays.h"

namespace elastane {

// the content of a file that is being written
class StoredContent {
 public:
  std::string text;  // under the key

  // an array by name; without a shape it is a plain list. It is a view: `values` must outlive the content.
  template <class T>
  void add(const char* name, const std::vector<T>& values, Shape shape = {}) {
    tensors_.push_back(stored(name, values, std::move(shape)));
  }
  // the same, and keeps the values
  void add(const char* name, std::vector<double>&& values, Shape shape = {}) {
    add(name, kept_.emplace_back(std::move(values)), std::move(shape));
  }

  const std::vector<StoredTensor>& tensors() const { return tensors_; }

 private:
  std::vector<StoredTensor> tensors_;
  std::deque<std::vector<double>> kept_;
};

// "[gate] depths: expected …" without its tag, to follow a text that has one
inline std::string without_tag(const std::string& message) {
  const std::size_t end = message.starts_with('[') ? message.find("] ") : std::string::npos;
  return end == std::string::npos ? message : message.substr(end + 2);
}

template <class Value>
struct StoredFile {
  const char* key;   // of the metadata entry that marks such a file
  const char* tag;   // in front of messages: "gate" becomes "[gate]"
  const char* what;  // in messages: "a learned gate"
  Status (*write)(const Value& value, StoredContent& to);
  Value (*read)(const std::string& text, ArrayReader& reader);  // throws Misfit
};

template <class Value>
Result<std::vector<std::byte>> format(const StoredFile<Value>& kind, const Value& value,
                                      std::map<std::string, std::string> metadata) {
  StoredContent content;
  if (const Status sound = kind.write(value, content); !sound) return Error{sound.error()};
  metadata[kind.key] = content.text;
  return format_safetensors(metadata, content.tensors());
}

template <class Value>
Result<Value> parse(const StoredFile<Value>& kind, std::span<const std::byte> bytes, const std::string& source) {
  return parse_stored(bytes, source, [&](const Safetensors& file, const std::string&) {
    const std::string where = "[" + std::string(kind.tag) + "] " + source + ": ";
    const auto text = file.metadata.find(kind.key);
    if (text == file.metadata.end()) {
      const char* found = file.metadata.contains("elastane") ? "a network" : "another safetensors file";
      throw Misfit(where + "expected " + kind.what + ", found " + found);
    }
    ArrayReader reader(file, where);
    Value value = kind.read(text->second, reader);
    reader.done();
    return value;
  });
}

template <class Value>
Status save(const StoredFile<Value>& kind, const std::string& path, const Value& value,
            std::map<std::string, std::string> metadata) {
  const auto bytes = format(kind, value, std::move(metadata));
  if (!bytes) return Error{bytes.error()};
  return write_file(path, *bytes);
}

template <class Value>
Result<Value> load(const StoredFile<Value>& kind, const std::string& path) {
  const auto file = FileContent::open(path);
  if (!file) return Error{file.error()};
  return parse(kind, file->bytes(), path);
}

}  // namespace elastane
