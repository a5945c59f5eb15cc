// The networks that are compared on images: a form of recursion, and how its halting is learned.
#pragma once

#include <span>
#include <string>

#include "elastane/core/base/block_configs.h"

namespace elastane::images {

enum class Backbone : std::uint8_t { recursion, damped, literal, tied, untied };
enum class Halting : std::uint8_t { none, ranking, ponder, act };  // with the backbone; `none`: afterwards alone

struct Method {
  const char* name;
  Backbone backbone = Backbone::recursion;
  Halting halting = Halting::none;
  bool joint = true;                      // the backbone learns from the loss of halting, too
  double relative = 0.7, absolute = 0.3;  // of ranking
  double lipschitz = 0.9, hurst = 0.8;
  int depth = 16;
  const char* what = "";

  // an engine's block has this form; none for untied
  RecursionForm form() const {
    if (backbone == Backbone::recursion) return RecursionForm::contraction;
    return backbone == Backbone::damped ? RecursionForm::damped : RecursionForm::literal;
  }
};

std::span<const Method> methods();
const Method& find_method(const std::string& name);  // throws

}  // namespace elastane::images
