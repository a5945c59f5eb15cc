// lab/peptide/equivariant_network.h
#include "lab/peptide/equivariant_network.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/peptide/draw_episode.h"
#include "lab/peptide/observation.h"
#include "tests/lab/peptide/conformations.h"

namespace elastane::peptide {
namespace {

std::vector<Tensor> random_weights() {
  std::vector<Tensor> tensors;
  std::uint64_t place = 0;
  for (const TensorSpec& spec : equivariant_specs()) {
    std::size_t count = 1;
    for (const auto side : spec.shape) count *= static_cast<std::size_t>(side);
    Random random(3, ++place << 32U);
    Tensor tensor{spec.name, spec.shape, {}};
    for (std::size_t i = 0; i < count; ++i) tensor.values.push_back(spec.initialise(random, i));
    tensors.push_back(tensor);
  }
  return tensors;
}

Residues some_residues() {
  const Energy energy{chain_of("ACDPGHIKLM")};
  Random random(1);
  std::array<float, kInputs> x;
  EnergyPoint point;
  observe(energy, random_start(energy, random), {1, 8}, point, x);
  return residues_of(x);
}

// about an axis that is not one of the coordinate axes
Vec3 turned(Vec3 r) {
  const Vec3 axis = unit({1, 2, -0.5});
  const double c = std::cos(1.1), s = std::sin(1.1);
  return c * r + s * cross(axis, r) + ((1 - c) * dot(axis, r)) * axis;
}

TEST(EquivariantNetwork, MovesStayTheSameWhenTheChainIsTurnedAndShifted) {
  const EquivariantNetwork network = EquivariantNetwork::create(random_weights(), "a test").value();
  const Residues here = some_residues();
  Residues there = here;
  for (std::size_t i = 0; i < static_cast<std::size_t>(here.count); ++i) {
    there.position[i] = turned(here.position[i]) + Vec3{3, -7, 11};
    for (Vec3& v : there.vectors[i]) v = turned(v);
  }
  std::array<float, kMaxTorsions> y, z;
  network.run(here, y);
  network.run(there, z);
  for (std::size_t t = 0; t < y.size(); ++t) EXPECT_NEAR(y[t], z[t], 1e-4F) << t;
  EXPECT_NE(y[3], 0.0F);
  EXPECT_EQ(y[18], 0.0F) << "a torsion that this chain does not have";
}

TEST(EquivariantNetwork, MovesChangeWhenTheChainIsMirrored) {
  const EquivariantNetwork network = EquivariantNetwork::create(random_weights(), "a test").value();
  const Residues here = some_residues();
  Residues mirrored = here;
  for (std::size_t i = 0; i < static_cast<std::size_t>(here.count); ++i) {
    mirrored.position[i].z *= -1;
    for (Vec3& v : mirrored.vectors[i]) v.z *= -1;
  }
  std::array<float, kMaxTorsions> y, z;
  network.run(here, y);
  network.run(mirrored, z);
  EXPECT_NE(y, z);
}

TEST(EquivariantNetwork, AMissingTensorIsNamed) {
  std::vector<Tensor> tensors = random_weights();
  tensors.erase(tensors.begin());
  const auto result = EquivariantNetwork::create(tensors, "a test");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().find("embed"), std::string::npos) << result.error();
}

TEST(EquivariantNetwork, CostGrowsFasterThanTheChain) {
  const EquivariantNetwork network = EquivariantNetwork::create(random_weights(), "a test").value();
  EXPECT_GT(network.macs(12), network.macs(8) * 12 / 8);
}

}  // namespace
}  // namespace elastane::peptide
