// scratch: quick trial of repair and random
#include <fmt/format.h>
#include <cstdlib>
#include <ctime>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include "elastane/worlds/protein_loop/bend.h"
#include "elastane/worlds/protein_loop/repair.h"
#include "elastane/worlds/protein_loop/structure.h"
using namespace elastane; using namespace elastane::protein_loop;
static double cpu() { timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static std::string trim(std::string s) { std::string o; for (char c : s) if (c != ' ') o += c; return o; }
static int g_draws = 1; static EnergyOptions g_eo; static bool g_quiet = false;
int main(int argc, char** argv) {
  const std::string data = "/work/shared/data/loops/";
  auto defs = nlohmann::json::parse(std::ifstream(data + "loop_definitions.json"));
  const int cases = argc > 1 ? std::atoi(argv[1]) : 20, conformers = argc > 2 ? std::atoi(argv[2]) : 100;
  RepairOptions ro; const int shift = argc > 3 ? std::atoi(argv[3]) : 0;
  for (int i = 4; i < argc; ++i) { std::string a = argv[i]; auto eq = a.find('='); std::string k = a.substr(0, eq); double v = std::atof(a.c_str() + eq + 1);
    if (k == "damping") ro.damping = v; else if (k == "raising") ro.raising = int(v); else if (k == "ramp") ro.ramp = int(v); else if (k == "first") ro.first_wall = v; else if (k == "closing") ro.closing = int(v);
    else if (k == "nearly") ro.nearly = v; else if (k == "easier") ro.easier = v; else if (k == "harder") ro.harder = v; else if (k == "least") ro.least_damping = v;
    else if (k == "firm") ro.firm = v; else if (k == "firming") ro.firming = int(v); else if (k == "draws") g_draws = int(v); else if (k == "closed") ro.closed = v; else if (k == "settled") ro.settled = v; else if (k == "cw") g_eo.closure_weight = v; else if (k == "ww") g_eo.wall_weight = v; else if (k=="quiet") g_quiet = true; else if (k=="rw") g_eo.ramachandran_weight = v; else std::abort(); }
  double sum_min = 0, sum_closed = 0, sum_clean = 0; int loops = 0; double tot_t = 0;
  int nearer = 0, closed = 0, clash_ok = 0, disallowed = 0, all = 0; double steps = 0, madds = 0, rt = 0, after_sum = 0; 
  for (auto& [id, d] : defs.items()) {
    auto p = read_structure(data + "reference/" + id + ".pdb", trim(d["chainID"]));
    if (!p) { fmt::print("{}\n", p.error()); continue; }
    auto w = find_window(*p, trim(d["StartResidueID"]), trim(d["EndResidueID"]));
    if (!w) { fmt::print("{}\n", w.error()); continue; }
    w->first += shift;
    EnergyOptions eo = g_eo;
    double t0 = cpu();
    AtomGrid grid(*p, reaches(eo));
    Energy energy(*p, grid, *w, eo);
    double tg = cpu() - t0;
    Torsions ideal = idealised(energy, *p);
    EnergyPoint pt; energy.evaluate(ideal, {}, pt);
    double omega = 180; for (int i = 0; i <= 12; ++i) { auto& a = p->residue(w->first - 1 + i).at; auto& b = p->residue(w->first + i).at; omega = std::min(omega, std::fabs(backbone::torsion(a.ca, a.c, b.n, b.ca)) * 57.3); }
    const int native_clash = energy.clashes(pt.conformation), native_dis = energy.disallowed(ideal);
    if (!g_quiet) fmt::print("{} {} ideal rmsd {:.2f} gap {:.3f} E: clos {:.1f} wall {:.1f} bond {:.1f} cont {:.1f} rama {:.1f} clash {} dis {} omega {:.0f} grid {:.1f}ms walls {} pairs {} ", id, p->size(), loop_rmsd(energy, pt.conformation, *p), pt.gap_length(), pt.terms.closure, pt.terms.wall, pt.terms.bond, pt.terms.contact, pt.terms.ramachandran, native_clash, native_dis, omega, tg*1e3, pt.walls_count, pt.pairs);
    Random random(7, std::uint64_t(loops) << 40);
    { RepairOptions r2 = ro; r2.restarts = 8; LoopRepair repair(energy, r2);
    double t1 = cpu();
    for (int c = 0; c < cases; ++c) {
      Torsions z = bent(energy, *p, ideal, random); 
      energy.chain().place(z, pt.conformation); double before = loop_rmsd(energy, pt.conformation, *p);
      auto rep = repair.run(z, random);
      energy.chain().place(z, pt.conformation); double after = loop_rmsd(energy, pt.conformation, *p);
      nearer += after < before; closed += rep.closed; clash_ok += rep.clashes <= native_clash; disallowed += rep.disallowed; ++all; steps += rep.steps; madds += rep.madds; after_sum += after;
    }
    rt += cpu() - t1; }
    LoopRepair repair(energy, ro); double best = 99; int ok = 0, clean = 0; double e = 0; double t2 = cpu(); long st = 0;
    for (int c = 0; c < conformers; ++c) {
      Torsions z = drawn(energy, random); { double least = 1e9; Torsions pick = z; for (int dd = 0; dd < g_draws; ++dd) { Torsions q = dd ? drawn(energy, random) : z; energy.evaluate(q, {.wall = 0}, pt); double g = pt.terms.closure; if (g < least) least = g, pick = q; } z = pick; }
      auto rep = repair.run(z, random); st += rep.steps;
      if (!rep.closed) continue;
      ++ok; clean += rep.clashes == 0; energy.chain().place(z, pt.conformation); double r = loop_rmsd(energy, pt.conformation, *p); best = std::min(best, r); e += r;
    }
    double dt = cpu() - t2; tot_t += dt; 
    if (!g_quiet) fmt::print("| random: closed {:.2f} min {:.2f} mean {:.2f} steps {:.1f} {:.2f} s\n", 1.0 * ok / std::max(1,conformers), best, e / std::max(1,ok), 1.0 * st / std::max(1,conformers), dt);
    sum_min += best; sum_clean += 1.0 * clean / std::max(1,conformers); sum_closed += 1.0 * ok / std::max(1,conformers); ++loops;
  }
  fmt::print("repair: closed {:.3f} clash ok {:.3f} nearer {:.3f} disallowed {:.4f} rmsd {:.2f} steps {:.1f} {:.2f} ms\n", 1.0*closed/all, 1.0*clash_ok/all, 1.0*nearer/all, disallowed/(12.0*all), after_sum/all, steps/all, 1e3*rt/all);
  fmt::print("random: clean {:.3f} closed {:.3f} min {:.2f} time a loop {:.2f} s\n", sum_clean/loops, sum_closed/loops, sum_min/loops, tot_t/loops);
}
