// A map as the latent: what the agent has seen, where it has been, and the value of every cell.
//
//   occupancy   0 free … 1 wall; as the plan expects until the cell is seen
//   trace       number of visits
//   value       u = γ^d with d the length of the path to the goal; 0 where no path is known. It stands for the discounted
//               value V = (1 − u)/(1 − γ) at a cost of 1 per step, on a scale without a largest distance
//
// A selective recurrence with fixed rates updates all three in the cells in view (write). The corrector does the rest: z
// holds the values and the occupancy of the cells in view, and y their errors,
//
//   y_c = u_c − γ max_n u_n      the Bellman residual of every cell; a wall has value 0, the goal 1
//   y_k = o_k                    the occupancy of the cells in view
//
// J is I − γP on the residuals, P the best move of every cell. So the Gauss–Newton step (Metric::native) evaluates the
// policy P: one step of policy iteration, by pointer doubling in O(n log n), with κ = ‖y‖². A cell whose neighbours all
// have value 0 has no best move; its move then leads towards the nearest cell that can reach the goal (choose_policy).
//
// step_locally goes to the end of policy iteration at once, on the cells alone whose values change (map_step.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/corrector/latent_model.h"
#include "lab/maze/environment.h"

namespace elastane::maze {

struct MapOptions {
  double discount = 0.6;  // γ, or more where paths are so long that values would underflow
  double write = 0.9;     // rate at which the occupancy of a cell in view approaches what is seen
};

class MapLatent final : public LatentModel {
 public:
  MapLatent(int width, int height, Moves moves, const MapOptions& options = {});

  void begin(const Grid& plan, Cell goal);     // occupancy and values of the plan
  void write(const Observation& observation);  // the recurrence
  void commit();                               // stores the corrected occupancy of the cells in view
  // Lists the cells whose residual is not 0; to be called with y = g(z) after z was changed from outside. From then on,
  // write looks only at cells whose surroundings it changes.
  void take_stock(std::span<const double> y);
  bool is_stocked() const { return stocked_; }
  double residual_squares() const;  // Σy_c² over the cells, from the unsettled ones
  int unsettled() const { return static_cast<int>(unsettled_.size()); }
  std::span<const double> occupancy_in_view() const { return std::span(z_).subspan(static_cast<std::size_t>(cells_)); }
  void know_loss(double loss) { known_.loss = loss; }  // of z as it stands, for known_point
  std::int64_t begin_macs() const;
  std::int64_t write_macs() const { return 2 * kViewCells; }
  // to be changed from outside; take_stock must follow, or the map is read as a whole
  std::span<double> z() {
    stocked_ = false;
    return z_;
  }
  // for a corrector; take_stock must follow where it accepts a step
  std::span<double> corrected_z() { return z_; }
  std::span<const double> z() const { return z_; }

  // of one cell
  bool has(Cell c) const { return c.x >= 0 && c.y >= 0 && c.x < width_ && c.y < height_; }
  double value(std::span<const double> z, Cell c) const { return z[at(c)]; }
  double value(Cell c) const { return z_[at(c)]; }
  double occupancy(Cell c) const { return occupancy_[at(c)]; }
  double trace(Cell c) const { return trace_[at(c)]; }
  bool is_free(Cell c) const { return free_[at(c)] > 0; }
  bool can_move(Cell from, int move) const;
  double discount(int move) const { return move < 4 ? discount_ : diagonal_discount_; }
  // The largest value that a cell of value 0 could reach by one move when P was last chosen. 0: every cell can reach the
  // goal, or no further cell can
  double frontier_value() const { return frontier_value_; }
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
  bool known_point(const Objective& objective, KnownPoint& known) const override;
  bool has_local_steps() const override { return stocked_; }
  LocalStep step_locally(const Objective& objective) override;
  std::int64_t step_back() override;
  bool solve(const Objective& objective, std::span<const double> y, std::span<const double> gradient,
             std::span<double> v) override;

  // of the last write: prediction error of the view, 1 if the planned move is blocked, 1 if no path is known from here,
  // and the relative loss of value of this cell
  std::span<const double> gate_features() const override { return gate_features_; }

 private:
  // a border of walls surrounds the cells, so that each has all neighbours
  std::size_t at(Cell c) const { return static_cast<std::size_t>((c.y + 1) * stride_ + c.x + 1); }
  void set_free(std::size_t c, bool free);
  int plan_steps() const { return moves_ == Moves::four ? 1 : 8; }
  int farthest_in_moves();
  void set_discount(double discount);
  int best_move(const double* u, std::size_t c) const;  // kStay: all have value 0
  void choose_policy();
  void attach_neighbours(int c);
  void evaluate_policy();
  void plan_distances();
  double residual_of(const double* u, std::size_t c) const;
  void list(std::size_t c, double residual);
  void look_around(std::size_t c);
  // map_step.cpp
  std::size_t after(std::size_t c) const;
  int move_of(std::size_t c) const;
  void look(std::size_t c);
  void choose_all_moves();
  void score_locally(const Objective& objective);
  void gather_affected();
  void touch(std::size_t c);
  bool sidesteps(std::size_t c);
  void seed_affected();
  void relax(std::size_t c);
  void spread();
  double listed_loss(const Objective& objective);

  MapOptions options_;
  int width_, height_, stride_, cells_;  // the last two with the border
  Moves moves_;
  double discount_ = 0, diagonal_discount_ = 0, frontier_value_ = 0;
  std::size_t goal_ = 0;
  std::array<double, 4> gate_features_ = {};
  Cell position_;
  View view_ = {};

  //                                  meaning                                     shape         written by
  std::vector<double> z_;          // values, then occupancy in view              [n + 9]       write, the corrector
  std::vector<double> occupancy_;  //                                             [n]           write, commit
  std::vector<double> trace_;      //                                             [n]           write
  std::vector<double> free_;       // 1 where occupancy is below a half           [n]           write
  std::vector<double> corner_;     // 1 where a diagonal move cuts no corner      [4][n]        write
  std::span<const double> point_;  // where derivatives are taken                 [n + 9]       linearise
  bool has_policy_ = false;        // next_ and rate_ belong to the point                       linearise, choose_policy
  std::vector<int> next_;          // P: the cell that the best move leads to     [n]           choose_policy
  std::vector<double> rate_;       // γ of that move; 0 at walls and the goal     [n]           choose_policy
  std::vector<int> queue_;         // cells whose neighbours are to be attached   [n]           choose_policy
  std::vector<int> steps_;         // moves to the goal, of a plan                [n]           farthest_in_moves
  std::vector<double> policy_value_;  // u of following P                            [n]           evaluate_policy
  int queued_ = 0;
  //                                  the cells that are looked at at rest
  bool stocked_ = false;          // is the list below that of z?
  std::vector<double> residual_;  // y_c                                         [n]           take_stock, write
  std::vector<int> unsettled_;    // cells whose residual is not 0               [≤ n]         take_stock, write
  std::vector<int> listed_at_;    // where a cell is in that list, or −1         [n]           take_stock, write
  std::vector<int> changed_;      // cells that write changed                    [≤ 9]         write
  KnownPoint known_;              // loss: the objective's; the rest: write's
  //                                  a step on a part of the map
  bool has_moves_ = false;         // do the moves below belong to z?
  std::vector<std::int8_t> move_;  // the best move of every cell, or kStay       [n]       begin, write, step_locally
  std::vector<std::uint8_t> touched_;  // 0: it is not on the list below              [n]       step_locally
  std::vector<int> affected_;          // cells whose values may change               [≤ n]     step_locally
  std::vector<double> before_;         // their values before                         [≤ n]     step_locally
  struct Reached {
    double value;
    int cell;
  };
  std::vector<Reached> seeds_, straight_, diagonal_;  // what to spread from, in falling order  step_locally
  std::vector<double> pulled_;            // g, 0 between steps                          [n]       step_locally
  std::vector<double> listed_, weighed_;  // y of the unsettled cells and the view; ∇ℓ   [≤ n + 9] step_locally
  std::array<double, kViewCells> view_before_ = {};
  LocalStep local_;
  int searched_ = 0;  // cells that the search at the start reached
};

}  // namespace elastane::maze
