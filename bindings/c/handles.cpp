// Errors, names and the translation of reports.
#include "bindings/c/handles.h"

#include <cstdio>

namespace {

thread_local char last_error[1024] = "";

}  // namespace

namespace elastane::c {

elastane_status fail(elastane_status status, const char* text) noexcept {
  std::snprintf(last_error, sizeof last_error, "%s", text);
  return status;
}

bool read_budget(const elastane_budget* given, Budget& budget) noexcept {
  elastane_budget b = ELASTANE_BUDGET;
  if (!read_struct(given, b)) return false;
  switch (b.clock) {
    case ELASTANE_CLOCK_NONE: budget = Budget::none(); return true;
    case ELASTANE_CLOCK_MICROS: budget = Budget::micros(b.limit); return true;
    case ELASTANE_CLOCK_MACS: budget = Budget::macs(b.limit); return true;
    default: return false;
  }
}

void write_report(const AdvanceReport& r, elastane_advance_report* to) noexcept {
  write_struct({.size = 0, .missing = r.missing, .time_ignored = r.time_ignored, .reserved = 0, .macs = r.macs}, to);
}

void write_report(const StepReport& r, elastane_step_report* to) noexcept {
  write_struct({.size = 0,
                .stop = static_cast<std::int32_t>(r.stop),
                .depth = r.depth,
                .accepted = r.accepted,
                .trials = r.trials,
                .cut = r.cut,
                .loss_before = r.loss_before,
                .loss_after = r.loss_after,
                .kappa = r.kappa,
                .radius = r.radius,
                .macs = r.total_macs(),
                .elapsed = r.elapsed,
                .overrun = r.overrun},
               to);
}

}  // namespace elastane::c

int elastane_abi(void) { return ELASTANE_ABI; }
const char* elastane_version(void) { return ELASTANE_VERSION; }
const char* elastane_last_error(void) { return last_error; }

const char* elastane_status_name(elastane_status status) {
  switch (status) {
    case ELASTANE_OK: return "ok";
    case ELASTANE_BAD_ARGUMENT: return "bad argument";
    case ELASTANE_BAD_FILE: return "bad file";
    case ELASTANE_BAD_OPTIONS: return "bad options";
    case ELASTANE_BAD_SNAPSHOT: return "bad snapshot";
    case ELASTANE_NO_HISTORY: return "no history";
    case ELASTANE_BAD_DATA: return "bad data";
    case ELASTANE_NO_MEMORY: return "no memory";
    case ELASTANE_INTERNAL: return "internal";
  }
  return "unknown";
}

const char* elastane_stop_name(int32_t stop) {
  if (stop < 0 || stop >= elastane::kStopReasons) return "unknown";
  return elastane::name(static_cast<elastane::Stop>(stop)).data();  // of literals, which end in zero
}
