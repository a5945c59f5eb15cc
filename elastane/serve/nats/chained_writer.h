// The only writer of a log of the broker. Each record names the one before it, so that a writer that was replaced, and does
// not know it, is refused from its next record on, however many it has in flight.
//
// A sequence alone is not enough: the record by which another writer takes over stands where one of ours was expected, and
// ours behind it would fit again (docs/decisions/0032-serving.md).
//
// Records leave in batches, and only the last of a batch asks for an acknowledgement: it is stored only if all before it are.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "elastane/serve/nats/broker.h"

namespace elastane::serve {

// rules that a test takes away, one at a time, to see that its checker notices
struct BrokenRules {
  bool chain = false;    // records do not name the one before
  bool fence = false;    // no record marks a take-over
  bool ahead = false;    // a snapshot may know more than the log of forecasts
  bool hole = false;     // a row after a missing one is taken
  bool repeat = false;   // a row that was seen is taken again
  bool stored = false;   // forecasts that are stored are stored again
  bool go_back = false;  // the source trusts what it has sent
};

Result<BrokenRules> parse_broken_rules(const std::string& words);  // with commas; "": none
const std::vector<std::string>& rule_names();

// the sequence that the broker gave a record, from its answer; or why it was refused
Result<std::uint64_t> acknowledged_sequence(std::string_view answer);

class ChainedWriter {
 public:
  // `stream`: of the broker; `fence`: a subject of it
  ChainedWriter(std::shared_ptr<Broker> broker, std::string stream, std::string fence, const BrokenRules& rules = {});

  Status take_over();  // from now on every earlier writer is refused
  std::uint64_t fence_sequence() const { return fence_; }

  // A batch leaves when it is large or old, or at `flush`; call that before waiting for something.
  Status publish(std::string subject, std::vector<std::byte> data);
  Status flush();
  std::uint64_t sent() const { return sent_; }      // records published
  std::uint64_t stored() const { return stored_; }  // of those, known to be stored
  // sequence of the n-th record published; it is known before it is acknowledged
  std::uint64_t sequence(std::uint64_t n) const { return fence_ + n; }

  // Takes in what was acknowledged, waiting at most so long for the first. Fails if a record was refused, or if one was not
  // acknowledged for five seconds: then drop everything and take over again.
  Status collect(int milliseconds);
  Status wait_for_all();

 private:
  using Clock = std::chrono::steady_clock;
  struct Asked {
    std::uint64_t record = 0;
    Clock::time_point at;
  };
  Status send_last(bool asks);

  std::shared_ptr<Broker> broker_;
  std::string stream_, fence_subject_, epoch_, inbox_;
  std::string last_subject_, id_,
      id_before_;  // of the last record published, which waits: it may be the end of a batch
  std::vector<std::byte> last_data_;
  bool has_last_ = false;
  Clock::time_point batch_began_;
  BrokenRules rules_;
  std::unique_ptr<Subscription> acknowledgements_;
  std::uint64_t fence_ = 0, sent_ = 0, stored_ = 0;
  std::uint64_t batch_ = 0;  // records in the batch that was not sent
  std::deque<Asked> asked_;  // not acknowledged
};

}  // namespace elastane::serve
