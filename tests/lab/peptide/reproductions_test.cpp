// lab/peptide/reproductions.h
#include "lab/peptide/reproductions.h"

#include <gtest/gtest.h>

namespace elastane::peptide {
namespace {

TEST(PeptideReproductions, EachDeclaresItsOptionsOnACommand) {
  for (const lab::Reproduction& reproduction : reproductions()) {
    command_line::Command command(reproduction.name, reproduction.what);
    EXPECT_NO_THROW(reproduction.declare(command)) << reproduction.name;
    EXPECT_TRUE(reproduction.name.starts_with("peptide_"));
  }
}

}  // namespace
}  // namespace elastane::peptide
