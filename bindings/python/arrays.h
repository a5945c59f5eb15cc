// NumPy arrays in and out: inputs of any numeric type, outputs as read-only views of the library's own memory.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <span>
#include <string>
#include <vector>

#include "elastane/elastane.h"

namespace elastane::python {

namespace py = pybind11;

// contiguous, converted if it is of another type
template <class T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

template <class T>
std::span<const T> span_of_array(const Array<T>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

// one value for each of `expected`, or a ValueError
template <class T>
std::span<const T> checked(const Array<T>& array, std::size_t expected, const char* what) {
  if (static_cast<std::size_t>(array.size()) != expected) {
    throw py::value_error(std::string(what) + ": expected " + std::to_string(expected) + " values, found " +
                          std::to_string(array.size()));
  }
  return span_of_array(array);
}

// Memory of `owner`, which stays alive as long as the array. It cannot be written to, and changes with the owner's next
// step: copy it to keep it.
template <class T>
py::array view(std::span<const T> values, std::vector<py::ssize_t> shape, py::handle owner) {
  py::array_t<T> array(std::move(shape), values.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

template <class T>
py::array_t<T> copy_of(std::span<const T> values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

inline std::span<const std::byte> bytes_of(const py::bytes& bytes) {
  char* data = nullptr;
  py::ssize_t size = 0;
  PYBIND11_BYTES_AS_STRING_AND_SIZE(bytes.ptr(), &data, &size);
  return {reinterpret_cast<const std::byte*>(data), static_cast<std::size_t>(size)};
}
inline py::bytes to_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// names of enumerations, as on the command line
Gate parse_gate_name(const std::string& name);

void add_models(py::module_& module);
void add_objectives(py::module_& module);
void add_reports(py::module_& module);
void add_streams(py::module_& module);
void add_forecasters(py::module_& module);
void add_latents(py::module_& module);

}  // namespace elastane::python
