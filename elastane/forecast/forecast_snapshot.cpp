#include "elastane/forecast/forecast_snapshot.h"

#include <array>
#include <cstring>

#include "elastane/core/base/checksum.h"
#include "elastane/io/byte_fields.h"
#include "elastane/io/file.h"

namespace elastane {
namespace {

struct Header {
  std::array<char, 8> magic = {'E', 'L', 'A', 'S', 'T', 'R', 'U', 'N'};
  std::uint32_t version = kForecastSnapshotVersion;
  std::uint32_t header_bytes = 64;
  std::uint64_t fingerprint = 0;
  std::uint64_t learning = 0;
  std::uint64_t rows = 0, invalid_rows = 0;
  std::uint64_t body_bytes = 0;
  std::uint64_t reserved = 0;
};
static_assert(sizeof(Header) == 64);
constexpr std::size_t kHeader = sizeof(Header), kChecksum = sizeof(std::uint32_t);

}  // namespace

template <class Row, class Each>
requires std::is_same_v<std::remove_const_t<Row>, PlacedRow>
void fields(Row& row, Each& each) {
  each(row.tick);
  each(row.is_missing);
  each(row.values);
}

template <class Stream, class Each>
requires std::is_same_v<std::remove_const_t<Stream>, SeriesStreamSnapshot>
void fields(Stream& s, Each& each) {
  each(s.id);
  each(s.state);
  each(s.time);
  each(s.ahead);
  each(s.ahead_rows);
  each(s.anchor);
  each(s.since_gap);
  each(s.back);
  each(s.back_rows);
  each(s.late.window);
  each(s.late.older_tick);
  each(s.late.newer_tick);
  each(s.late.older);
  each(s.late.newer);
  each(s.late.rows);
}

template <class Snapshot, class Each>
requires std::is_same_v<std::remove_const_t<Snapshot>, ForecastSnapshot>
void fields(Snapshot& s, Each& each) {
  each(s.format);
  each(s.input_hash);
  each(s.pending);
  each(s.header);
  each(s.example);
  each(s.streams);
}

namespace {

// the header of an undamaged file, or what is wrong with it
Result<Header> check(std::span<const std::byte> bytes) {
  Header header;
  if (!is_forecast_snapshot(bytes)) {
    return Error{"[snapshot] does not begin with ELASTRUN; it is cut short, or not a snapshot of elastane run"};
  }
  if (bytes.size() < kHeader + kChecksum) {
    return Error{"[snapshot] expected at least " + std::to_string(kHeader + kChecksum) + " bytes, found " +
                 std::to_string(bytes.size()) + "; the file is cut short"};
  }
  std::memcpy(&header, bytes.data(), kHeader);
  if (header.version != kForecastSnapshotVersion || header.header_bytes != kHeader) {
    return Error{"[snapshot] expected version " + std::to_string(kForecastSnapshotVersion) + ", found " +
                 std::to_string(header.version) + "; start without the snapshot"};
  }
  if (const std::size_t room = bytes.size() - kHeader - kChecksum; header.body_bytes != room) {
    return Error{"[snapshot] expected " + std::to_string(header.body_bytes) + " bytes of content, found " +
                 std::to_string(room) + "; the file is cut short"};
  }
  std::uint32_t stored = 0;
  std::memcpy(&stored, bytes.data() + bytes.size() - kChecksum, kChecksum);
  if (stored != crc32(bytes.first(bytes.size() - kChecksum))) {
    return Error{"[snapshot] the checksum does not match; the file is damaged"};
  }
  return header;
}

}  // namespace

std::vector<std::byte> format_forecast_snapshot(const ForecastSnapshot& s) {
  Header header;
  header.fingerprint = s.fingerprint;
  header.learning = static_cast<std::uint64_t>(s.learning);
  header.rows = s.rows;
  header.invalid_rows = s.invalid_rows;
  std::vector<std::byte> bytes(kHeader);
  ByteWriter writer(bytes);
  fields(s, writer);
  header.body_bytes = bytes.size() - kHeader;
  std::memcpy(bytes.data(), &header, kHeader);
  const std::uint32_t crc = crc32(bytes);
  bytes.resize(bytes.size() + kChecksum);
  std::memcpy(bytes.data() + bytes.size() - kChecksum, &crc, kChecksum);
  return bytes;
}

Result<ForecastSnapshot> parse_forecast_snapshot(std::span<const std::byte> bytes) {
  const auto header = check(bytes);
  if (!header) return Error{header.error()};
  ForecastSnapshot s;
  ByteReader reader(bytes.subspan(kHeader, header->body_bytes));
  fields(s, reader);
  if (!reader.is_whole() || header->learning >= kLearnings || header->invalid_rows > header->rows) {
    return Error{"[snapshot] its content does not have the form of a snapshot; the file is damaged"};
  }
  s.fingerprint = header->fingerprint;
  s.learning = static_cast<Learning>(header->learning);
  s.rows = header->rows;
  s.invalid_rows = header->invalid_rows;
  return s;
}

bool is_forecast_snapshot(std::span<const std::byte> bytes) {
  const auto magic = Header().magic;
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

Status check_origin(const ForecastSnapshot& s, const Forecaster& forecaster) {
  if (const Learning asked = forecaster.options().learning; s.learning != asked) {
    return Error{"[snapshot] was taken with --learning " + std::string(name(s.learning)) + ", not " +
                 std::string(name(asked)) + "; continue with that, or start without the snapshot"};
  }
  if (s.fingerprint != forecaster.fingerprint()) {
    return Error{"[snapshot] was taken with another model; continue with that model, or start without the snapshot"};
  }
  return {};
}

ForecastSnapshot snapshot_of(const Forecaster& forecaster) {
  ForecastSnapshot s;
  s.fingerprint = forecaster.fingerprint();
  s.learning = forecaster.options().learning;
  s.rows = forecaster.rows();
  const std::span<const double> state = forecaster.state();
  s.streams.emplace_back().state.assign(state.begin(), state.end());
  return s;
}

Status restore(const ForecastSnapshot& snapshot, Forecaster& forecaster) {
  ELASTANE_TRY(check_origin(snapshot, forecaster));
  if (snapshot.streams.size() != 1) {
    return Error{"[snapshot] expected the state of one series, found " + std::to_string(snapshot.streams.size()) +
                 "; restore a RowStream from it"};
  }
  return forecaster.restore(snapshot.streams.front().state);
}

Status save_forecast_snapshot(const std::string& path, const ForecastSnapshot& snapshot) {
  return write_file(path, format_forecast_snapshot(snapshot));
}

Result<ForecastSnapshot> load_forecast_snapshot(const std::string& path) {
  const auto file = FileContent::open(path);
  if (!file) return Error{file.error()};
  auto snapshot = parse_forecast_snapshot(file->bytes());
  if (!snapshot) return Error{path + ": " + snapshot.error()};
  return snapshot;
}

}  // namespace elastane
