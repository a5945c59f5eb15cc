#include "lab/images/methods.h"

#include <stdexcept>

namespace elastane::images {
namespace {

constexpr Method kMethods[] = {
    {.name = "recursion", .what = "contraction, halting rules afterwards"},
    {.name = "recursion_99", .lipschitz = 0.99, .what = "contraction by .99"},
    {.name = "recursion_ranking", .halting = Halting::ranking, .what = "contraction, ranking trained with it"},
    {.name = "recursion_ponder", .halting = Halting::ponder, .what = "contraction with PonderNet"},
    {.name = "recursion_act", .halting = Halting::act, .what = "contraction with ACT"},
    {.name = "damped", .backbone = Backbone::damped, .what = "contraction, damped"},
    {.name = "depth_1", .depth = 1, .what = "contraction, trained for depth 1"},
    {.name = "depth_2", .depth = 2, .what = "contraction, trained for depth 2"},
    {.name = "literal", .backbone = Backbone::literal, .what = "FROST as printed, halting rules afterwards"},
    {.name = "literal_ranking",
     .backbone = Backbone::literal,
     .halting = Halting::ranking,
     .what = "FROST as printed, ranking trained with it"},
    {.name = "literal_detached",
     .backbone = Backbone::literal,
     .halting = Halting::ranking,
     .joint = false,
     .what = "the same, the backbone does not learn from it"},
    {.name = "literal_relative",
     .backbone = Backbone::literal,
     .halting = Halting::ranking,
     .absolute = 0,
     .what = "the relative loss alone"},
    {.name = "literal_absolute",
     .backbone = Backbone::literal,
     .halting = Halting::ranking,
     .relative = 0,
     .what = "the absolute loss alone"},
    {.name = "literal_relative_detached",
     .backbone = Backbone::literal,
     .halting = Halting::ranking,
     .joint = false,
     .absolute = 0,
     .what = "the relative loss alone, detached"},
    {.name = "literal_absolute_detached",
     .backbone = Backbone::literal,
     .halting = Halting::ranking,
     .joint = false,
     .relative = 0,
     .what = "the absolute loss alone, detached"},
    {.name = "literal_h2", .backbone = Backbone::literal, .hurst = 0.2, .what = "H = .2"},
    {.name = "literal_h5", .backbone = Backbone::literal, .hurst = 0.5, .what = "H = .5"},
    {.name = "literal_h10", .backbone = Backbone::literal, .hurst = 1, .what = "H = 1"},
    {.name = "tied", .backbone = Backbone::tied, .what = "h + F(h) + Bx, a BasicSSM"},
    {.name = "tied_ponder", .backbone = Backbone::tied, .halting = Halting::ponder, .what = "the same with PonderNet"},
    {.name = "tied_act", .backbone = Backbone::tied, .halting = Halting::act, .what = "the same with ACT"},
    {.name = "untied", .backbone = Backbone::untied, .what = "other weights in every layer"},
};

}  // namespace

std::span<const Method> methods() { return kMethods; }

const Method& find_method(const std::string& name) {
  std::string known;
  for (const Method& method : kMethods) {
    if (name == method.name) return method;
    known += (known.empty() ? "" : ", ") + std::string(method.name);
  }
  throw std::runtime_error("[images] unknown method \"" + name + "\", expected one of " + known);
}

}  // namespace elastane::images
