#include "lab/peptide/endless_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "elastane/core/base/clock.h"
#include "lab/peptide/observation.h"

namespace elastane::peptide {
namespace {

RosterEntry find_entry(const std::string& name) {
  const std::vector<RosterEntry> all = roster();
  const auto found = std::ranges::find(all, name, &RosterEntry::name);
  if (found != all.end() && !found->oracle) return *found;
  throw std::runtime_error("[peptide_endless] agent: unknown agent \"" + name +
                           "\", expected one of elastane reproduce peptide, other than oracle");
}

std::int64_t resident_kilobytes() {
  std::ifstream status("/proc/self/statm");
  std::int64_t all = 0, resident = 0;
  status >> all >> resident;
  return resident * 4;
}

// One chain, and the contacts requested of it.
class EndlessChain {
 public:
  explicit EndlessChain(Random& random)
      : random_(random), energy_{Chain(random_sequence(random))}, torsions_(random_start(energy_, random)) {}

  const Energy& energy() const { return energy_; }
  double share_met() const { return static_cast<double>(met_) / requested_; }

  // returns the microseconds that the agent took
  double step(std::int64_t step, Agent& agent) {
    const int count = energy_.chain().torsions();
    if (step % kWindow == 0) request_contact();
    Torsions observed = torsions_;
    for (int t = 0; t < count; ++t) observed[static_cast<std::size_t>(t)] += kNoise * random_.normal();
    observe(energy_, observed, contact_, before_, x_);
    const double start = now_micros();
    agent.act(x_, observed, contact_, y_);
    const double micros = now_micros() - start;
    torsions_ = moved(torsions_, y_, count, MoveOptions{}.limit);
    energy_.evaluate(torsions_, contact_, after_);
    follow_contact(after_.conformation);
    return micros;
  }

 private:
  void request_contact() {
    contact_ = random_contact(energy_.chain().residues(), random_);
    ++requested_, held_ = 0;
    counted_ = false;
  }
  void follow_contact(const Conformation& there) {
    const bool good = energy_.contact_distance(there, contact_) <= kContact && energy_.clashes(there) == 0 &&
                      energy_.disallowed(there) == 0;
    held_ = good ? held_ + 1 : 0;
    if (held_ == kHold && !counted_) ++met_, counted_ = true;
  }

  Random& random_;
  Energy energy_;
  Torsions torsions_;
  Contact contact_;
  EnergyPoint before_, after_;
  std::array<float, kInputs> x_;
  std::array<float, kOutputs> y_ = {};
  int requested_ = 0, met_ = 0, held_ = 0;
  bool counted_ = false;
};

}  // namespace

void run_endlessly(const EndlessOptions& options, const PrintLine& print) {
  const Networks networks = load_networks(options.models).value();
  const RosterEntry entry = find_entry(options.agent);
  const std::unique_ptr<Agent> agent = make_agent(entry, networks);
  Random random(options.seed);
  EndlessChain chain(random);
  agent->begin(chain.energy());
  print(fmt::format("{} ({}), one chain of {} residues, a new contact every {} steps, never reset\n\n", entry.name,
                    settings_of(entry), chain.energy().chain().residues(), kWindow));
  print("| steps | p50 µs | p99 µs | p99/p50 | contacts met | resident KiB |\n|---|--:|--:|--:|--:|--:|\n");
  std::int64_t step = 0;
  for (const MeasuredSteps& window : options.windows) {
    benchmark::Latency latency;
    for (; step < window.until; ++step) {
      const double micros = chain.step(step, *agent);
      if (step >= window.from) latency.add(micros);
    }
    const double p50 = latency.quantile(0.5), p99 = latency.quantile(0.99);
    print(fmt::format("| {} to {} | {:.1f} | {:.1f} | {:.2f} | {:.3f} | {} |\n", window.from, window.until, p50, p99,
                      p99 / p50, chain.share_met(), resident_kilobytes()));
  }
}

}  // namespace elastane::peptide
