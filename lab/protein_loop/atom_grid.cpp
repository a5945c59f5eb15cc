#include "lab/protein_loop/atom_grid.h"

#include <algorithm>
#include <cmath>

namespace elastane::protein_loop {
namespace {

// from a point to the interval [low, low + size]
double outside(double x, double low, double size) { return std::max({low - x, x - low - size, 0.0}); }

}  // namespace

AtomGrid::AtomGrid(const Protein& protein, std::span<const double, 5> reach) {
  std::copy(reach.begin(), reach.end(), reach_.begin());
  rebuild(protein);
}

template <class Visit>
void AtomGrid::visit_cells(const Item& item, Visit visit) const {
  const double reach = reach_[static_cast<std::size_t>(item.kind)];
  const Vec3 from = item.at - corner_;
  const auto low = [&](double x) { return static_cast<int>((x - reach) / kCell); };
  const auto high = [&](double x) { return static_cast<int>((x + reach) / kCell); };
  for (int k = low(from.z); k <= high(from.z); ++k) {
    const double z = outside(from.z, k * kCell, kCell);
    for (int j = low(from.y); j <= high(from.y); ++j) {
      const double y = outside(from.y, j * kCell, kCell);
      for (int i = low(from.x); i <= high(from.x); ++i) {
        const double x = outside(from.x, i * kCell, kCell);
        if (x * x + y * y + z * z < reach * reach) visit(cell(i, j, k));
      }
    }
  }
}

void AtomGrid::rebuild(const Protein& protein) {
  atoms_.clear();
  for (int i = 0; i < protein.size(); ++i) {
    for (const AtomKind kind : {AtomKind::n, AtomKind::ca, AtomKind::cb, AtomKind::c, AtomKind::o}) {
      if (kind == AtomKind::cb && !protein.residue(i).has_cb()) continue;
      if (!(reach_[static_cast<std::size_t>(kind)] > 0)) continue;
      atoms_.push_back({protein.residue(i).atom(kind), kind, i});
    }
  }
  const double margin = *std::max_element(reach_.begin(), reach_.end()) + kCell;
  Vec3 low = protein.residue(0).at.ca, high = low;
  for (const Item& a : atoms_) {
    low = {std::min(low.x, a.at.x), std::min(low.y, a.at.y), std::min(low.z, a.at.z)};
    high = {std::max(high.x, a.at.x), std::max(high.y, a.at.y), std::max(high.z, a.at.z)};
  }
  corner_ = low - Vec3{margin, margin, margin};
  const auto count = [&](double size) { return static_cast<int>((size + 2 * margin) / kCell) + 1; };
  count_ = {count(high.x - low.x), count(high.y - low.y), count(high.z - low.z)};

  // the length of each list, then its end, then its contents
  ends_.assign(static_cast<std::size_t>(cells()) + 1, 0);
  for (const Item& a : atoms_) visit_cells(a, [&](int c) { ++ends_[static_cast<std::size_t>(c) + 1]; });
  for (std::size_t c = 1; c < ends_.size(); ++c) ends_[c] += ends_[c - 1];
  listed_.resize(static_cast<std::size_t>(ends_.back()));
  std::vector<int> next(ends_.begin(), ends_.end() - 1);
  for (const Item& a : atoms_) {
    visit_cells(a, [&](int c) { listed_[static_cast<std::size_t>(next[static_cast<std::size_t>(c)]++)] = a; });
  }
}

std::span<const AtomGrid::Item> AtomGrid::near(Vec3 point) const {
  const Vec3 from = (1 / kCell) * (point - corner_);
  if (!(from.x >= 0 && from.y >= 0 && from.z >= 0 && from.x < count_[0] && from.y < count_[1] && from.z < count_[2])) {
    return {};
  }
  const auto c =
      static_cast<std::size_t>(cell(static_cast<int>(from.x), static_cast<int>(from.y), static_cast<int>(from.z)));
  const auto begin = static_cast<std::size_t>(ends_[c]), end = static_cast<std::size_t>(ends_[c + 1]);
  return std::span(listed_).subspan(begin, end - begin);
}

}  // namespace elastane::protein_loop
