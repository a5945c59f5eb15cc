// A recorded episode of a peptide: the chain, and how each agent moved it, for the page and the figure.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "lab/benchmark/recording.h"
#include "lab/peptide/roster.h"

namespace elastane::peptide {

struct PeptideStep {
  benchmark::Moment moment;
  std::vector<Vec3> atoms;                      // Å, in the order of PeptideRecording::atoms; after the step
  std::vector<std::array<double, 2>> torsions;  // φ, ψ of each residue, radians; NaN where there is none
  std::vector<std::array<int, 2>> clashes;      // pairs of atoms that clash
  double distance = 0;                          // of the requested contact, Å; 0: none is requested
  double contact = 0, clash = 0, ramachandran = 0, smooth = 0;  // terms of the energy
};

struct PeptideAgent {
  benchmark::Caption caption;
  std::vector<PeptideStep> steps;
};

struct PeptideAtom {
  char element = 'C';  // C, N, O
  std::string name;    // "N", "CA", "CB", "C", "O"
  int residue = 0;
};

// residues that should be near each other, from a step on
struct PeptideContact {
  int at = 0;  // step
  int i = 0, j = 0;
  double goal = 6;  // Å between their CA atoms
};

struct PeptideRecording final : benchmark::Recording {
  using Recording::Recording;
  std::vector<benchmark::Caption> captions() const override { return benchmark::captions_of(agents); }
  Status validate() const override;
  std::string json() const override;
  std::vector<std::string> scripts() const override { return {"superpose", "chain", "torsion_plot", "peptide"}; }
  std::string figure() const override;

  std::string sequence;  // one letter per residue
  std::vector<PeptideAtom> atoms;
  std::vector<std::array<int, 2>> bonds;  // of atoms
  std::vector<PeptideContact> contacts;   // each until the next
  // Ramachandran plot [ψ][φ] from −π to π: 0 not allowed … 1 favoured; may be empty
  int ramachandran_bins = 0;
  std::vector<double> ramachandran;
  std::vector<PeptideAgent> agents;
};

// the user's own sequence or contact, as typed
struct CustomPeptide {
  std::string sequence = {};                       // one letter per residue; empty: the episode's own
  std::optional<std::array<int, 2>> contact = {};  // residues from 1, as in PDB files; without: the episode's two
};

// the same for equal arguments
Result<PeptideRecording> record(const Networks& networks, const benchmark::RecordingRequest& request,
                                const CustomPeptide& custom = {});

// the chain as the last agent left it, as a PDB file
Result<std::string> last_structure(const PeptideRecording& recording);

}  // namespace elastane::peptide
