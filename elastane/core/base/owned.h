// A value on the heap: copying an Owned copies its value. The type may be incomplete where an Owned is a member, is
// copied or freed; so a header can hide its parts without a hand-written copy constructor or destructor.
//
//   struct Parts;                                              // in the header
//   Owned<Parts> parts_;
//   … : parts_(Owned<Parts>::make(latents, outputs)) {}        // in the source, where Parts is complete
#pragma once

#include <utility>

namespace elastane {

template <class T>
class Owned {
 public:
  template <class... Arguments>
  static Owned make(Arguments&&... arguments) {
    return Owned(
        new T{std::forward<Arguments>(arguments)...}, [](const T& value) { return new T(value); },
        [](T* value) { delete value; });
  }
  Owned(const Owned& other)
      : value_(other.value_ == nullptr ? nullptr : other.copy_(*other.value_)),
        copy_(other.copy_),
        free_(other.free_) {}
  Owned(Owned&& other) noexcept
      : value_(std::exchange(other.value_, nullptr)), copy_(other.copy_), free_(other.free_) {}
  Owned& operator=(Owned other) noexcept {
    std::swap(value_, other.value_);
    std::swap(copy_, other.copy_);
    std::swap(free_, other.free_);
    return *this;
  }
  ~Owned() {
    if (value_ != nullptr) free_(value_);
  }

  T* operator->() { return value_; }
  const T* operator->() const { return value_; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }

 private:
  using Copy = T* (*)(const T&);
  using Free = void (*)(T*);
  Owned(T* value, Copy copy, Free free) : value_(value), copy_(copy), free_(free) {}

  T* value_;
  Copy copy_;
  Free free_;
};

}  // namespace elastane
