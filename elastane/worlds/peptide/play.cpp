#include "elastane/worlds/peptide/play.h"

#include <algorithm>
#include <optional>

#include "elastane/core/base/clock.h"
#include "elastane/worlds/peptide/observation.h"
#include "elastane/worlds/peptide/pdb.h"

namespace elastane::peptide {
namespace {

const char* name_of(AtomKind kind) {
  switch (kind) {
    case AtomKind::n: return "N";
    case AtomKind::ca: return "CA";
    case AtomKind::cb: return "CB";
    case AtomKind::c: return "C";
    case AtomKind::o: break;
  }
  return "O";
}

Recording::Frame frame_of(const Step& step) {
  Recording::Frame frame;
  const EnergyPoint& point = step.trial.point();
  const Energy& energy = step.trial.energy();
  for (int a = 0; a < energy.chain().atoms(); ++a) {
    const Vec3 r = point.conformation.at(a);
    for (const double c : {r.x, r.y, r.z}) frame.atoms.push_back(static_cast<float>(c));
  }
  frame.distance = static_cast<float>(step.distance);
  frame.depth = step.did.depth, frame.accepted = step.did.accepted;
  frame.radius = static_cast<float>(step.did.radius), frame.micros = static_cast<float>(step.micros);
  frame.contact = static_cast<float>(point.terms.contact), frame.wall = static_cast<float>(point.terms.wall);
  frame.well = static_cast<float>(point.terms.well);
  frame.ramachandran = static_cast<float>(point.terms.ramachandran);
  frame.clashes = energy.clashes(point.conformation), frame.disallowed = energy.disallowed(point.conformation);
  return frame;
}

}  // namespace

contest::Outcome play(const Drawn& drawn, Driver* driver, const std::function<void(const Step&)>& see) {
  const Energy energy{Chain(drawn.episode.sequence)};
  Trial trial(drawn.episode, energy);
  std::optional<ExpertWalk> oracle;
  if (driver) {
    driver->begin(energy);
  } else {
    oracle.emplace(energy, drawn.episode.noise);
  }
  std::array<float, kInputs> x;
  std::array<float, kOutputs> y = {};
  EnergyPoint seen;
  contest::Outcome sums;
  while (!trial.is_over()) {
    const Contact contact = trial.contact();
    const Torsions observed = trial.observed();
    observe(energy, observed, contact, seen, x);
    const double begun = now_micros();
    if (driver) {
      driver->drive(x, observed, contact, y);
    } else {
      std::ranges::copy(oracle->next(trial), y.begin());
    }
    const double micros = now_micros() - begun;
    const DriveReport did = driver ? driver->report() : DriveReport{};
    sums.corrections += did.depth, sums.accepted += did.accepted;
    sums.products += did.products, sums.condition += did.condition, sums.madds += did.madds;
    trial.move(y);
    if (!see) continue;
    const double distance = contact.is_asked() ? energy.contact_distance(trial.point().conformation, contact) : 0.0;
    see({trial, contact, distance, micros, did});
  }
  contest::Outcome outcome = trial.outcome();
  outcome.regret = (trial.cost() - drawn.best_cost) / std::max(drawn.best_cost, 1.0);
  outcome.corrections = sums.corrections, outcome.accepted = sums.accepted, outcome.products = sums.products;
  outcome.condition = sums.condition, outcome.madds = sums.madds;
  return outcome;
}

Result<Recording> record(const Networks& networks, const std::vector<std::string>& names, std::uint64_t seed,
                         int episode) {
  const Drawn drawn = draw_episode(seed, episode);
  const Chain chain(drawn.episode.sequence);
  Recording recording{.sequence = drawn.episode.sequence.text(),
                      .atom_names = {},
                      .atom_residues = {},
                      .first = drawn.episode.first,
                      .second = drawn.episode.second,
                      .appears = drawn.episode.appears,
                      .changes = drawn.episode.changes(),
                      .ends = drawn.episode.ends(),
                      .tracks = {}};
  for (int a = 0; a < chain.atoms(); ++a) {
    recording.atom_names.emplace_back(name_of(chain.atom(a).kind));
    recording.atom_residues.push_back(chain.atom(a).residue);
  }
  const std::vector<Agent> all = agents();
  for (const std::string& name : names) {
    const auto agent = std::ranges::find(all, name, &Agent::name);
    if (agent == all.end()) return Error{"[peptide] agent: expected one of the table's, found " + name};
    Recording::Track& track = recording.tracks.emplace_back();
    track.agent = name;
    const auto driver = agent->oracle ? nullptr : make_driver(*agent, networks);
    track.outcome = play(drawn, driver.get(), [&](const Step& step) {
      track.frames.push_back(frame_of(step));
      if (step.trial.is_over()) track.pdb = to_pdb(chain, step.trial.point().conformation, recording.sequence);
    });
  }
  return recording;
}

}  // namespace elastane::peptide
