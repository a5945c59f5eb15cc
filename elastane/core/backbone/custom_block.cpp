#include "elastane/core/backbone/custom_block.h"

#include <map>

#include "elastane/core/backbone/description.h"

namespace elastane {
namespace {

std::map<std::string, MakeCustomKind, std::less<>>& registered() {
  static std::map<std::string, MakeCustomKind, std::less<>> kinds;
  return kinds;
}

}  // namespace

std::size_t CustomBlock::scratch_floats(int) const { return 0; }
void CustomBlock::start(float*, float*) const {}
void CustomBlock::project(const BlockCall&, const StateSlot&) const {}
void CustomBlock::read(const BlockCall&, const StateSlot&, int, int) const {}
void CustomBlock::finish(const BlockCall&, const StateSlot&) const {}
int CustomBlock::latents() const { return 0; }
bool CustomBlock::is_described() const { return false; }
Register CustomBlock::describe(Register u, Description&, const StateSlot&) const { return u; }

bool CustomConfig::operator==(const CustomConfig& other) const {
  if (kind == nullptr || other.kind == nullptr) return kind == other.kind;
  return kind->name() == other.kind->name() && kind->settings() == other.kind->settings();
}

void register_custom_kind(std::string name, MakeCustomKind make) {
  registered().insert_or_assign(std::move(name), std::move(make));
}

const MakeCustomKind* find_custom_kind(std::string_view name) {
  const auto found = registered().find(name);
  return found == registered().end() ? nullptr : &found->second;
}

Register describe(const Custom& c, Register u, Description& description) {
  return c.block->describe(u, description, c.slot);
}

Custom bind(const CustomConfig& config, int width, bool learned_start, Binder& binder) {
  return {.block = config.kind->bind(width, learned_start, binder)};
}

}  // namespace elastane
