// Rows that a front accepted, on its disk until their forecasts are stored and a while longer: a broker that lost rows it had
// acknowledged, by a loss of power, gets them again.
//
//   FOLDER/spool-000001.log, …   rows in the order in which they came; the last file grows, the others are removed in time
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>

#include "elastane/serve/append_log.h"
#include "elastane/serve/record.h"

namespace elastane::serve {

struct RowSpoolOptions {
  std::uint64_t file_bytes = 64 << 20;  // then another file is begun
  double keep_seconds = 86400;          // after its last row came, if all its rows have forecasts that are stored
};

class RowSpool {
 public:
  static Result<RowSpool> open(const std::string& folder, const RowSpoolOptions& options = {});

  void append(const RowBatch& rows);
  Status commit();  // what was appended is on the disk; after a failure it is not in the spool

  using Each = std::function<Status(RowBatch rows)>;
  Status read(const Each& each) const;
  // rows of one stream from this number up to that one, without those that are not kept, in batches as they came
  Result<std::vector<RowBatch>> rows(const std::string& id, std::uint64_t first, std::uint64_t last) const;

  // removes files that are old enough; `confirmed`: the number of the last row of a stream whose forecast is stored
  Status remove_old(const std::function<std::uint64_t(const std::string&)>& confirmed);
  std::size_t files() const { return files_.size(); }

 private:
  struct File {
    std::uint64_t number;
    AppendLog log;
    std::map<std::string, std::uint64_t> last;  // row of each stream
  };
  RowSpool(std::string folder, const RowSpoolOptions& options) : folder_(std::move(folder)), options_(options) {}
  Status add_file(std::uint64_t number);
  std::string path(std::uint64_t number) const;

  std::string folder_;
  RowSpoolOptions options_;
  std::deque<File> files_;
};

}  // namespace elastane::serve
