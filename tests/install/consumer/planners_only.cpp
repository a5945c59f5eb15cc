// Uses the planners alone, by their installed headers: no Eigen needed.
#include <elastane/planners/mpc.h>
#include <elastane/planners/rmp_leaves.h>

int main() {
  const double goal[] = {1, 0}, q[] = {0, 0};
  double acceleration[2];
  elastane::planners::RmpFlow flow({}, 2, 2);
  flow.begin(q, q);
  flow.add(elastane::planners::IdentityMap(2), elastane::planners::GoalAttractor(goal));
  const bool resolved = flow.resolve(acceleration);
  return resolved && acceleration[0] > 0 && elastane::planners::validate(elastane::planners::MpcOptions{}) ? 0 : 1;
}
