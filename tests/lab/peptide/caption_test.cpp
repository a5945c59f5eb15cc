// lab/peptide/caption.h
#include "lab/peptide/caption.h"

#include <gtest/gtest.h>

namespace elastane::peptide {
namespace {

TEST(Caption, NamesResiduesAsPdbFilesDo) {
  DrawnEpisode drawn;
  drawn.episode.sequence = parse_sequence("ACDEFGHIKL").value();
  drawn.episode.first = {1, 6};
  EXPECT_EQ(title_of(drawn.episode), "C2 and H7 of ACDEFGHIKL are to meet");
  EXPECT_NE(caption_of(drawn).find("residues C2 and H7 should be within 6 Å"), std::string::npos);
  EXPECT_EQ(caption_of(drawn).find("The expert"), std::string::npos);
}

TEST(Caption, MentionsASecondContactAndAnEpisodeWithoutSolution) {
  DrawnEpisode drawn;
  drawn.episode.sequence = parse_sequence("ACDEFGHIKL").value();
  drawn.episode.first = {1, 6}, drawn.episode.second = {0, 9};
  drawn.feasible = false;
  EXPECT_EQ(title_of(drawn.episode), "Two contacts for ACDEFGHIKL, one after the other");
  EXPECT_NE(caption_of(drawn).find("A1 and L10 instead"), std::string::npos);
  EXPECT_NE(caption_of(drawn).find("The expert found no solution"), std::string::npos);
}

}  // namespace
}  // namespace elastane::peptide
