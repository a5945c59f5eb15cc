// One episode as it can be shown: what the world was, and what each agent saw, planned and did, step by step.
//
// Plain data: worlds fill it, recording_json.h writes it, `elastane play` shows it. All agents have played the same
// episode. Lengths and places are the world's own; times are steps.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::benchmark {

// what a step's correction did; an agent without one leaves it as it is
struct Moment {
  int depth = 0;           // K: micro-steps that were taken
  double radius = 0;       // ρ after the step; 0: there is none
  double loss_before = 0;  // of what was proposed
  double loss_after = 0;   // of what was kept
  bool violation = false;  // the step broke a constraint: contact, clash
};

// for the caption above an agent's panel
struct Caption {
  std::string name;  // as in the benchmark: "frozen", "exact"
  std::string what;  // one line for people
  bool success = false;
  int steps = 0;       // until success; all of them where there was none
  int violations = 0;  // steps
};

struct Place {
  double x = 0, y = 0;
};
struct Round {  // a disc
  Place centre;
  double radius = 0;
};
struct Wall {  // all that is within `half` of a segment
  Place from, to;
  double half = 0;
};

struct NavigationStep {
  Moment moment;
  Place position;            // before the step
  std::vector<Place> plan;   // way-points, in the world; may be empty
  std::vector<double> rays;  // as measured: ray i of n points to the angle 2πi/n from the x axis; NaN: no answer
};

struct NavigationAgent {
  Caption caption;
  std::vector<NavigationStep> steps;
  Place end;  // after the last step
};

// a disc that somebody moves in mid-episode
struct Dragged {
  double radius = 0;
  Place from, to;
  int at = 0;  // the first step that sees it in its new place
};

// something else that happens, for the timeline: "wind rises", "rays fail"
struct Event {
  int at = 0;  // step
  std::string text;
};

struct NavigationRecording {
  std::uint64_t seed = 0;
  int episode = 0;
  std::string title;  // "A crate is dragged onto the way"
  std::string story;  // a sentence or two for strangers

  // the unit square, (0, 0) at the lower left
  int columns = 0;              // of the height field, and rows: samples at the centres of columns × columns cells
  std::vector<double> heights;  // [row][column], row 0 at y = 0
  std::vector<Wall> walls;
  std::vector<Round> discs;  // that stay where they are
  std::optional<Dragged> dragged;
  std::vector<std::vector<Round>> moving;  // [step][disc]; empty if none moves
  std::vector<Event> events;               // beside the dragged disc
  std::vector<Place> wind;                 // [step]: what moves the robot beside its command; empty: the air is still
  Place start, goal;
  double goal_radius = 0.025, body = 0.015, range = 0.35;  // of arrival, of the robot, of the rays

  std::vector<NavigationAgent> agents;
};

using Vector3 = std::array<double, 3>;

struct PeptideStep {
  Moment moment;
  std::vector<Vector3> atoms;                   // Å, in the order of PeptideRecording::atoms; after the step
  std::vector<std::array<double, 2>> torsions;  // φ, ψ of each residue, radians; NaN where there is none
  std::vector<std::array<int, 2>> clashes;      // pairs of atoms that are too near each other
  double distance = 0;                          // of the contact asked for, Å; 0: none is asked for
  double contact = 0, clash = 0, ramachandran = 0, smooth = 0;  // terms of the energy
};

struct PeptideAgent {
  Caption caption;
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

struct PeptideRecording {
  std::uint64_t seed = 0;
  int episode = 0;
  std::string title, story;
  std::string sequence;  // one letter a residue
  std::vector<PeptideAtom> atoms;
  std::vector<std::array<int, 2>> bonds;  // of atoms
  std::vector<PeptideContact> contacts;   // each until the next
  // where residues may be: share of the plot [ψ][φ] from −π to π, 0: not allowed … 1: favoured; may be empty
  int ramachandran_bins = 0;
  std::vector<double> ramachandran;
  std::vector<PeptideAgent> agents;
};

struct MazeCell {
  int x = 0, y = 0;
};

struct MazeStep {
  Moment moment;
  MazeCell position;  // before the step
  // of the way to the goal from every cell, as the agent's map has it after the step; −1: it knows none. Empty: as
  // after the step before, or it has no map
  std::vector<int> lengths;
};

struct MazeAgent {
  Caption caption;
  std::vector<MazeStep> steps;
  MazeCell end;
  std::vector<double>
      heat;  // [row][column]: mean K of a step there, over walks from many places; NaN: nobody was there
};

// a cell that is a wall at one time and free at another, or might have been
struct MazeDoor {
  MazeCell cell;
  bool closed_before = false, closed_after = false;
};

struct MazeRecording {
  std::uint64_t seed = 0;
  int episode = 0;
  std::string title, story;
  int width = 0, height = 0;
  std::vector<int> walls;  // [row][column], row 0 at the top: 1 is a wall before the change
  std::vector<MazeDoor> doors;
  int change_at = -1;  // step from which doors are as after; −1: never
  MazeCell start, goal;
  double shortest = 0;  // way, before the change
  std::vector<MazeAgent> agents;
};

struct LoopStep {
  Moment moment;
  std::vector<Vector3> trace;  // CA of every residue after the step, Å
  double gap = 0;              // where the chain is most broken, Å
};

struct LoopAgent {
  Caption caption;
  std::vector<LoopStep> steps;
};

// a protein with one bent loop, and agents that pass over it
struct LoopRecording {
  std::uint64_t seed = 0;
  int episode = 0;
  std::string title, story;
  std::string sequence;  // one letter a residue
  int loop_first = 0, loop_last = 0;
  int lead = 0;                 // the residue that step 0 is counted for; the next step, the next residue
  std::vector<Vector3> native;  // CA before the loop was bent
  std::vector<LoopAgent> agents;
};

using Recording = std::variant<NavigationRecording, PeptideRecording, MazeRecording, LoopRecording>;

// which episode, and whose way through it
struct RecordingRequest {
  std::uint64_t seed = 1;
  int episode = 0;
  std::vector<std::string> agents;  // as the benchmark names them; none: the world's own choice
};

// every agent has a step, every list the length that it should have
Status validate(const NavigationRecording& recording);
Status validate(const PeptideRecording& recording);
Status validate(const MazeRecording& recording);
Status validate(const LoopRecording& recording);

}  // namespace elastane::benchmark
