// Writes what fuzzing starts from:   make_corpus GOLDENS FOLDER
// small golden models, their configurations and weights to import in FOLDER/model, snapshots in FOLDER/snapshot, traces
// and their lines in FOLDER/trace, tables in FOLDER/table and FOLDER/run, bytes of lives in FOLDER/correct, forecasters
// and where they stand in FOLDER/forecast, gates and metrics in FOLDER/gate, routers in FOLDER/router, journals of benchmarks in FOLDER/journal,
// sites, maps and structures in folders of those names.
#include <cstdio>
#include <filesystem>

#include "elastane/forecast/forecast_file.h"
#include "elastane/forecast/forecast_snapshot.h"
#include "elastane/io/config_json.h"
#include "elastane/io/file.h"
#include "elastane/io/gate_file.h"
#include "elastane/io/metric_file.h"
#include "elastane/io/model_file.h"
#include "elastane/io/router_file.h"
#include "elastane/io/safetensors.h"
#include "elastane/io/trace.h"
#include "elastane/serve/nats/fleet_worker.h"
#include "elastane/serve/nats/manifest.h"
#include "elastane/serve/record.h"
#include "lab/benchmark/journal.h"
#include "lab/protein_loop/pdb.h"
#include "tests/core/elastic.h"
#include "tests/forecast/small_forecaster.h"
#include "tests/fuzz/corrected_life.h"
#include "tests/fuzz/fixed_stream.h"
#include "tests/io/trace_steps.h"

namespace elastane {
namespace {

void write_traces(const std::filesystem::path& folder) {
  Random random(1);
  for (const int steps : {0, 1, 3}) {
    auto trace = TraceWriter::open(folder / std::to_string(steps), {{"model", "m"}, {"metric", "sketch"}}).value();
    std::string line;
    append_trace_line({}, line);
    for (int i = 0; i < steps; ++i) {
      const TraceStep step = random_step(random);
      trace.write(step.position, step.time, step.report).value();
      append_trace_line(step, line);
    }
    trace.close().value();
    line.pop_back();  // the last line is not finished
    write_file(folder / ("lines" + std::to_string(steps)), std::as_bytes(std::span(line))).value();
  }
}

void write_tables(const std::filesystem::path& folder) {
  const std::string npy = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }\n";
  const std::string tables[] = {
      "time,a,b\r\n0,1,\r\n1,-2.5e3,NA\r\n",
      "unique_id;ds;\"y\n\"\"z\"\"\"\n\"a\nb\";2024-05-01;1\nc;2024-05-01T12:30:00.25+02:00;inf\n",
      "1\t2\n?\t3\n",
      "{\"time\":0,\"a\":1.5,\"b\":null}\n{\"b\":2,\"time\":1}\n{}\n",
      "{\"unique_id\":\"x\",\"t\":1,\"a\":2,\"b\":\"3\"}\n",
      "[1,null,3]\n[4,5,6]\n",
      std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(npy.size()) + '\0' + npy + std::string(8, '\0'),
  };
  for (const std::string& table : tables) {
    write_file(folder / std::to_string(&table - tables), std::as_bytes(std::span(table))).value();
  }
}

void write_runs(const std::filesystem::path& folder) {
  const std::string runs[] = {
      "x,1,2\ny,3,4\nx,,\nx,a,b\n\"x\n\",1,2\n",
      "3060,1,2,t\n3180,1,2,\n3120,3,4,late\n9e9,1,2,\n3240,x,2,\n3240,1,2,\n",
      "{\"b\":1}\n{\"a\":null,\"b\":3}\n{}\n",
      "{\"unique_id\":\"y\",\"t\":3060,\"a\":2,\"b\":3}\n{\"unique_id\":\"x\",\"t\":3120,\"a\":2}\n",
      "time,a,b\n3000,1,2\n3060,3,4\n",
  };
  for (const std::string& run : runs) {
    write_file(folder / ("run" + std::to_string(&run - runs)), std::as_bytes(std::span(run))).value();
  }
}

void write_forecasters(const std::filesystem::path& folder) {
  const SharedForecastModel model = small_forecaster(60);
  save_forecast_model(folder / "model", *model).value();
  Forecaster forecaster(model, {.warm = true});
  ForecastSnapshot s;
  s.fingerprint = forecaster.fingerprint();
  s.rows = 3;
  s.header = {"time,a,b"};
  s.example = {"3000,1,2"};
  SeriesStreamSnapshot& each = s.streams.emplace_back();
  const auto state = [&] { return std::vector<double>(forecaster.state().begin(), forecaster.state().end()); };
  each.late = {.window = 4, .older_tick = forecaster.tick(), .newer_tick = forecaster.tick(), .older = state()};
  each.late.newer = each.late.older;
  for (int t = 0; t < 3; ++t) {
    each.late.rows.push_back({forecaster.tick(), false, small_row(t)});
    forecaster.observe(small_row(t));
  }
  each.state = state();
  each.time = 3120;
  save_forecast_snapshot(folder / "snapshot", s).value();
}

void write_journals(const std::filesystem::path& folder) {
  const benchmark::JournalHeader header{.benchmark = "coins", .weights = 77, .version = "0.1.0", .threads = 2};
  Random random(2);
  std::string text = benchmark::format_header(header);
  for (const int episodes : {1, 2, 4}) {
    benchmark::Block block{.agent = "exact", .settings = "λ 1e-3", .seed = 1};
    for (int e = 0; e < episodes; ++e) {
      block.outcomes.push_back(
          {.world = e, .success = e % 2 == 0, .steps = 60, .regret = random.uniform(), .tallies = {{60, e}}});
      block.latency.add(random.uniform(1, 100));
    }
    text += benchmark::format_block(block).value();
    write_file(folder / std::to_string(episodes), std::as_bytes(std::span(text))).value();
  }
  text.resize(text.size() - 40);  // torn
  write_file(folder / "torn", std::as_bytes(std::span(text))).value();
}

void write_gates(const std::filesystem::path& folder) {
  save_gate(folder / "gate", random_gate(1)).value();
  LearnedGate share = random_gate(2, {.depths = 2, .hidden = 1, .readout = GateReadout::act});
  share.quantiles = {-1, 0, 2};
  save_gate(folder / "share", share).value();
  save_metric(folder / "metric", {.diagonal = {1, 2}, .factor = std::vector<double>(8, 0.5)}).value();
}

void write_routers(const std::filesystem::path& folder) {
  RouterWeights router = random_router(model_of(elastic_config()), 1);
  save_router(folder / "router", router).value();
  router.layers[0] = {};
  save_router(folder / "second_only", router).value();
}

void write_serve(const std::filesystem::path& folder) {
  serve::RowBatch rows{.id = "a", .first = 3, .times = {1, 2}, .values = {1, 2, 3, 4}};
  const serve::ForecastBatch forecasts{
      .id = "a", .forecasts = {{.number = 3, .forecast = {1}, .lower = {0}, .upper = {2}, .report = ",\"depth\":1"}}};
  write_file(folder / "rows", serve::to_bytes(rows)).value();
  write_file(folder / "forecasts", serve::to_bytes(forecasts)).value();
  write_file(folder / "control", serve::to_bytes(serve::Control{.id = "a", .data = "b"})).value();
  for (const std::string_view text : {"/v1/streams/a%2Fb/rows?from=1&limit=2", "reader-0123456789 read,write\n",
                                      "time,a,b\n60,1,2\n", "{\"time\":60,\"a\":1,\"b\":2}\n"}) {
    write_file(folder / std::to_string(text.size()), std::as_bytes(std::span(text))).value();
  }
}

void write_fleet(const std::filesystem::path& folder) {
  serve::Manifest manifest{.rows_floor = 7, .forecasts_last = 9};
  manifest.entries.push_back({.id = "a", .number = 3});
  write_file(folder / "manifest", serve::to_bytes(manifest)).value();
  const std::string texts[] = {serve::beat_text({.name = "a", .partitions = {{.number = 3, .state = "ready"}}}),
                               R"({"stream":"f_ROWS_1","seq":12})", "$JS.ACK.f_ROWS_1.x7Kq.1.4711.12.17.3",
                               R"({"message":{"subject":"f.rows.1.a","seq":3,"data":"aGVsbG8="}})",
                               R"({"error":{"code":404,"err_code":10037}})"};
  for (const std::string& text : texts) {
    write_file(folder / std::to_string(text.size()), std::as_bytes(std::span(text))).value();
  }
}

void write_sites(const std::filesystem::path& folder) {
  const char* const sites[] = {
      R"({"dock": [0.5, 0.5]})",
      R"({"dock": [0.9, 0.5], "start": [0.1, 0.5], "discs": [{"centre": [0.5, 0.5], "radius": 0.1}]})",
      R"({"dock": [0.9, 0.5], "start": [0.1, 0.5], "barriers": [{"from": [0.5, 0], "to": [0.5, 1], "half": 0.01}]})",
      R"({"dock": [0.9, 0.5], "barriers": [{"from": [0.4, 0.2], "to": [0.4, 0.8], "half": 0.012}],
          "hills": [{"centre": [0.2, 0.2], "height": 0.1, "width": 0.15}],
          "drop": {"at": 20, "centre": [0.3, 0.5], "radius": 0.06}})"};
  for (const std::string site : sites) {
    write_file(folder / std::to_string(site.size()), std::as_bytes(std::span(site))).value();
  }
}

void write_maps(const std::filesystem::path& folder) {
  const char* const maps[] = {
      "type octile\nheight 3\nwidth 4\nmap\n....\n.@T.\nG.SO\nversion 1\n0\ta.map\t4\t3\t0\t0\t3\t1\t3.4\n",
      "height 1\nwidth 3\nmap\n.@.\nversion 1\n0 a.map 3 1 0 0 2 0 2\n", "height 2\nwidth 2\nmap\n..\n.x\n"};
  for (const std::string map : maps) {
    write_file(folder / std::to_string(map.size()), std::as_bytes(std::span(map))).value();
  }
}

void write_structures(const std::filesystem::path& folder) {
  const std::string pdb = protein_loop::to_pdb(protein_loop::build_protein(8, {.residues = 9}), "fuzz");
  const std::string mmcif =
      "data_fuzz\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
      "_atom_site.label_alt_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n"
      "_atom_site.auth_seq_id\n_atom_site.auth_asym_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
      "_atom_site.occupancy\n_atom_site.B_iso_or_equiv\n"
      "ATOM 1 N N . ALA A 1 1 A 0.0 0.0 0.0 1 0\nATOM 2 C CA . ALA A 1 1 A 1.46 0.0 0.0 1 0\n"
      "ATOM 3 C C . ALA A 1 1 A 2.0 1.42 0.0 1 0\nATOM 4 O O . ALA A 1 1 A 1.25 2.39 0.0 1 0\n";
  write_file(folder / "pdb", std::as_bytes(std::span(pdb))).value();
  write_file(folder / "mmcif", std::as_bytes(std::span(mmcif))).value();
}

}  // namespace
}  // namespace elastane

int main(int count, char** arguments) {
  using namespace elastane;
  namespace fs = std::filesystem;
  if (count != 3) return std::fprintf(stderr, "usage: make_corpus GOLDENS FOLDER\n"), 2;
  const fs::path models = fs::path(arguments[2]) / "model", snapshots = fs::path(arguments[2]) / "snapshot",
                 traces = fs::path(arguments[2]) / "trace", tables = fs::path(arguments[2]) / "table",
                 lives = fs::path(arguments[2]) / "correct", runs = fs::path(arguments[2]) / "run",
                 forecasters = fs::path(arguments[2]) / "forecast", journals = fs::path(arguments[2]) / "journal",
                 sites = fs::path(arguments[2]) / "site", gates = fs::path(arguments[2]) / "gate",
                 routers = fs::path(arguments[2]) / "router", maps = fs::path(arguments[2]) / "map",
                 structures = fs::path(arguments[2]) / "structure", served = fs::path(arguments[2]) / "serve",
                 fleet = fs::path(arguments[2]) / "fleet";
  for (const fs::path& folder : {models, snapshots, traces, tables, lives, runs, forecasters, journals, sites, gates,
                                 routers, maps, structures, served, fleet})
    fs::create_directories(folder);
  for (const auto& golden : fs::directory_iterator(arguments[1])) {
    const std::string name = golden.path().stem();
    if (name.ends_with(".run") || golden.file_size() > 12'000) continue;
    fs::copy_file(golden.path(), models / (name + ".safetensors"), fs::copy_options::overwrite_existing);
    const std::string config = config_to_json(read_model(golden.path()).value().config);
    write_file(models / (name + ".json"), std::as_bytes(std::span(config))).value();
    // without its configuration it is what another program might have saved
    const auto bare = format_safetensors({}, read_model(golden.path()).value().tensors).value();
    write_file(models / (name + ".import"), bare).value();
  }
  for (const char* name : {"gru_layers.onnx", "lstm_layer.onnx"}) {
    const fs::path from = fs::path(arguments[1]).parent_path() / "imports" / name;
    fs::copy_file(from, models / name, fs::copy_options::overwrite_existing);
  }
  for (const int steps : {0, 1, 5, 17}) {
    save_snapshot(fixed_stream(steps), snapshots / std::to_string(steps)).value();
  }
  write_traces(traces);
  write_tables(tables);
  write_tables(runs);
  write_runs(runs);
  write_forecasters(forecasters);
  write_journals(journals);
  write_sites(sites);
  write_gates(gates);
  write_routers(routers);
  write_maps(maps);
  write_serve(served);
  write_fleet(fleet);
  write_structures(structures);
  for (int seed = 0; seed < 50; ++seed) {
    const std::vector<std::uint8_t> bytes = life_bytes(static_cast<std::uint64_t>(seed));
    write_file(lives / std::to_string(seed), std::as_bytes(std::span(bytes))).value();
  }
}
