#include "lab/protein_loop/repair_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lab/protein_loop/bend.h"
#include "lab/protein_loop/contours.h"
#include "lab/protein_loop/named_loops.h"
#include "lab/protein_loop/pdb.h"
#include "lab/protein_loop/repair.h"

namespace elastane::protein_loop {
namespace {

// of this thread, so that a busy machine does not matter
double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// a loop in its protein
struct Site {
  const NamedLoop& loop;
  Surroundings surroundings;
  Energy energy;
  Torsions native;  // in ideal geometry
  int native_clashes;

  explicit Site(const NamedLoop& named)
      : loop(named), surroundings(named.protein, {}), energy(named.protein, surroundings, named.window) {
    native = idealised(energy, named.protein);
    protein_chain::Conformation at;
    energy.chain().place(native, at);
    native_clashes = energy.clashes(at);
  }
  double rmsd(const Torsions& torsions) const {
    protein_chain::Conformation at;
    energy.chain().place(torsions, at);
    return loop_rmsd(energy, at, loop.protein);
  }
  int outliers(const Torsions& torsions, const Contours& contours) const {
    int count = 0;
    for (int i = 1; i <= loop.window.residues; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const protein_chain::Class residue = energy.chain().sequence().classes[at];
      count += contours.is_outlier(residue, torsions[2 * at - 1], torsions[2 * at]) ? 1 : 0;
    }
    return count;
  }
  Protein with(const Torsions& torsions) const {
    Protein protein = loop.protein;
    protein_chain::Conformation at;
    energy.chain().place(torsions, at);
    place_loop(energy, at, protein);
    return protein;
  }
};

// sums over cases; printed as means
struct Row {
  int count = 0;
  double closed = 0, no_clash_added = 0, nearer = 0, outliers = 0, before = 0, after = 0, steps = 0, milliseconds = 0;

  void add(const Row& other) {
    count += other.count, closed += other.closed, no_clash_added += other.no_clash_added, nearer += other.nearer;
    outliers += other.outliers, before += other.before, after += other.after, steps += other.steps;
    milliseconds += other.milliseconds;
  }
  void print(const std::string& name, int residues) const {
    fmt::print("{:12} {:7.3f} {:9.3f} {:8.3f} {:9.4f} {:8.2f} {:7.2f} {:7.1f} {:7.2f}\n", name, closed / count,
               no_clash_added / count, nearer / count, outliers / count / residues, before / count, after / count,
               steps / count, milliseconds / count);
  }
  nlohmann::ordered_json json(const std::string& name, int residues) const {
    return {{"loop", name},
            {"cases", count},
            {"closed", closed / count},
            {"no_clash_added", no_clash_added / count},
            {"nearer", nearer / count},
            {"outliers", outliers / count / residues},
            {"rmsd_before", before / count},
            {"rmsd_after", after / count},
            {"steps", steps / count},
            {"milliseconds", milliseconds / count}};
  }
};

void write_structures(const RepairTableOptions& options, const Site& site, int number, const Torsions& bent_torsions,
                      const Torsions& repaired) {
  if (options.structures.empty() || number > 0) return;
  std::filesystem::create_directories(options.structures);
  const std::string start = options.structures + "/" + site.loop.name;
  const auto write = [&](const char* what, const Torsions& torsions) {
    std::ofstream(start + "_" + what + ".pdb") << to_pdb(site.with(torsions), site.loop.name + ", " + what);
  };
  write("native", site.native);
  write("bent", bent_torsions);
  write("repaired", repaired);
}

Row repair_cases(const RepairTableOptions& options, const Site& site, std::uint64_t stream,
                 const std::optional<Contours>& contours) {
  Row row;
  LoopRepair repair(site.energy, {.restarts = 8});
  for (int n = 0; n < options.cases; ++n) {
    Random random(options.seed * 1'000'003 + stream, static_cast<std::uint64_t>(n) << 32U);
    const Torsions before = bent(site.energy, site.loop.protein, site.native, random);
    Torsions torsions = before;
    const double begun = cpu_seconds();
    const RepairReport report = repair.run(torsions, random);
    row.milliseconds += 1e3 * (cpu_seconds() - begun);
    const double off_before = site.rmsd(before), off_after = site.rmsd(torsions);
    ++row.count;
    row.closed += report.closed ? 1 : 0;
    row.no_clash_added += report.clashes <= site.native_clashes ? 1 : 0;
    row.nearer += off_after < off_before ? 1 : 0;
    row.outliers += contours ? site.outliers(torsions, *contours) : report.disallowed;
    row.before += off_before, row.after += off_after, row.steps += report.steps;
    write_structures(options, site, n, before, torsions);
  }
  return row;
}

struct RandomRow {
  int starts = 0, closed = 0, clean = 0;
  double least = 1e9, least_clean = 1e9, mean = 0, lowest_energy = 1e9, lowest_rmsd = 0, seconds = 0;
};

// every start counts as a conformer, closed or not; the time includes building the grid
RandomRow random_conformers(const RepairTableOptions& options, const NamedLoop& loop, std::uint64_t stream) {
  const double begun = cpu_seconds();
  const Site site(loop);
  LoopRepair repair(site.energy);
  Random random(options.seed * 1'000'003 + stream, 1ULL << 60U);
  RandomRow row;
  while ((row.seconds = cpu_seconds() - begun) < options.seconds) {
    Torsions torsions = random_torsions(site.energy, random, options.draws);
    const RepairReport report = repair.run(torsions, random);
    ++row.starts;
    if (!report.closed) continue;
    ++row.closed;
    const double off = site.rmsd(torsions);
    row.mean += off;
    row.least = std::min(row.least, off);
    if (report.clashes == 0) ++row.clean, row.least_clean = std::min(row.least_clean, off);
    if (report.energy < row.lowest_energy) row.lowest_energy = report.energy, row.lowest_rmsd = off;
  }
  row.mean /= std::max(1, row.closed);
  return row;
}

nlohmann::ordered_json print_repair(const RepairTableOptions& options, const std::vector<NamedLoop>& loops,
                                    const std::optional<Contours>& contours) {
  fmt::print("repair: a native loop bent until 4 to 8 Å off, {} cases per loop; outliers by {}\n", options.cases,
             contours ? "Top8000" : "our own mixture, because Top8000's grids are missing");
  fmt::print("{:12} {:>7} {:>9} {:>8} {:>9} {:>8} {:>7} {:>7} {:>7}\n", "loop", "closed", "no clash", "nearer",
             "outliers", "Å before", "after", "steps", "ms");
  Row all;
  nlohmann::ordered_json rows;
  for (std::size_t n = 0; n < loops.size(); ++n) {
    const Site site(loops[n]);
    const Row row = repair_cases(options, site, n, contours);
    row.print(loops[n].name, loops[n].window.residues);
    rows.push_back(row.json(loops[n].name, loops[n].window.residues));
    all.add(row);
  }
  all.print("all", 12);
  rows.push_back(all.json("all", 12));
  return rows;
}

// means over loops
struct RandomMeans {
  double starts = 0, closed = 0, clean = 0, least = 0, least_clean = 0, mean = 0, lowest = 0;

  void add(const RandomRow& row) {
    const double of = row.starts;
    closed += row.closed / of, clean += row.clean / of, least += row.least, least_clean += row.least_clean;
    mean += row.mean, lowest += row.lowest_rmsd, starts += of;
  }
  nlohmann::ordered_json print(double count) const {
    fmt::print("{:12} {:7.0f} {:7.3f} {:7.3f} {:9.2f} {:11.2f} {:7.2f} {:8.2f}\n", "mean", starts / count,
               closed / count, clean / count, least / count, least_clean / count, mean / count, lowest / count);
    return {{"loop", "mean"},         {"starts", starts / count},       {"closed", closed / count},
            {"clean", clean / count}, {"least", least / count},         {"least_clean", least_clean / count},
            {"mean", mean / count},   {"lowest_energy", lowest / count}};
  }
};

nlohmann::ordered_json print_row(const std::string& name, const RandomRow& row) {
  const double of = row.starts;
  fmt::print("{:12} {:7} {:7.3f} {:7.3f} {:9.2f} {:11.2f} {:7.2f} {:8.2f}\n", name, row.starts, row.closed / of,
             row.clean / of, row.least, row.least_clean, row.mean, row.lowest_rmsd);
  return {{"loop", name},
          {"starts", row.starts},
          {"closed", row.closed / of},
          {"clean", row.clean / of},
          {"least", row.least},
          {"least_clean", row.least_clean},
          {"mean", row.mean},
          {"lowest_energy", row.lowest_rmsd},
          {"seconds", row.seconds}};
}

nlohmann::ordered_json print_random(const RepairTableOptions& options, const std::vector<NamedLoop>& loops) {
  fmt::print("\nfrom random torsions, {} s per loop; lowest E: RMSD of the conformer with the lowest energy\n",
             options.seconds);
  fmt::print("{:12} {:>7} {:>7} {:>7} {:>9} {:>11} {:>7} {:>8}\n", "loop", "starts", "closed", "clean", "least Å",
             "least clean", "mean", "lowest E");
  RandomMeans means;
  nlohmann::ordered_json rows;
  for (std::size_t n = 0; n < loops.size(); ++n) {
    const RandomRow row = random_conformers(options, loops[n], n);
    rows.push_back(print_row(loops[n].name, row));
    means.add(row);
  }
  rows.push_back(means.print(static_cast<double>(loops.size())));
  return rows;
}

}  // namespace

void print_repair_table(const RepairTableOptions& options) {
  const std::string folder = options.data + "/loops";
  int built = options.built;
  if (built == 0 && !std::filesystem::exists(folder + "/loop_definitions.json")) {
    fmt::print("found no {}: using loops of 22 built proteins instead (set --data or ELASTANE_DATA)\n", folder);
    built = 22;
  }
  const std::vector<NamedLoop> loops =
      built > 0 ? built_loops(built, options.seed) : benchmark_loops(folder, options.shift);
  const std::optional<Contours> contours = Contours::read(options.data + "/ramachandran");
  nlohmann::ordered_json figures;
  figures["repair"] = print_repair(options, loops, contours);
  figures["random"] = print_random(options, loops);
  if (!options.json.empty()) std::ofstream(options.json) << figures.dump(1) << '\n';
}

}  // namespace elastane::protein_loop
