#include "lab/peptide/recording.h"

#include <algorithm>
#include <limits>

#include "lab/benchmark/recording_checks.h"
#include "lab/benchmark/shown_agents.h"
#include "lab/peptide/pdb.h"
#include "lab/peptide/play.h"
#include "lab/peptide/sequence.h"
#include "lab/peptide/story.h"

namespace elastane::peptide {
namespace {

constexpr int kBins = 48;  // of the Ramachandran plot, each way
constexpr double kPi = 3.14159265358979323846;

PeptideAtom shown(const Atom& atom) {
  switch (atom.kind) {
    case AtomKind::n: return {'N', "N", atom.residue};
    case AtomKind::ca: return {'C', "CA", atom.residue};
    case AtomKind::cb: return {'C', "CB", atom.residue};
    case AtomKind::c: return {'C', "C", atom.residue};
    case AtomKind::o: break;
  }
  return {'O', "O", atom.residue};
}

void record_chain(const Chain& chain, PeptideRecording& r) {
  for (int a = 0; a < chain.atoms(); ++a) r.atoms.push_back(shown(chain.atom(a)));
  for (int i = 0; i < chain.residues(); ++i) {
    const int ca = chain.ca(i), c = chain.index(i, AtomKind::c);
    r.bonds.push_back({chain.index(i, AtomKind::n), ca});
    r.bonds.push_back({ca, c});
    r.bonds.push_back({c, chain.index(i, AtomKind::o)});
    if (chain.sequence().has_cb(i)) r.bonds.push_back({ca, chain.index(i, AtomKind::cb)});
    if (i + 1 < chain.residues()) r.bonds.push_back({c, chain.index(i + 1, AtomKind::n)});
  }
}

// how far inside what is allowed a place of the plot is, averaged over the residues that have both torsions
void record_plot(const Sequence& sequence, PeptideRecording& r) {
  const auto angle = [](int bin) { return Angle::of((2 * (bin + 0.5) / kBins - 1) * kPi); };
  r.ramachandran_bins = kBins;
  for (int psi = 0; psi < kBins; ++psi) {
    for (int phi = 0; phi < kBins; ++phi) {
      double sum = 0;
      for (int i = 1; i + 1 < sequence.residues; ++i) {
        const Class residue = sequence.classes[static_cast<std::size_t>(i)];
        sum += std::clamp(1 - ramachandran(residue, angle(phi), angle(psi)).energy / kAllowed, 0.0, 1.0);
      }
      r.ramachandran.push_back(sum / (sequence.residues - 2));
    }
  }
}

// ½s²|y|² of a move that was made
double price_of(const Torsions& from, const Torsions& to, const MoveOptions& options = {}) {
  double sum = 0;
  for (std::size_t t = 0; t < from.size(); ++t) {
    const double y = wrapped(to[t] - from[t]) / options.limit;
    sum += y * y;
  }
  return 0.5 * options.smoothness * options.smoothness * sum;
}

PeptideStep shown(const Step& step, const Torsions& before) {
  const EnergyPoint& point = step.trial.point();
  const Energy& energy = step.trial.energy();
  const Torsions& torsions = step.trial.torsions();
  PeptideStep out;
  for (int a = 0; a < energy.chain().atoms(); ++a) {
    const Vec3 r = point.conformation.at(a);
    out.atoms.push_back({r.x, r.y, r.z});
  }
  const int residues = energy.chain().residues();
  for (int i = 0; i < residues; ++i) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    out.torsions.push_back({i > 0 ? torsions[static_cast<std::size_t>(2 * i - 1)] : kNone,
                            i + 1 < residues ? torsions[static_cast<std::size_t>(2 * i)] : kNone});
  }
  out.clashes = energy.clashing(point.conformation);
  out.distance = step.distance;
  out.contact = point.terms.contact, out.clash = point.terms.wall, out.ramachandran = point.terms.ramachandran;
  out.smooth = price_of(before, torsions);
  out.moment = {.depth = step.did.depth,
                .radius = step.did.radius,
                .loss_before = step.did.loss_before,
                .loss_after = step.did.loss_after,
                .violation = !out.clashes.empty()};
  return out;
}

PeptideAgent record_agent(const Agent& agent, const Networks& networks, const Drawn& drawn) {
  PeptideAgent out;
  const auto driver = agent.oracle ? nullptr : make_driver(agent, networks);
  Torsions before = drawn.episode.start;
  int near = 0, clean = 0;  // steps: near enough, and nothing wrong beside
  const benchmark::Outcome outcome = play(drawn, driver.get(), [&](const Step& step) {
    out.steps.push_back(shown(step, before));
    before = step.trial.torsions();
    const bool is_near = step.contact.is_asked() && step.distance <= kContact;
    near += is_near ? 1 : 0;
    clean += is_near && step.trial.is_clean() ? 1 : 0;
  });
  out.caption = {.name = agent.name,
                 .what = agent.what,
                 .success = outcome.success,
                 .steps = outcome.steps,
                 .violations = outcome.violations};
  // a contact that looks met and does not count needs a word
  if (!outcome.success && near > clean) {
    out.caption.what +=
        "; " + std::to_string(near - clean) + " of its " + std::to_string(near) + " steps within 6 Å break a rule";
  }
  return out;
}

// what was typed, checked against the sequence that it is for
Result<Wish> wish_of(const Wanted& wanted, const benchmark::RecordingRequest& request) {
  Wish wish;
  if (!wanted.sequence.empty()) {
    const auto sequence = parse_sequence(wanted.sequence);
    if (!sequence) return Error{sequence.error()};
    wish.sequence = *sequence;
  }
  if (!wanted.contact) return wish;
  const Chain chain(wish.sequence ? *wish.sequence : draw_sequence(request.seed, request.episode));
  const auto [lower, upper] = std::minmax((*wanted.contact)[0], (*wanted.contact)[1]);
  if (lower < 1 || upper > chain.residues()) {
    return Error{"[peptide] contact: expected two residues of 1 to " + std::to_string(chain.residues()) + " in " +
                 chain.sequence().text() + ", found " + std::to_string(lower) + " and " + std::to_string(upper)};
  }
  wish.contact = Contact{lower - 1, upper - 1};
  if (const Status good = validate(*wish.contact, chain); !good) return Error{good.error()};
  return wish;
}

Status check_pairs(const std::vector<std::array<int, 2>>& pairs, std::size_t atoms, const std::string& what) {
  for (const auto& [a, b] : pairs) {
    if (!benchmark::is_below(a, atoms) || !benchmark::is_below(b, atoms)) {
      return Error{"[recording] " + what + ": expected atoms that there are, found " + std::to_string(a) + ", " +
                   std::to_string(b)};
    }
  }
  return {};
}

Status check_step(const PeptideRecording& r, const PeptideAgent& agent, const PeptideStep& step) {
  const std::string& name = agent.caption.name;
  if (step.atoms.size() != r.atoms.size())
    return benchmark::wrong_size(name + ", atoms", r.atoms.size(), step.atoms.size());
  if (step.torsions.size() != r.sequence.size()) {
    return benchmark::wrong_size(name + ", torsions", r.sequence.size(), step.torsions.size());
  }
  return check_pairs(step.clashes, r.atoms.size(), name + ", clashes");
}

}  // namespace

Result<PeptideRecording> record(const Networks& networks, const benchmark::RecordingRequest& request,
                                const Wanted& wanted) {
  if (request.episode < 0) {
    return Error{"[play] episode: expected 0 or more, found " + std::to_string(request.episode)};
  }
  const std::vector<std::string> usual = {"frozen", "plan_gauss_newton", "exact_detours"};
  const auto chosen = benchmark::shown_agents(request.agents.empty() ? usual : request.agents, agents());
  if (!chosen) return Error{chosen.error()};
  const auto wish = wish_of(wanted, request);
  if (!wish) return Error{wish.error()};

  const Drawn drawn = draw_episode(request.seed, request.episode, *wish);
  const Episode& e = drawn.episode;
  PeptideRecording r(request.seed, request.episode);
  r.title = title_of(e), r.story = story_of(drawn);
  r.sequence = e.sequence.text();
  record_chain(Chain(e.sequence), r);
  record_plot(e.sequence, r);
  r.contacts.push_back({.at = e.appears, .i = e.first.i, .j = e.first.j, .goal = kContact});
  if (e.second.is_asked())
    r.contacts.push_back({.at = e.changes(), .i = e.second.i, .j = e.second.j, .goal = kContact});
  for (const Agent& agent : *chosen) r.agents.push_back(record_agent(agent, networks, drawn));
  if (std::ranges::none_of(r.agents, [](const PeptideAgent& a) { return a.caption.success; })) {
    r.story += " None of the agents shown here manages it.";
  }
  return r;
}

Result<std::string> last_structure(const PeptideRecording& r) {
  const auto sequence = parse_sequence(r.sequence);
  if (!sequence) return Error{sequence.error()};
  if (const Status good = r.validate(); !good) return Error{good.error()};
  const Chain chain(*sequence);
  if (r.atoms.size() != static_cast<std::size_t>(chain.atoms())) {
    return Error{"[recording] atoms: expected " + std::to_string(chain.atoms()) + ", found " +
                 std::to_string(r.atoms.size())};
  }
  Conformation last;
  const PeptideAgent& agent = r.agents.back();
  for (int a = 0; a < chain.atoms(); ++a) {
    const auto& [x, y, z] = agent.steps.back().atoms[static_cast<std::size_t>(a)];
    last.put(a, {x, y, z});
  }
  return to_pdb(chain, last, r.sequence + " as " + agent.caption.name + " left it");
}

Status PeptideRecording::validate() const {
  if (Status found = benchmark::check_agents(agents); !found) return found;
  if (Status found = check_pairs(bonds, atoms.size(), "bonds"); !found) return found;
  const auto bins = static_cast<std::size_t>(ramachandran_bins) * static_cast<std::size_t>(ramachandran_bins);
  if (ramachandran_bins < 0 || ramachandran.size() != bins)
    return benchmark::wrong_size("ramachandran", bins, ramachandran.size());
  std::size_t traced = 0;  // residues with a CA, in order
  for (const PeptideAtom& atom : atoms) traced += atom.name == "CA" ? 1 : 0;
  if (traced != sequence.size() || traced < 2) return benchmark::wrong_size("CA atoms", sequence.size(), traced);
  for (const PeptideContact& c : contacts) {
    if (!benchmark::is_below(c.i, traced) || !benchmark::is_below(c.j, traced)) {
      return Error{"[recording] contacts: expected residues that there are, found " + std::to_string(c.i) + ", " +
                   std::to_string(c.j)};
    }
  }
  for (const PeptideAgent& agent : agents) {
    for (const PeptideStep& step : agent.steps) {
      if (Status good = check_step(*this, agent, step); !good) return good;
    }
  }
  return {};
}

}  // namespace elastane::peptide
