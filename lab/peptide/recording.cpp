#include "lab/peptide/recording.h"

#include <algorithm>
#include <limits>

#include "lab/benchmark/recording_checks.h"
#include "lab/benchmark/shown_agents.h"
#include "lab/peptide/caption.h"
#include "lab/peptide/pdb.h"
#include "lab/peptide/run_episode.h"
#include "lab/peptide/sequence.h"

namespace elastane::peptide {
namespace {

constexpr int kBins = 48;  // of the Ramachandran plot, per axis
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

// how far inside the allowed region a point of the plot is, averaged over the residues that have both torsions
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
double smoothness_of(const Torsions& from, const Torsions& to, const MoveOptions& options = {}) {
  double sum = 0;
  for (std::size_t t = 0; t < from.size(); ++t) {
    const double y = wrapped(to[t] - from[t]) / options.limit;
    sum += y * y;
  }
  return 0.5 * options.smoothness * options.smoothness * sum;
}

PeptideStep shown(const Step& step, const Torsions& before) {
  const EnergyPoint& point = step.environment.point();
  const Energy& energy = step.environment.energy();
  const Torsions& torsions = step.environment.torsions();
  PeptideStep out;
  for (int a = 0; a < energy.chain().atoms(); ++a) {
    out.atoms.push_back(point.conformation.at(a));
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
  out.smooth = smoothness_of(before, torsions);
  out.moment = {.depth = step.report.depth,
                .radius = step.report.radius,
                .loss_before = step.report.loss_before,
                .loss_after = step.report.loss_after,
                .violation = !out.clashes.empty()};
  return out;
}

PeptideAgent record_agent(const RosterEntry& entry, const Networks& networks, const DrawnEpisode& drawn) {
  PeptideAgent out;
  const auto agent = entry.oracle ? nullptr : make_agent(entry, networks);
  Torsions before = drawn.episode.start;
  int near = 0, clean = 0;  // steps within 6 Å, and those of them without a violation
  const benchmark::Outcome outcome = run_episode(drawn, agent.get(), [&](const Step& step) {
    out.steps.push_back(shown(step, before));
    before = step.environment.torsions();
    const bool is_near = step.contact.is_requested() && step.distance <= kContact;
    near += is_near ? 1 : 0;
    clean += is_near && step.environment.is_clean() ? 1 : 0;
  });
  out.caption = {.name = entry.name,
                 .what = entry.what,
                 .success = outcome.success,
                 .steps = outcome.steps,
                 .violations = outcome.violations};
  // explain a contact that looks met and does not count
  if (!outcome.success && near > clean) {
    out.caption.what +=
        "; " + std::to_string(near - clean) + " of its " + std::to_string(near) + " steps within 6 Å break a rule";
  }
  return out;
}

// the user's wishes, checked against the sequence that they are for
Result<EpisodeRequest> episode_request(const CustomPeptide& custom, const benchmark::RecordingRequest& request) {
  EpisodeRequest episode;
  if (!custom.sequence.empty()) {
    const auto sequence = parse_sequence(custom.sequence);
    if (!sequence) return Error{sequence.error()};
    episode.sequence = *sequence;
  }
  if (!custom.contact) return episode;
  const Chain chain(episode.sequence ? *episode.sequence : draw_sequence(request.seed, request.episode));
  const auto [lower, upper] = std::minmax((*custom.contact)[0], (*custom.contact)[1]);
  if (lower < 1 || upper > chain.residues()) {
    return Error{"[peptide] contact: expected two residues of 1 to " + std::to_string(chain.residues()) + " in " +
                 chain.sequence().text() + ", found " + std::to_string(lower) + " and " + std::to_string(upper)};
  }
  episode.contact = Contact{lower - 1, upper - 1};
  if (const Status good = validate(*episode.contact, chain); !good) return Error{good.error()};
  return episode;
}

Status check_pairs(const std::vector<std::array<int, 2>>& pairs, std::size_t atoms, const std::string& what) {
  for (const auto& [a, b] : pairs) {
    if (!benchmark::is_below(a, atoms) || !benchmark::is_below(b, atoms)) {
      return Error{"[recording] " + what + ": expected atoms of the chain, found " + std::to_string(a) + ", " +
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
                                const CustomPeptide& custom) {
  if (request.episode < 0) {
    return Error{"[play] episode: expected 0 or more, found " + std::to_string(request.episode)};
  }
  const std::vector<std::string> usual = {"frozen", "plan_gauss_newton", "exact_detours"};
  const auto chosen = benchmark::shown_agents(request.agents.empty() ? usual : request.agents, roster());
  if (!chosen) return Error{chosen.error()};
  const auto episode = episode_request(custom, request);
  if (!episode) return Error{episode.error()};

  const DrawnEpisode drawn = draw_episode(request.seed, request.episode, *episode);
  const Episode& e = drawn.episode;
  PeptideRecording r(request.seed, request.episode);
  r.title = title_of(e), r.summary = caption_of(drawn);
  r.sequence = e.sequence.text();
  record_chain(Chain(e.sequence), r);
  record_plot(e.sequence, r);
  r.contacts.push_back({.at = e.appears, .i = e.first.i, .j = e.first.j, .goal = kContact});
  if (e.second.is_requested())
    r.contacts.push_back({.at = e.changes(), .i = e.second.i, .j = e.second.j, .goal = kContact});
  for (const RosterEntry& entry : *chosen) r.agents.push_back(record_agent(entry, networks, drawn));
  if (std::ranges::none_of(r.agents, [](const PeptideAgent& a) { return a.caption.success; })) {
    r.summary += " None of the agents shown here succeeds.";
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
    last.put(a, agent.steps.back().atoms[static_cast<std::size_t>(a)]);
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
      return Error{"[recording] contacts: expected residues of the chain, found " + std::to_string(c.i) + ", " +
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
