// Rows that a front accepted, on its disk until their forecasts are stored and a while longer: a broker that lost rows it had
// acknowledged, by a loss of power, gets them again.
//
//   FOLDER/spool-000001.log, …   rows in the order in which they came; the last file grows, the others are removed in time
//
// The last row of every stream stays, so that numbers continue after years of silence.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "elastane/serve/append_log.h"
#include "elastane/serve/record.h"

namespace elastane::serve {

struct RowSpoolOptions {
  std::uint64_t file_bytes = 256 << 20;  // then another file is begun
  double keep_seconds = 86400;           // after all its rows were seen to have forecasts that are stored
};

class RowSpool {
 public:
  static Result<RowSpool> open(const std::string& folder, const RowSpoolOptions& options = {});

  void append(const RowBatch& rows);
  // What was appended is on the disk. After a failure it may be there, and be there again once it was appended again.
  Status commit();

  using Each = std::function<Status(RowBatch rows)>;
  Status read(const Each& each) const;
  // rows of one stream from this number up to that one, without those that are not kept, in batches as they came
  Result<std::vector<RowBatch>> rows(const std::string& id, std::uint64_t first, std::uint64_t last) const;

  // removes files that are old enough; `confirmed`: the number of the last row of a stream whose forecast is stored
  Status remove_old(const std::function<std::uint64_t(const std::string&)>& confirmed);
  std::size_t files() const { return files_.size(); }

 private:
  struct Range {
    std::uint64_t first = UINT64_MAX, last = 0;  // rows; last 0: none
  };
  struct File {
    std::uint64_t number;
    AppendLog log;
    std::vector<Range> ranges;  // by the index of the stream; those beyond the end have none
    std::optional<std::chrono::steady_clock::time_point> confirmed;  // since when all its rows are
    void add(std::size_t stream, const Range& rows);
    Range range(std::size_t stream) const { return stream < ranges.size() ? ranges[stream] : Range(); }
  };
  RowSpool(std::string folder, const RowSpoolOptions& options) : folder_(std::move(folder)), options_(options) {}
  Status add_file(std::uint64_t number);
  Status carry_last_rows();
  bool is_confirmed(const File& file, const std::function<std::uint64_t(const std::string&)>& confirmed) const;
  std::string path(std::uint64_t number) const;
  std::size_t index_of(const std::string& id);

  std::string folder_;
  RowSpoolOptions options_;
  std::map<std::string, std::size_t> streams_;  // name → index
  std::deque<File> files_;
  std::vector<std::pair<std::size_t, Range>> waiting_;  // streams and rows that were appended, and not committed
};

}  // namespace elastane::serve
