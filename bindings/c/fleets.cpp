// Fleets.
#include "bindings/c/handles.h"

using namespace elastane::c;

elastane_status elastane_fleet_create(const elastane_model* model, int32_t streams, elastane_fleet** fleet) {
  if (!is_valid(model) || fleet == nullptr) return refuse("[fleet] expected a model, and where to put the fleet");
  *fleet = nullptr;
  return guarded([&] {
    auto made = elastane::Fleet::create(model->model, streams);
    if (!made) return fail(ELASTANE_BAD_OPTIONS, made.error());
    *fleet = new elastane_fleet{.fleet = *std::move(made)};
    return ELASTANE_OK;
  });
}

elastane_status elastane_fleet_clone(const elastane_fleet* fleet, elastane_fleet** fork) {
  if (!is_valid(fleet) || fork == nullptr) return refuse("[fleet] expected a fleet, and where to put its fork");
  *fork = nullptr;
  return guarded([&] { return *fork = new elastane_fleet(*fleet), ELASTANE_OK; });
}

void elastane_fleet_free(elastane_fleet* fleet) { free_handle(fleet); }
int32_t elastane_fleet_size(const elastane_fleet* fleet) { return is_valid(fleet) ? fleet->fleet.size() : 0; }

elastane_status elastane_fleet_advance(elastane_fleet* f, const float* x, size_t count, const uint8_t* present,
                                       const float* dt, elastane_advance_report* report) {
  if (!is_valid(f) || x == nullptr || !is_writable(report)) return refuse("[advance] expected a fleet and inputs");
  const std::size_t streams = elastane::as_size(f->fleet.size());
  if (count != streams * elastane::as_size(f->fleet.model().inputs())) {
    return refuse("[advance] expected one row of inputs per stream");
  }
  write_report(
      f->fleet.advance({x, count}, {present, present == nullptr ? 0 : count}, {dt, dt == nullptr ? 0 : streams}),
      report);
  return ELASTANE_OK;
}

const float* elastane_fleet_output(const elastane_fleet* f, int32_t stream, size_t* outputs) {
  const std::span<const float> y = is_valid(f) ? f->fleet.output(stream) : std::span<const float>();
  if (outputs != nullptr) *outputs = y.size();
  return y.empty() ? nullptr : y.data();
}

const float* elastane_fleet_outputs(const elastane_fleet* f, size_t* count) {
  const std::span<const float> y = is_valid(f) ? f->fleet.outputs() : std::span<const float>();
  if (count != nullptr) *count = y.size();
  return y.empty() ? nullptr : y.data();
}

uint64_t elastane_fleet_position(const elastane_fleet* f, int32_t stream) {
  return is_valid(f) ? f->fleet.position(stream) : 0;
}

elastane_status elastane_fleet_reset(elastane_fleet* f, int32_t stream) {
  if (!is_valid(f) || stream < 0 || stream >= f->fleet.size()) return refuse("[reset] expected a stream of the fleet");
  f->fleet.reset(stream);
  return ELASTANE_OK;
}

elastane_status elastane_fleet_snapshot(const elastane_fleet* f, int32_t stream, void* bytes, size_t capacity,
                                        size_t* needed) {
  if (!is_valid(f) || stream < 0 || stream >= f->fleet.size()) {
    return refuse("[snapshot] expected a stream of the fleet");
  }
  return guarded([&] {
    return write_bytes(bytes, capacity, needed, f->fleet.snapshot_bytes(), [&](std::span<std::byte> to) {
      const auto done = f->fleet.snapshot(stream, to);
      return done ? ELASTANE_OK : fail(ELASTANE_INTERNAL, done.error());
    });
  });
}

elastane_status elastane_fleet_restore(elastane_fleet* f, int32_t stream, const void* bytes, size_t count) {
  if (!is_valid(f) || stream < 0 || stream >= f->fleet.size() || bytes == nullptr) {
    return refuse("[snapshot] expected a stream of the fleet, and bytes");
  }
  return guarded([&] {
    const auto done = f->fleet.restore(stream, bytes_of(bytes, count));
    return done ? ELASTANE_OK : fail(ELASTANE_BAD_SNAPSHOT, done.error());
  });
}
