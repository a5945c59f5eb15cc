// lab/peptide/recording.h
#include "lab/peptide/recording.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/peptide/draw_episode.h"
#include "tests/paths.h"

namespace elastane::peptide {
namespace {

const Networks& shipped() {
  static const Networks networks = load_networks(ELASTANE_MODELS).value();
  return networks;
}

TEST(PeptideRecording, EqualRequestsGiveEqualPages) {
  const benchmark::RecordingRequest request{.seed = 21, .episode = 4, .agents = {"exact", "gauss_newton_alone"}};
  EXPECT_EQ(record(shipped(), request).value().json(), record(shipped(), request).value().json());
}

TEST(PeptideRecording, EveryStepIsThereAndAllIsFinite) {
  const PeptideRecording r = record(shipped(), {.seed = 22, .episode = 1, .agents = {}}).value();
  EXPECT_TRUE(r.validate());
  ASSERT_EQ(r.agents.size(), 3U);
  ASSERT_EQ(r.contacts.size(), 2U);
  const auto steps = static_cast<std::size_t>(r.contacts[1].at + kWindow);
  for (const PeptideAgent& agent : r.agents) {
    ASSERT_EQ(agent.steps.size(), steps);
    int clashing = 0;
    for (const PeptideStep& s : agent.steps) {
      for (const Vec3& at : s.atoms) EXPECT_TRUE(std::isfinite(at.x) && std::isfinite(at.y) && std::isfinite(at.z));
      for (std::size_t i = 0; i < s.torsions.size(); ++i) {
        EXPECT_EQ(std::isfinite(s.torsions[i][0]), i > 0);
        EXPECT_EQ(std::isfinite(s.torsions[i][1]), i + 1 < s.torsions.size());
      }
      for (const double term : {s.distance, s.contact, s.clash, s.ramachandran, s.smooth}) EXPECT_GE(term, 0);
      EXPECT_LE(s.moment.loss_after, s.moment.loss_before + 1e-6) << "a correction never makes it worse";
      EXPECT_EQ(s.moment.violation, !s.clashes.empty());
      clashing += s.moment.violation ? 1 : 0;
    }
    EXPECT_LE(agent.caption.violations, clashing);
    EXPECT_LE(agent.caption.steps, kLimit);
  }
  for (const double share : r.ramachandran) EXPECT_TRUE(share >= 0 && share <= 1);
  EXPECT_LT(r.json().size(), 2'000'000U);
}

TEST(PeptideRecording, BondsHaveTheLengthOfBonds) {
  const PeptideRecording r = record(shipped(), {.seed = 3, .episode = 2, .agents = {"frozen"}}).value();
  EXPECT_EQ(r.bonds.size() + 1, r.atoms.size()) << "a tree";
  const auto& atoms = r.agents[0].steps.back().atoms;
  for (const auto& [a, b] : r.bonds) {
    const double apart = length(atoms[static_cast<std::size_t>(a)] - atoms[static_cast<std::size_t>(b)]);
    EXPECT_TRUE(apart > 1.2 && apart < 1.6) << a << ", " << b << ": " << apart;
  }
}

TEST(PeptideRecording, ACustomEpisodeHasTheCustomContactAlone) {
  const benchmark::RecordingRequest request{.seed = 1, .episode = 0, .agents = {"frozen", "oracle"}};
  const PeptideRecording r = record(shipped(), request, {.sequence = "ACDEFGHIK", .contact = {{7, 2}}}).value();
  EXPECT_EQ(r.sequence, "ACDEFGHIK");
  ASSERT_EQ(r.contacts.size(), 1U);
  EXPECT_EQ(r.contacts[0].i, 1);
  EXPECT_EQ(r.contacts[0].j, 6);
  EXPECT_EQ(r.agents[0].steps.size(), static_cast<std::size_t>(r.contacts[0].at + kWindow));
  EXPECT_TRUE(r.agents[1].caption.success);
  EXPECT_LE(r.agents[1].caption.steps, kWindow);
  EXPECT_NE(last_structure(r).value().find("ATOM"), std::string::npos);
}

TEST(PeptideRecording, ACustomSequenceAloneKeepsTheDrawnContacts) {
  const PeptideRecording r =
      record(shipped(), {.seed = 1, .episode = 0, .agents = {"frozen"}}, {.sequence = "GGGGGGGGGGGG"}).value();
  EXPECT_EQ(r.contacts.size(), 2U);
  EXPECT_EQ(r.atoms.size(), 48U);
}

TEST(PeptideRecording, WhatCannotBePlayedIsRefused) {
  const benchmark::RecordingRequest request{.seed = 1, .episode = 0, .agents = {"frozen"}};
  const auto expect_named = [&](const benchmark::RecordingRequest& asked, const CustomPeptide& custom,
                                const char* name) {
    const auto r = record(shipped(), asked, custom);
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().find(name), std::string::npos) << r.error();
  };
  expect_named({.agents = {"unknown"}}, {}, "[agents] unknown: expected some of ");
  expect_named({.agents = std::vector<std::string>(9, "frozen")}, {}, "at most 8");
  expect_named({.episode = -1}, {}, "episode");
  expect_named(request, {.sequence = "ACDEFGHIZ"}, "residue 9");
  expect_named(request, {.sequence = "ACDEFGHIK", .contact = {{0, 5}}}, "found 0 and 5");
  expect_named(request, {.sequence = "ACDEFGHIK", .contact = {{5, 5}}}, "found 5 and 5");
  expect_named(request, {.contact = {{1, 1000}}}, "found 1 and 1000");
}

}  // namespace
}  // namespace elastane::peptide
