// Many streams of one forecaster, by id: rows in, forecasts out, the state of each as bytes. No threads, files or sockets.
//
//   elastane::serve::Session session(model, {});
//   const auto fed = session.feed(batch);                   // numbered rows of one stream
//   store(fed.forecasts);                                   // one per row that was new
//   const auto bytes = session.snapshot("pump-7");          // state, buffers for late rows, and the last forecast
//   other_session.restore(*bytes);
//
// A pure function of the rows: budgets are counted, not timed, and forecasts hold no times of a clock. Feeding the same
// rows again, in pieces of any size, with snapshots anywhere in between, gives the same forecasts bit for bit.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/owned.h"
#include "elastane/core/forecast/forecaster.h"
#include "elastane/serve/record.h"

namespace elastane::serve {

struct SessionOptions {
  ForecasterOptions forecaster;  // all but `warm`: streams start cold
  double macs = 0;               // multiply-adds per row for learning; 0: no limit
  std::uint64_t late = 0;        // ticks that a row may be late
  std::size_t most_streams = 10'000;
};

// what a row cost and gave, for counters
struct RowFigures {
  int depth = 0, accepted = 0, labels = 0;
  double micros = NAN;  // on this machine, now; in no record; NaN: another machine made the forecast
  bool drift = false, is_refused = false, is_bad = false;
};

struct Fed {
  enum class Outcome : std::uint8_t {
    fed,       // all rows, or those that were new
    repeated,  // no row was new
    gap,       // rows between the last one and the first of these are missing; nothing changed
    full,      // it would be one stream too many; nothing changed
    misfit,    // rows with another number of channels; nothing changed
  };
  Outcome outcome = Outcome::fed;
  std::vector<ForecastRecord> forecasts;  // of the rows that were new
  std::vector<RowFigures> figures;        // likewise
};

struct StreamsById;  // session.cpp

class Session {
 public:
  // throws if the options of the forecaster are not valid
  Session(SharedForecastModel model, const SessionOptions& options);

  const SharedForecastModel& model() const { return model_; }
  std::size_t channels() const { return model_->names.size(); }
  std::size_t targets() const { return static_cast<std::size_t>(model_->config.targets); }
  std::uint64_t fingerprint() const { return cold_.fingerprint(); }

  Fed feed(const RowBatch& batch);
  std::uint64_t last_row(std::string_view id) const;  // its number; 0: the stream is not known
  // the forecast after the last row; none if the stream is not known
  std::optional<ForecastRecord> forecast(std::string_view id) const;

  std::vector<std::string> ids() const;
  std::size_t size() const;
  bool erase(std::string_view id);  // false: it is not known

  // the state of one stream; none if it is not known
  std::optional<std::vector<std::byte>> snapshot(std::string_view id) const;
  // Starts or replaces the stream that the snapshot is of, and returns its id. Fails, and changes nothing, if the snapshot
  // is damaged or of another model.
  Result<std::string> restore(std::span<const std::byte> snapshot);

  // coverage of the intervals and alarms raised, of one stream
  struct StreamFigures {
    std::uint64_t rows = 0, alarms = 0;
    double coverage = 0;
  };
  std::optional<StreamFigures> figures(std::string_view id) const;

 private:
  SharedForecastModel model_;
  SessionOptions options_;
  Budget budget_;
  Forecaster cold_;  // the start of new streams
  Owned<StreamsById> streams_;
};

}  // namespace elastane::serve
