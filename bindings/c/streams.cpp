// Models and streams.
#include "bindings/c/objectives.h"

using elastane::Budget;
using elastane::StepReport;
using namespace elastane::c;

namespace {

elastane::Result<elastane::StreamOptions> options_of(const elastane_stream_options& o) {
  elastane::StreamOptions options{.history = o.history};
  if (o.history < 0) return elastane::Error{"[stream] history: expected at least 0"};
  if (o.noise > 0) options.noise = {static_cast<float>(o.noise)};
  if (o.corrects == 0) return options;
  ELASTANE_TRY_ASSIGN(const elastane::Metric metric, elastane::parse_metric(o.metric == nullptr ? "" : o.metric));
  if (o.gate < ELASTANE_GATE_NEVER || o.gate > ELASTANE_GATE_GAIN) return elastane::Error{"[stream] gate: unknown"};
  elastane::CorrectorOptions corrector;
  corrector.metric.kind = metric;
  corrector.metric.damping = o.damping;
  corrector.metric.rank = o.rank;
  corrector.metric.process_noise = o.process_noise;
  corrector.trust.radius = o.radius;
  corrector.trust.horizon = o.horizon;
  corrector.gate.kind = static_cast<elastane::Gate>(o.gate);
  corrector.gate.depth = o.depth;
  corrector.gate.price = o.price;
  options.corrector = corrector;
  return options;
}

std::size_t inputs_of(const elastane_stream* s) { return elastane::as_size(s->stream.model().inputs()); }
std::size_t outputs_of(const elastane_stream* s) { return elastane::as_size(s->stream.model().outputs()); }

}  // namespace

// --- models

elastane_status elastane_model_load(const char* path, elastane_model** model) {
  if (path == nullptr || model == nullptr) return refuse("[model] expected a path and where to put the model");
  *model = nullptr;
  return guarded([&] {
    auto loaded = elastane::Model::load(path);
    if (!loaded) return fail(ELASTANE_BAD_FILE, loaded.error());
    *model = new elastane_model{.model = *std::move(loaded)};
    return ELASTANE_OK;
  });
}

void elastane_model_free(elastane_model* model) { free_handle(model); }
int32_t elastane_model_inputs(const elastane_model* m) { return is_valid(m) ? m->model.inputs() : 0; }
int32_t elastane_model_outputs(const elastane_model* m) { return is_valid(m) ? m->model.outputs() : 0; }
const char* elastane_model_isa(const elastane_model* m) { return is_valid(m) ? name(m->model.isa()).data() : ""; }

// --- streams

elastane_status elastane_stream_create(const elastane_model* model, const elastane_stream_options* given,
                                       elastane_stream** stream) {
  elastane_stream_options o = ELASTANE_STREAM_OPTIONS;
  if (!is_valid(model) || stream == nullptr || !read_struct(given, o)) {
    return refuse("[stream] expected a model, options with their size, and where to put the stream");
  }
  *stream = nullptr;
  return guarded([&] {
    const auto options = options_of(o);
    if (!options) return fail(ELASTANE_BAD_OPTIONS, options.error());
    auto made = elastane::Stream::create(model->model, *options);
    if (!made) return fail(ELASTANE_BAD_OPTIONS, made.error());
    *stream = new elastane_stream{.stream = *std::move(made)};
    return ELASTANE_OK;
  });
}

elastane_status elastane_stream_clone(const elastane_stream* stream, elastane_stream** fork) {
  if (!is_valid(stream) || fork == nullptr) return refuse("[stream] expected a stream, and where to put its fork");
  *fork = nullptr;
  return guarded([&] { return *fork = new elastane_stream(*stream), ELASTANE_OK; });
}

void elastane_stream_free(elastane_stream* stream) { free_handle(stream); }

elastane_status elastane_stream_advance(elastane_stream* s, const float* x, size_t inputs, const uint8_t* present,
                                        float dt, elastane_advance_report* report) {
  if (!is_valid(s) || x == nullptr || inputs != inputs_of(s) || !is_writable(report)) {
    return refuse("[advance] expected a stream and one value per input");
  }
  const std::span<const std::uint8_t> there(present, present == nullptr ? 0 : inputs);
  write_report(s->stream.advance({x, inputs}, there, dt), report);
  return ELASTANE_OK;
}

elastane_status elastane_stream_anticipate(elastane_stream* s) {
  if (!is_valid(s)) return refuse("[anticipate] expected a stream");
  s->stream.anticipate();
  return ELASTANE_OK;
}

elastane_status elastane_stream_correct(elastane_stream* s, const elastane_objective* objective,
                                        const elastane_budget* budget, elastane_step_report* report) {
  Budget limit;
  if (!is_valid(s) || !read_budget(budget, limit) || !is_writable(report)) {
    return refuse("[correct] expected a stream, and a budget and a report with their sizes");
  }
  return guarded([&] {
    return with_objective(objective, outputs_of(s),
                          [&](const auto& o) { write_report(s->stream.correct(o, limit), report); });
  });
}

elastane_status elastane_stream_step(elastane_stream* s, const float* x, size_t inputs,
                                     const elastane_objective* objective, const elastane_budget* budget,
                                     elastane_step_report* report) {
  Budget limit;
  if (!is_valid(s) || x == nullptr || inputs != inputs_of(s) || !read_budget(budget, limit) || !is_writable(report)) {
    return refuse("[step] expected a stream, one value per input, and a budget and a report with their sizes");
  }
  return guarded([&] {
    return with_objective(objective, outputs_of(s), [&](const auto& o) {
      write_report(s->stream.step({x, inputs}, o, limit), report);
    });
  });
}

elastane_status elastane_stream_observe(elastane_stream* s, const float* label, size_t outputs, uint64_t position,
                                        const elastane_budget* budget, elastane_step_report* report) {
  Budget limit;
  if (!is_valid(s) || label == nullptr || outputs != outputs_of(s) || !read_budget(budget, limit) ||
      !is_writable(report)) {
    return refuse("[observe] expected a stream, one label per output, and a budget and a report with their sizes");
  }
  write_report(s->stream.observe({label, outputs}, position, limit), report);
  return ELASTANE_OK;
}

const float* elastane_stream_output(const elastane_stream* s, size_t* outputs) {
  if (outputs != nullptr) *outputs = is_valid(s) ? s->stream.output().size() : 0;
  return is_valid(s) ? s->stream.output().data() : nullptr;
}

uint64_t elastane_stream_position(const elastane_stream* s) { return is_valid(s) ? s->stream.position() : 0; }

elastane_status elastane_stream_rewind(elastane_stream* s, int32_t steps) {
  if (!is_valid(s)) return refuse("[rewind] expected a stream");
  return guarded([&] {
    const auto done = s->stream.rewind(steps);
    return done ? ELASTANE_OK : fail(ELASTANE_NO_HISTORY, done.error());
  });
}

elastane_status elastane_stream_reset(elastane_stream* s) {
  if (!is_valid(s)) return refuse("[reset] expected a stream");
  s->stream.reset();
  return ELASTANE_OK;
}

elastane_status elastane_stream_snapshot(const elastane_stream* s, void* bytes, size_t capacity, size_t* needed) {
  if (!is_valid(s)) return refuse("[snapshot] expected a stream");
  return guarded([&] {
    return write_bytes(bytes, capacity, needed, s->stream.snapshot_bytes(), [&](std::span<std::byte> to) {
      const auto done = s->stream.snapshot(to);
      return done ? ELASTANE_OK : fail(ELASTANE_INTERNAL, done.error());
    });
  });
}

elastane_status elastane_stream_restore(elastane_stream* s, const void* bytes, size_t count) {
  if (!is_valid(s) || bytes == nullptr) return refuse("[snapshot] expected a stream and bytes");
  return guarded([&] {
    const auto done = s->stream.restore(bytes_of(bytes, count));
    return done ? ELASTANE_OK : fail(ELASTANE_BAD_SNAPSHOT, done.error());
  });
}
