// lab/protein_loop/structure.h
#include "lab/protein_loop/structure.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "lab/protein_loop/pdb.h"
#include "tests/data.h"

namespace elastane::protein_loop {
namespace {

const Protein& protein() {
  static const Protein built = build_protein(8, {.residues = 40});
  return built;
}

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

// every line in which `part` occurs, left out
std::string without(const std::string& file, const std::string& part) {
  std::string kept;
  for (std::size_t at = 0; at < file.size();) {
    const std::size_t end = file.find('\n', at) + 1;
    if (const std::string line = file.substr(at, end - at); !says(line, part)) kept += line;
    at = end;
  }
  return kept;
}

std::string residue_of(int number) {
  const ProteinResidue& residue = protein().residue(number - 1);
  char text[16];
  std::snprintf(text, sizeof text, "%.3s A%4d", std::string(protein_chain::three_letters(residue.letter)).c_str(),
                number);
  return text;
}

TEST(Structure, AWrittenProteinIsReadAsItWas) {
  const auto read = parse_structure(to_pdb(protein(), "a test"), "test");
  ASSERT_TRUE(read) << read.error();
  ASSERT_EQ(read->size(), protein().size());
  for (int i = 0; i < read->size(); ++i) {
    EXPECT_EQ(read->residue(i).letter, protein().residue(i).letter);
    EXPECT_LT(length(read->residue(i).at.c - protein().residue(i).at.c), 1e-3);
    EXPECT_LT(length(read->residue(i).o - protein().residue(i).o), 1e-3);
  }
}

// the same atoms, as mmCIF has them
std::string to_mmcif(const Protein& protein) {
  std::string text = "data_test\nloop_\n";
  for (const char* column : {"group_PDB", "id", "type_symbol", "label_atom_id", "label_alt_id", "label_comp_id",
                             "label_asym_id", "label_seq_id", "auth_seq_id", "auth_asym_id", "Cartn_x", "Cartn_y",
                             "Cartn_z", "occupancy", "B_iso_or_equiv"}) {
    text += std::string("_atom_site.") + column + "\n";
  }
  int atoms = 0;
  for (int i = 0; i < protein.size(); ++i) {
    const ProteinResidue& residue = protein.residue(i);
    const auto add = [&](const char* atom, Vec3 at) {
      char line[128];
      std::snprintf(line, sizeof line, "ATOM %d %c %s . %s A %d %d A %.3f %.3f %.3f 1 0\n", ++atoms, atom[0], atom,
                    std::string(protein_chain::three_letters(residue.letter)).c_str(), i + 1, i + 1, at.x, at.y, at.z);
      text += line;
    };
    add("N", residue.at.n), add("CA", residue.at.ca), add("C", residue.at.c), add("O", residue.o);
  }
  return text;
}

TEST(Structure, MmcifHasTheSameContents) {
  const auto pdb = parse_structure(to_pdb(protein(), ""), "test"), mmcif = parse_structure(to_mmcif(protein()), "test");
  ASSERT_TRUE(mmcif) << mmcif.error();
  ASSERT_EQ(mmcif->size(), pdb->size());
  for (int i = 0; i < mmcif->size(); ++i) {
    EXPECT_EQ(mmcif->residue(i).name, pdb->residue(i).name);
    EXPECT_LT(length(mmcif->residue(i).at.ca - pdb->residue(i).at.ca), 1e-9);
  }
}

TEST(Structure, RecordsThatAreNotAtomsDoNoHarm) {
  const auto read = parse_structure("LINK         C            CA .\n" + to_pdb(protein(), ""), "test");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->size(), protein().size());
}

TEST(Structure, OldFilesWithLineNumbersAreRead) {
  std::string file;
  const std::string now = to_pdb(protein(), "");
  for (std::size_t at = 0; at < now.size();) {
    const std::size_t end = now.find('\n', at) + 1;
    file += now.substr(at, std::min<std::size_t>(end - at - 1, 66)) + "      1HPV  68\n";
    at = end;
  }
  const auto read = parse_structure(file, "test");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->size(), protein().size());
}

TEST(Structure, ACoordinateThatIsNotFiniteIsNamed) {
  std::string file = to_mmcif(protein());
  const std::size_t line = file.find("ATOM 66 "), x = file.find(" A 17 17 A ", line) + 11;
  file.replace(x, file.find(' ', x) - x, "nan");
  const auto read = parse_structure(file, "test");
  ASSERT_FALSE(read);
  EXPECT_TRUE(says(read.error(), "A 17 ")) << read.error();
  EXPECT_TRUE(says(read.error(), "CA")) << read.error();
}

TEST(Structure, AResidueWithoutAMainChainAtomIsNamed) {
  const auto read = parse_structure(without(to_pdb(protein(), ""), " C   " + residue_of(17)), "test");
  ASSERT_FALSE(read);
  EXPECT_TRUE(says(read.error(), "A 17 ")) << read.error();
  EXPECT_TRUE(says(read.error(), "found no C")) << read.error();
}

TEST(Structure, TheErrorOfABrokenChainNamesTheResidues) {
  const auto read = parse_structure(without(to_pdb(protein(), ""), residue_of(21)), "test");
  ASSERT_FALSE(read);
  EXPECT_TRUE(says(read.error(), "A 20 ")) << read.error();
  EXPECT_TRUE(says(read.error(), "A 22 ")) << read.error();
  EXPECT_TRUE(says(read.error(), "broken")) << read.error();
}

TEST(Structure, AnUnknownResidueIsNamed) {
  std::string file = to_pdb(protein(), "");
  const std::string known = residue_of(9);
  for (std::size_t at = file.find(known); at != std::string::npos; at = file.find(known, at))
    file.replace(at, 3, "XYZ");
  const auto read = parse_structure(file, "test");
  ASSERT_FALSE(read);
  EXPECT_TRUE(says(read.error(), "A 9 XYZ")) << read.error();
}

TEST(Structure, ALoopAtTheChainsEndIsRefusedWithItsResidues) {
  const auto first = find_window(protein(), "1", "12");
  ASSERT_FALSE(first);
  EXPECT_TRUE(says(first.error(), "A 1 ")) << first.error();
  EXPECT_TRUE(says(first.error(), "chain's end")) << first.error();
  EXPECT_FALSE(find_window(protein(), "29", "40"));
  EXPECT_TRUE(find_window(protein(), "28", "39"));
  EXPECT_TRUE(find_window(protein(), "2", "13"));
}

TEST(Structure, ALoopNextToABreakIsRefusedThoughTheRestIsReadable) {
  const auto read = parse_structure(without(to_pdb(protein(), ""), residue_of(21)), "test", {.whole = false});
  ASSERT_TRUE(read) << read.error();
  EXPECT_TRUE(find_window(*read, "4", "13"));
  const auto next = find_window(*read, "12", "20");
  ASSERT_FALSE(next);
  EXPECT_TRUE(says(next.error(), "A 20 ")) << next.error();
}

TEST(Structure, ALoopWithASkippedResidueNamesIt) {
  const auto read = parse_structure(without(to_pdb(protein(), ""), " C   " + residue_of(17)), "test", {.whole = false});
  ASSERT_TRUE(read) << read.error();
  for (const auto& [first, last] : {std::pair("12", "20"), std::pair("17", "25"), std::pair("18", "25")}) {
    const auto window = find_window(*read, first, last);
    ASSERT_FALSE(window) << first;
    EXPECT_TRUE(says(window.error(), "A 17 ")) << window.error();
    EXPECT_TRUE(says(window.error(), "found no C")) << window.error();
  }
}

TEST(Structure, AResidueThatDoesNotExistIsNamed) {
  const auto window = find_window(protein(), "20", "99");
  ASSERT_FALSE(window);
  EXPECT_TRUE(says(window.error(), "residue 99")) << window.error();
  EXPECT_TRUE(says(window.error(), "1 to 40")) << window.error();
}

TEST(Structure, WhatIsNotAStructureIsRefused) {
  EXPECT_FALSE(parse_structure("", "empty"));
  EXPECT_FALSE(parse_structure("hello\nworld\n", "text"));
  const auto packed = parse_structure("\x1f\x8b\x08", "packed");
  ASSERT_FALSE(packed);
  EXPECT_TRUE(says(packed.error(), "gzip")) << packed.error();
  const auto none = read_structure("no/such/file.pdb");
  ASSERT_FALSE(none);
  EXPECT_TRUE(says(none.error(), "no/such/file.pdb")) << none.error();
  EXPECT_FALSE(parse_structure(to_pdb(protein(), ""), "test", {.chain = "Q"}));
}

TEST(Structure, TheBenchmarksProteinsAreRead) {
  const std::string folder = data_folder() + "/loops/reference";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const auto read = read_structure(file.path().string(), {.whole = false});
    EXPECT_TRUE(read) << file.path();
    if (!read) continue;
    EXPECT_GT(read->size(), 60) << file.path();
  }
}

}  // namespace
}  // namespace elastane::protein_loop
