// lab/protein_chain/pdb.h
#include "lab/protein_chain/pdb.h"

#include <gtest/gtest.h>

#include <sstream>

namespace elastane::protein_chain {
namespace {

std::string file_of(std::string_view letters) {
  PdbWriter writer("TEST", "a title");
  double x = 0;
  for (const char letter : letters)
    writer.add_residue(
        letter,
        [&](AtomKind) {
          return Vec3{x += 1, -2.5, 100};
        },
        7.5);
  return writer.finish();
}

TEST(PdbWriter, EveryLineHasEightyColumns) {
  std::istringstream lines(file_of("AGW"));
  for (std::string line; std::getline(lines, line);) EXPECT_EQ(line.size(), 80U) << line;
}

TEST(PdbWriter, GlycineHasFourAtomsAndNumbersRunFromOne) {
  const std::string file = file_of("AG");
  EXPECT_NE(file.find("ATOM      1  N   ALA A   1       1.000  -2.500 100.000  1.00  7.50"), std::string::npos) << file;
  EXPECT_NE(file.find("ATOM      9  O   GLY A   2"), std::string::npos) << file;
  EXPECT_EQ(file.find("CB  GLY"), std::string::npos);
  EXPECT_NE(file.find("TER      10      GLY A   2"), std::string::npos) << file;
}

}  // namespace
}  // namespace elastane::protein_chain
