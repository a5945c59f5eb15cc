// A map as a latent: what a walker has seen, how often it was where, and how much every cell is worth.
//
//   occupancy   0 free … 1 wall; what the plan expects, until the cell is seen
//   trace       how often the walker was there
//   value       u = γ^d with d the length of the way to the goal; 0 where none is known. It is the discounted value
//               V = (1 − u)/(1 − γ) of going on at a cost of 1 a step, on a scale that has no largest distance
//
// A selective recurrence with fixed rates writes all three where the walker sees (write). Everything else is left to
// the corrector: z holds the values and the occupancy of the cells in view, and y says what is wrong with them,
//
//   y_c = u_c − γ max_n u_n      the Bellman residual of every cell; walls are worth 0, the goal 1
//   y_k = o_k                    what the view should be like
//
// J is I − γP on the residuals, P the best move of every cell. So the Gauss–Newton step (Metric::native) evaluates the
// policy P: one step of policy iteration, by pointer doubling in O(n log n), with κ = ‖y‖². Where all moves are equally
// hopeless, any of them may be P's; the one is taken that leads back to where there is hope (choose).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/corrector/latent_model.h"
#include "lab/maze/walk.h"

namespace elastane::maze {

struct MapOptions {
  double discount = 0.6;  // γ, or more where ways are so long that it would leave nothing of a value
  double write = 0.9;     // how far the occupancy of a cell in view goes to what is seen
};

class MapLatent final : public LatentModel {
 public:
  MapLatent(int width, int height, Moves moves, const MapOptions& options = {});

  void begin(const Grid& plan, Cell goal);  // knows the plan, and what it makes of it
  void write(const Sight& sight);           // the recurrence
  void commit();                            // what the corrector made of the cells in view
  std::int64_t begin_macs() const { return plan_steps() * cost().solve + cost().read; }  // and the longest way
  std::int64_t write_macs() const { return 2 * kViewCells; }
  std::span<double> z() { return z_; }
  std::span<const double> z() const { return z_; }

  // what is known of a cell
  bool has(Cell c) const { return c.x >= 0 && c.y >= 0 && c.x < width_ && c.y < height_; }
  double value(std::span<const double> z, Cell c) const { return z[at(c)]; }
  double value(Cell c) const { return z_[at(c)]; }
  double occupancy(Cell c) const { return occupancy_[at(c)]; }
  double trace(Cell c) const { return trace_[at(c)]; }
  bool is_free(Cell c) const { return free_[at(c)] > 0; }
  bool can_move(Cell from, int way) const;
  double discount(int way) const { return way < 4 ? discount_ : diagonal_discount_; }
  // The largest value that a cell of no hope could have by one move, when P was last chosen; 0: nobody is without hope,
  // or all are for good
  double new_hope() const { return new_hope_; }
  Moves moves() const { return moves_; }

  int latents() const override { return cells_ + kViewCells; }
  int outputs() const override { return cells_ + kViewCells; }
  LatentCost cost() const override;
  void linearise(std::span<const double> z, std::span<double> y) override;
  void output(std::span<const double> z, std::span<double> y) override;
  void jvp(ConstDoubleRows q, DoubleRows jq) override;
  void vjp(ConstDoubleRows w, DoubleRows jtw) override;
  void second(std::span<const double> q, std::span<double> d2) override;
  void roll_point(DoubleRows y) override { roll(point_, y); }
  void roll_tangent(std::span<const double> v, DoubleRows dy) override;
  void roll(std::span<const double> z, DoubleRows y) override;
  bool solve(const Objective& objective, std::span<const double> y, std::span<const double> gradient,
             std::span<double> v) override;

  // of the last write: how much of the view was not expected, whether the best move turned out to be none, whether
  // there is no hope left here, and by how much this place is worth less than was thought
  std::span<const double> gate_features() const override { return noticed_; }

 private:
  // cells have a border of walls around them, so that every one has neighbours
  std::size_t at(Cell c) const { return static_cast<std::size_t>((c.y + 1) * stride_ + c.x + 1); }
  void set_free(std::size_t c, bool free);
  int plan_steps() const { return moves_ == Moves::four ? 1 : 8; }
  int longest_way();
  void set_discount(double discount);
  int best_move(const double* u, std::size_t c) const;  // kStay: all are worth nothing
  void choose();
  void follow_hope(int c);
  void evaluate();

  MapOptions options_;
  int width_, height_, stride_, cells_;  // the last two with the border
  int doublings_;
  Moves moves_;
  double discount_ = 0, diagonal_discount_ = 0, new_hope_ = 0;
  std::size_t goal_ = 0;
  std::array<double, 4> noticed_ = {};
  Cell position_;
  View view_ = {};

  //                              meaning                                       shape         written by
  std::vector<double> z_;          // values, then occupancy in view              [n + 9]       write, the corrector
  std::vector<double> occupancy_;  //                                             [n]           write, commit
  std::vector<double> trace_;      //                                             [n]           write
  std::vector<double> free_;       // 1 where occupancy is below a half           [n]           write
  std::vector<double> corner_;     // 1 where a diagonal move cuts no corner      [4][n]        write
  std::span<const double> point_;  // where derivatives are taken                 [n + 9]       linearise
  bool chosen_ = false;            // the three below belong to the point                       linearise, choose
  std::vector<int> next_;          // P: the cell that the best move leads to     [n]           choose
  std::vector<double> rate_;       // γ of that move; 0 at walls and the goal     [n]           choose
  std::vector<int> queue_;         // cells whose neighbours may follow them      [n]           choose
  std::vector<int> jump_;          // where so many moves lead                    [n]           solve
  std::vector<double> worth_;      // and what they leave of the worth there      [n]           solve
  int queued_ = 0;
};

}  // namespace elastane::maze
