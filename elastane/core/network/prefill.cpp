// Real-time code only.
#include "elastane/core/network/prefill.h"

#include <algorithm>
#include <cstring>

#include "elastane/core/backbone/antidiagonals.h"
#include "elastane/core/base/denormals.h"
#include "elastane/core/network/step_parts.h"

namespace elastane {
namespace {

// rows [first, first + count) of the prompt, which are in the workspace together
struct Tile {
  int first, count;
};
template <class F>
void each_tile(int rows, int capacity, F f) {
  for (int first = 0; first < rows; first += capacity) f(Tile{first, std::min(capacity, rows - first)});
}

// a span of rows on its way through the network
struct Span {
  const Network& network;
  const PrefillOptions& options;
  const ElasticOptions& elastic;
  Workspace& ws;
  PrefillWorkspace& pw;
  AdvanceReport& report;
  int rows;     // of this span
  bool choose;  // is the prompt long enough for choosing blocks?
};

// the rows that fit before any window would lose a step that the first of them sees
int room(const Network& network, std::uint64_t position) {
  int rows = 1 << 30;
  for (const Layer& layer : network.layers) {
    if (const auto* block = std::get_if<Attention>(&layer.block)) rows = std::min(rows, block->window().room(position));
  }
  return rows;
}

void encode(const Span& s, std::span<const float> x, std::byte* state) {
  const auto inputs = static_cast<std::size_t>(s.network.config.inputs);
  const std::size_t restored = s.network.config.normaliser.restore.size();
  each_tile(s.rows, kChunkRows, [&](Tile tile) {
    Sample samples[kChunkRows];
    std::byte* states[kChunkRows] = {};
    for (int r = 0; r < tile.count; ++r) {
      samples[r] = {x.subspan(static_cast<std::size_t>(tile.first + r) * inputs, inputs), {}, 1.0F};
      states[r] = state;
    }
    encode_tile(s.network, {samples, static_cast<std::size_t>(tile.count)}, states, s.ws, s.report);
    for (int r = 0; r < tile.count; ++r) {
      const auto to = static_cast<std::size_t>(tile.first + r);
      s.pw.row[to] = s.ws.row[r];
      std::memcpy(s.pw.hidden[tile.first + r], s.ws.hidden[r], sizeof(float) * s.ws.hidden.stride);
      std::copy_n(s.ws.restored + r * restored, restored, s.pw.restored + to * restored);
    }
  });
}

// puts a tile's rows where blocks look for them
void place(const Span& s, Tile tile) {
  for (int r = 0; r < tile.count; ++r) {
    s.ws.row[r] = s.pw.row[tile.first + r];
    for (const SlowPart& part : s.network.layout.slow_parts) s.ws.row[r].slow_log[part.log] = 0;
  }
}

// one attention block over a span
struct Attending {
  const Span& span;
  const Attention& a;
  int query_blocks;

  KeyValueWindow window() const { return a.window(); }
  const Row& row(int r) const { return span.pw.row[r]; }
};

// rows of the i-th query block of the span
Tile rows_of(const Attending& at, int i) {
  const int block = at.a.shape.block, offset = static_cast<int>(at.row(0).position % static_cast<unsigned>(block));
  const int first = i == 0 ? 0 : i * block - offset;
  return {first, std::min((i + 1) * block - offset, at.span.rows) - first};
}

// (query head, query block): the last block first, because it reads most
void run_item(const void* self, int item, int worker) {
  const auto& at = *static_cast<const Attending*>(self);
  const Attention& a = at.a;
  PrefillWorkspace& pw = at.span.pw;
  const FlushDenormals flush;
  const int head = item % a.shape.heads, block = at.query_blocks - 1 - item / a.shape.heads;
  const Tile tile = rows_of(at, block);
  const Row& row = at.row(tile.first);
  const HeadMode mode = mode_of(a, row.dense, head / a.shape.group());
  const bool choose =
      mode == HeadMode::blocks && at.span.choose && row.position % static_cast<unsigned>(a.shape.block) == 0;
  const float* panels = row.ring + at.window().begin;
  KeyBlock* list = pw.list + worker * pw.panels;
  float* work = pw.work + worker * pw.work_floats;
  const ConstRows q = pw.query.slice(tile.first, tile.count);
  int count = list_blocks(at.window(), mode == HeadMode::stream ? mode : HeadMode::full, row.position, list);
  pw.done[item] = {0, 1};
  if (choose) {
    const int groups = a.shape.block / kStride;
    const ChoiceScratch scratch{{pw.scores + worker * pw.score_floats, groups, padded(a.shape.panels() * groups)},
                                reinterpret_cast<Candidate*>(pw.candidates) + worker * pw.panels,
                                work};
    const BlockChoice choice =
        choose_blocks(*at.span.network.k, a.shape, panels, head, q, at.span.options.threshold, scratch, list, count);
    count = choice.count;
    pw.done[item] = {std::int64_t{count} * tile.count, choice.share};
  }
  at.span.network.k->attend_rows(a.shape, panels, list, count, head, q, work,
                                 pw.attended.slice(tile.first, tile.count));
}

// what the items read, counted as steps would count it
void count_reads(const Attending& at, int items, BlockReport& report) {
  const Attention& a = at.a;
  double least = 1;
  for (int item = 0; item < items; ++item) {
    const PrefillArrays::Done& done = at.span.pw.done[item];
    const Tile tile = rows_of(at, at.query_blocks - 1 - item / a.shape.heads);
    const HeadMode mode = mode_of(a, at.row(0).dense, item % a.shape.heads / a.shape.group());
    if (mode == HeadMode::full) report.heads_full += tile.count;
    report.blocks_read += done.blocks;
    least = std::min(least, done.share);
    for (int r = tile.first; done.blocks == 0 && r < tile.first + tile.count; ++r) {
      const HeadMode read = mode == HeadMode::stream ? mode : HeadMode::full;
      report.blocks_read += count_blocks(at.window(), read, at.row(r).position);
    }
  }
  report.left_out = std::max(report.left_out, static_cast<std::int64_t>(1e6 * (1 - least)));
}

// keys and values of all rows are written first; queries are kept
void write_rows(const Attending& at, const Layer& layer, BlockReport& did) {
  const Span& s = at.span;
  each_tile(s.rows, kChunkRows, [&](Tile tile) {
    const Rows u = s.ws.normed.slice(0, tile.count), o = s.ws.readout.slice(0, tile.count);
    place(s, tile);
    apply_norm(s.network, layer.norm, s.pw.hidden.slice(tile.first, tile.count), u);
    const BlockCall call{*s.network.k, s.ws.row, u, s.ws.scratch, o, did};
    project(at.a, call);
    advance(at.a, call, 0, tile.count);
    charge(at.a, call);
    const AttentionScratch scratch(at.a, s.ws.scratch, tile.count);
    for (int r = 0; r < tile.count; ++r) {
      std::memcpy(s.pw.query[tile.first + r], scratch.qkv[r], sizeof(float) * s.pw.query.stride);
      std::memset(s.pw.attended[tile.first + r], 0, sizeof(float) * s.pw.attended.stride);
    }
  });
}

void mix_rows(const Attending& at, const Layer& layer) {
  const Span& s = at.span;
  each_tile(s.rows, kChunkRows, [&](Tile tile) {
    const Rows o = s.ws.readout.slice(0, tile.count), h = s.pw.hidden.slice(tile.first, tile.count);
    s.network.k->linear(at.a.out_proj, nullptr, s.pw.attended.slice(tile.first, tile.count), o);
    mix_in(s.network, layer, o, s.ws.scratch, h);
  });
}

void run_attention(const Span& s, std::size_t index, const Attention& a) {
  const Layer& layer = s.network.layers[index];
  const auto block = static_cast<unsigned>(a.shape.block);
  Attending at{s, a, static_cast<int>(s.pw.row[s.rows - 1].position / block - s.pw.row[0].position / block) + 1};
  BlockReport did;
  write_rows(at, layer, did);
  if (const RoutedBlock routed = s.elastic.of(index).routed; routed.router != nullptr && a.elastic()) {
    decide(a, routed, AttentionScratch(a, s.ws.scratch, kChunkRows), s.pw.row[0].dense);
    did.macs += routed.router->macs();
  }
  const int items = at.query_blocks * a.shape.heads;
  const WorkItem item{run_item, &at};
  if (s.options.runner != nullptr) {
    s.options.runner->run(items, item);
  } else {
    for (int i = 0; i < items; ++i) item(i, 0);
  }
  count_reads(at, items, did);
  if (a.elastic()) did.macs += did.blocks_read * a.block_macs();
  mix_rows(at, layer);
  s.ws.blocks[index] += did;
  s.report.macs += did.macs;
}

void decode(const Span& s, std::span<float> y) {
  const auto outputs = static_cast<std::size_t>(s.network.config.outputs);
  const std::size_t restored = s.network.config.normaliser.restore.size();
  each_tile(s.rows, kChunkRows, [&](Tile tile) {
    std::copy_n(s.pw.restored + tile.first * restored, restored * static_cast<std::size_t>(tile.count), s.ws.restored);
    decode_tile(s.network, s.pw.hidden.slice(tile.first, tile.count), s.ws, s.report);
    for (int r = 0; r < tile.count; ++r) {
      const std::size_t to = static_cast<std::size_t>(tile.first + r) * outputs;
      if (to + outputs <= y.size()) std::memcpy(y.data() + to, s.ws.output[r], sizeof(float) * outputs);
    }
  });
}

void run_span(const Span& s, std::span<const float> x, std::span<float> y, std::byte* state) {
  encode(s, x, state);
  for (std::size_t i = 0; i < s.network.layers.size(); ++i) {
    if (const auto* attention = std::get_if<Attention>(&s.network.layers[i].block)) {
      run_attention(s, i, *attention);
      continue;
    }
    each_tile(s.rows, kChunkRows, [&](Tile tile) {
      place(s, tile);
      run_layer(s.network, i, false, s.pw.hidden.slice(tile.first, tile.count), s.ws, s.elastic, s.report);
    });
  }
  decode(s, y);
}

}  // namespace

int prefill(const Network& network, std::span<const float> x, std::span<float> y, std::byte* state,
            const PrefillOptions& options, const ElasticOptions& elastic, Workspace& ws, PrefillWorkspace& pw,
            AdvanceReport& report) {
  const FlushDenormals flush;
  const auto inputs = static_cast<std::size_t>(network.config.inputs);
  const auto outputs = static_cast<std::size_t>(network.config.outputs);
  const int rows = pw.capacity() > 0 ? static_cast<int>(x.size() / inputs) : 0;
  int last = 0;
  for (int first = 0, n = 0; first < rows; first += n) {
    const StateView view(state, network.layout);
    n = std::min({rows - first, pw.capacity(), room(network, view.header().position)});
    const Span span{network, options, elastic, ws, pw, report, n, rows >= options.least_rows};
    const std::size_t from = static_cast<std::size_t>(first);
    run_span(span, x.subspan(from * inputs), y.size() > from * outputs ? y.subspan(from * outputs) : std::span<float>(),
             state);
    last = (n - 1) % kChunkRows;
  }
  return last;
}

}  // namespace elastane
