// The atoms of a protein near a point: every cell of a grid lists the atoms that may be near a point inside it.
#pragma once

#include <span>
#include <vector>

#include "lab/protein_loop/protein.h"

namespace elastane::protein_loop {

class AtomGrid {
 public:
  struct Item {
    Vec3 at;
    AtomKind kind;
    int residue;
  };

  // reach: how far from an atom of each kind a point still counts as near, Å; 0 leaves such atoms out
  AtomGrid(const Protein& protein, std::span<const double, 5> reach);

  // for a protein of the same or another shape; allocates nothing if the last one was as large
  void rebuild(const Protein& protein);

  std::span<const Item> near(Vec3 point) const;

 private:
  static constexpr double kCell = 2.0;  // Å

  int cells() const { return count_[0] * count_[1] * count_[2]; }
  int cell(int i, int j, int k) const { return (k * count_[1] + j) * count_[0] + i; }
  template <class Visit>
  void visit_cells(const Item& item, Visit visit) const;

  std::array<double, 5> reach_;
  Vec3 corner_;
  std::array<int, 3> count_ = {};
  std::vector<Item> atoms_;   // of the protein
  std::vector<int> ends_;     // of every cell's list                 [cells + 1]
  std::vector<Item> listed_;  // all lists, one after another: a copy of an atom for each cell that it is near
};

}  // namespace elastane::protein_loop
