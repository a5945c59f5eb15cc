// Builds a protein: helices and loops in turn. Each loop is drawn several times; of the draws after which the next helix
// does not clash, the one that keeps the protein most compact is used.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lab/protein_chain/contact_limits.h"
#include "lab/protein_chain/ramachandran.h"
#include "lab/protein_loop/energy_terms.h"
#include "lab/protein_loop/protein.h"

namespace elastane::protein_loop {
namespace {

constexpr double kHelixPhi = -63 * std::numbers::pi / 180, kHelixPsi = -42 * std::numbers::pi / 180;
constexpr double kRoom = 0.35;                         // Å beyond the extreme limits, except within a turn of a helix
constexpr int kTurn = 5;                               // residues
constexpr int kTries = 400, kEnough = 6;               // draws of a segment, and of those that fit
constexpr int kPatience = 8;                           // segments that do not fit
constexpr std::string_view kHelixLetters = "AELKRMQ";  // common in helices; loops use any letter
// appends a residue at ψ of the last one and its own φ
void append(Protein& protein, char letter, double psi, double phi) {
  const char letters[] = {protein.residues.back().letter, letter};
  const protein_chain::Chain chain(protein_chain::classified({letters, 2}),
                                   protein_chain::Start::at(protein.residues.back().at));
  protein_chain::Conformation at;
  chain.place(std::array{psi, phi}, at);
  protein.residues.back().o = at.at(chain.index(0, AtomKind::o));
  ProteinResidue next;
  next.letter = letter;
  next.at = {at.at(chain.index(1, AtomKind::n)), at.at(chain.ca(1)), at.at(chain.index(1, AtomKind::c))};
  next.o = at.at(chain.index(1, AtomKind::o));
  next.name = "A " + std::to_string(protein.size() + 1) + " " + std::string(protein_chain::three_letters(letter));
  protein.residues.push_back(next);
}

bool have_room(const Protein& protein, int i, int j) {
  const ProteinResidue &a = protein.residue(i), &b = protein.residue(j);
  const Vec3 between = a.at.ca - b.at.ca;
  if (dot(between, between) > 100) return true;
  const double room = i - j < kTurn ? 0 : kRoom;
  for (const AtomKind k : protein_chain::kAtomKinds) {
    for (const AtomKind l : protein_chain::kAtomKinds) {
      if (!is_scored(k, i, l, j)) continue;
      const Vec3 apart = a.atom(k) - b.atom(l);
      const double least = protein_chain::kExtreme[protein_chain::element_of(k)][protein_chain::element_of(l)] + room;
      if (dot(apart, apart) < least * least) return false;
    }
  }
  return true;
}

// do residues from `first` on keep clear of all before them?
bool has_room(const Protein& protein, int first) {
  for (int i = first; i < protein.size(); ++i) {
    for (int j = 0; j < i; ++j) {
      if (!have_room(protein, i, j)) return false;
    }
  }
  return true;
}

double spread(const Protein& protein) {
  Vec3 middle{};
  for (const ProteinResidue& r : protein.residues) middle += (1.0 / protein.size()) * r.at.ca;
  double sum = 0;
  for (const ProteinResidue& r : protein.residues) sum += dot(r.at.ca - middle, r.at.ca - middle);
  return sum;
}

protein_chain::Pair allowed_pair(protein_chain::Class residue, Random& random) {
  for (;;) {
    const protein_chain::Pair pair = protein_chain::draw(residue, random);
    if (protein_chain::is_allowed(residue, protein_chain::Angle::of(pair.phi), protein_chain::Angle::of(pair.psi)))
      return pair;
  }
}

// letters and torsions of a loop and the helix after it; ψ is that of the residue before
struct Segment {
  std::string letters;
  std::vector<double> psi, phi;
};

Segment draw_segment(const std::string& letters, int loop, Random& random, double& psi) {
  Segment segment{.letters = letters, .psi = {}, .phi = {}};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const bool in_loop = static_cast<int>(i) < loop;
    const char next = i + 1 < letters.size() ? letters[i + 1] : ' ';
    const protein_chain::Pair pair = in_loop ? allowed_pair(protein_chain::class_of(letters[i], next), random)
                                             : protein_chain::Pair{kHelixPhi, kHelixPsi};
    segment.psi.push_back(psi);
    segment.phi.push_back(pair.phi);
    psi = pair.psi;
  }
  return segment;
}

int around(int mean, int spread, Random& random) { return mean - spread + random.below(2 * spread + 1); }

char any_of(std::string_view letters, Random& random) {
  return letters[static_cast<std::size_t>(random.below(static_cast<int>(letters.size())))];
}

// letters of a loop and the helix after it
std::string draw_letters(int loop, const BuiltOptions& options, Random& random) {
  std::string letters;
  for (int i = 0; i < loop; ++i) letters += any_of(protein_chain::kLetters, random);
  for (int i = around(options.helix, 3, random); i > 0; --i) letters += any_of(kHelixLetters, random);
  return letters;
}

// the protein with a loop and a helix more, the most compact of several draws; empty if none fits. psi: of the last
// residue, replaced by that of the new one
Protein extended(const Protein& protein, const std::string& letters, int loop, Random& random, double& psi) {
  Protein best;
  double least = std::numeric_limits<double>::infinity(), best_psi = psi;
  for (int tried = 0, found = 0; tried < kTries && found < kEnough; ++tried) {
    Protein longer = protein;
    double psi_now = psi;
    const Segment segment = draw_segment(letters, loop, random, psi_now);
    for (std::size_t i = 0; i < letters.size(); ++i) append(longer, letters[i], segment.psi[i], segment.phi[i]);
    if (!has_room(longer, protein.size())) continue;
    ++found;
    if (const double size = spread(longer); size < least) least = size, best = std::move(longer), best_psi = psi_now;
  }
  psi = best_psi;
  return best;
}

}  // namespace

Protein build_protein(std::uint64_t seed, const BuiltOptions& options) {
  Random random(seed * 7919 + 13);
  Protein protein{.name = "built " + std::to_string(seed), .residues = {}};
  const protein_chain::Start start = protein_chain::Start::ideal();
  protein.residues.push_back({.at = start.residue, .o = {}, .letter = 'A', .name = "A 1 ALA"});
  double psi = kHelixPsi;
  int failures = 0;
  for (int loop = 0; protein.size() < options.residues; loop = around(options.loop, 2, random)) {
    std::string letters = draw_letters(loop, options, random);
    letters.resize(std::min(letters.size(), static_cast<std::size_t>(options.residues - protein.size())));
    Protein longer = extended(protein, letters, loop, random, psi);
    if (longer.size() == 0) {  // try other letters and lengths; or start over if it has enclosed its own end
      if (++failures == kPatience) return build_protein(random.bits() >> 8U, options);
      continue;
    }
    protein = std::move(longer);
  }
  return protein;
}

}  // namespace elastane::protein_loop
