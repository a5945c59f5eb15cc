#include "elastane/serve/nats/chained_writer.h"

#include <algorithm>
#include <charconv>
#include <random>
#include <utility>

#include "elastane/io/json.h"
#include "elastane/serve/stream_id.h"

namespace elastane::serve {
namespace {

constexpr int kFenceMs = 5000;
constexpr auto kPatience = std::chrono::seconds(5);
constexpr std::uint64_t kMostInFlight = 1024;
constexpr std::uint64_t kMostInBatch = 32;
constexpr auto kOldestInBatch = std::chrono::milliseconds(1);

std::string new_epoch() {
  std::random_device random;
  return hex_text((std::uint64_t{random()} << 32) | random());
}

}  // namespace

Result<std::uint64_t> acknowledged_sequence(std::string_view answer) {
  // nearly all are {"stream":"NAME","seq":12}, one per record: read without the parser, which would take as long as all else
  constexpr std::string_view kBegin = "{\"stream\":\"", kSequence = "\",\"seq\":";
  const std::size_t at = answer.starts_with(kBegin) ? answer.find('"', kBegin.size()) : answer.npos;
  if (at != answer.npos && answer.substr(at).starts_with(kSequence)) {
    std::uint64_t sequence = 0;
    const char* const end = answer.data() + answer.size();
    const auto [rest, error] = std::from_chars(answer.data() + at + kSequence.size(), end, sequence);
    if (error == std::errc() && std::string_view(rest, end) == "}") return sequence;
  }
  const auto json = parse_json(answer);
  if (!json || !json->is_object()) return Error{"[nats] expected an acknowledgement, found something else"};
  if (json->contains("error")) return Error{"[nats] a record was refused: " + json->at("error").dump()};
  if (!json->contains("seq") || !json->at("seq").is_number_unsigned()) return Error{"[nats] expected a sequence"};
  return json->at("seq").get<std::uint64_t>();
}

const std::vector<std::string>& rule_names() {
  static const std::vector<std::string> names{"chain", "fence", "ahead", "hole", "repeat", "stored", "go_back"};
  return names;
}

Result<BrokenRules> parse_broken_rules(const std::string& words) {
  BrokenRules rules;
  bool* const flags[] = {&rules.chain,  &rules.fence,  &rules.ahead,  &rules.hole,
                         &rules.repeat, &rules.stored, &rules.go_back};
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    const auto at = std::ranges::find(rule_names(), words.substr(begin, end - begin));
    if (at == rule_names().end()) return Error{"[fleet] unknown rule " + words.substr(begin, end - begin)};
    *flags[at - rule_names().begin()] = true;
    begin = end + 1;
  }
  return rules;
}

ChainedWriter::ChainedWriter(std::shared_ptr<Broker> broker, std::string stream, std::string fence,
                             const BrokenRules& rules)
    : broker_(std::move(broker)), stream_(std::move(stream)), fence_subject_(std::move(fence)), rules_(rules) {}

Status ChainedWriter::take_over() {
  epoch_ = new_epoch();
  sent_ = stored_ = batch_ = 0;
  asked_.clear();
  has_last_ = false;
  inbox_ = broker_->new_inbox();
  ELASTANE_TRY_ASSIGN(acknowledgements_, broker_->listen(inbox_));
  ELASTANE_TRY_ASSIGN(const StreamState state, broker_->state(stream_));
  fence_ = state.last;
  id_ = epoch_ + ":0";
  if (rules_.fence) return {};
  const std::string expected = std::to_string(state.last);
  const Header headers[] = {{"Nats-Msg-Id", id_.c_str()}, {"Nats-Expected-Last-Sequence", expected.c_str()}};
  ELASTANE_TRY_ASSIGN(const std::string answer,
                      broker_->ask(fence_subject_, std::as_bytes(std::span(epoch_)), headers, kFenceMs));
  ELASTANE_TRY_ASSIGN(fence_, acknowledged_sequence(answer));
  return {};
}

Status ChainedWriter::publish(std::string subject, std::vector<std::byte> data) {
  while (sent_ - stored_ >= kMostInFlight) {
    ELASTANE_TRY(flush());
    ELASTANE_TRY(collect(100));
  }
  ELASTANE_TRY(send_last(false));
  last_subject_ = std::move(subject);
  last_data_ = std::move(data);
  has_last_ = true;
  sent_ += 1;
  if (batch_++ == 0) batch_began_ = Clock::now();
  if (batch_ >= kMostInBatch || Clock::now() - batch_began_ > kOldestInBatch) return flush();
  return {};
}

Status ChainedWriter::send_last(bool asks) {
  if (!has_last_) return {};
  has_last_ = false;
  const Sending sending = asks ? Sending::now : Sending::later;
  const std::string reply = asks ? inbox_ : std::string();
  if (rules_.chain || rules_.fence) return broker_->publish(last_subject_, last_data_, sending, reply);
  std::swap(id_, id_before_);
  id_.assign(epoch_);
  id_ += ':';
  id_ += std::to_string(sent_);
  const std::string expected = std::to_string(fence_ + sent_ - 1);
  const Header headers[] = {{"Nats-Msg-Id", id_.c_str()},
                            {"Nats-Expected-Last-Msg-Id", id_before_.c_str()},
                            {"Nats-Expected-Last-Sequence", expected.c_str()}};
  return broker_->publish(last_subject_, last_data_, sending, reply, headers);
}

Status ChainedWriter::flush() {
  if (!has_last_) return {};
  ELASTANE_TRY(send_last(true));
  batch_ = 0;
  asked_.push_back({sent_, Clock::now()});
  return {};
}

Status ChainedWriter::collect(int milliseconds) {
  while (!asked_.empty()) {
    ELASTANE_TRY_ASSIGN(const auto message, acknowledgements_->next(milliseconds));
    if (!message) break;
    milliseconds = 0;
    const std::string_view text(reinterpret_cast<const char*>(message->data.data()), message->data.size());
    ELASTANE_TRY_ASSIGN(const std::uint64_t sequence, acknowledged_sequence(text));
    if (!rules_.chain && !rules_.fence && sequence != fence_ + asked_.front().record) {
      return Error{"[nats] a record was stored elsewhere than expected"};
    }
    stored_ = asked_.front().record;
    asked_.pop_front();
  }
  if (!asked_.empty() && Clock::now() - asked_.front().at > kPatience) {
    return Error{"[nats] a record was not acknowledged in time"};
  }
  return {};
}

Status ChainedWriter::wait_for_all() {
  ELASTANE_TRY(flush());
  while (stored_ < sent_) ELASTANE_TRY(collect(100));
  return {};
}

}  // namespace elastane::serve
