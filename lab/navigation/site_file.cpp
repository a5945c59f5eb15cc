#include "lab/navigation/site_file.h"

#include <string>

#include "elastane/io/json_fields.h"

namespace elastane::navigation {
namespace {

constexpr std::size_t kLargestFile = 1 << 20;  // bytes
constexpr int kLatest = 1000;                  // step at which a crate may be placed

struct Range {
  double least, most;
};
std::string text_of(Range range) {
  const auto shown = [](double v) { return Json(v).dump(); };
  return "from " + shown(range.least) + " to " + shown(range.most);
}

// a half or radius of 0 would be empty; one of 0.5 fills the square
constexpr Range kThickness{0.001, 0.5}, kHeight{-0.5, 0.5}, kWidth{0.03, 1}, kUnit{0, 1};

// reads the fields of one object of the file; a field that is asked for must exist
class Reader {
 public:
  Reader(const Json& object, const std::string& where) : fields_(object, "[site] " + where, "docs/howto/site.md") {
    where_ = "[site] " + where;
  }

  bool has(const char* key) { return fields_.find(key) != nullptr; }

  double number(const char* key, Range range) {
    const Json& found = required(key);
    double value = 0;
    fields_.number(key, value);
    if (!(value >= range.least && value <= range.most)) fields_.misfit(key, "a number " + text_of(range), found);
    return value;
  }

  int step(const char* key) {
    const Json& found = required(key);
    int value = 0;
    fields_.number(key, value);
    if (value < 1 || value > kLatest) fields_.misfit(key, "a step from 1 to " + std::to_string(kLatest), found);
    return value;
  }

  Vec2 point(const char* key) {
    const Json& found = required(key);
    std::vector<double> xy;
    fields_.list(key, xy);
    const auto inside = [](double v) { return v >= kUnit.least && v <= kUnit.most; };
    if (xy.size() != 2 || !inside(xy[0]) || !inside(xy[1])) {
      fields_.misfit(key, "[x, y], both from 0 to 1", found);
    }
    return {xy[0], xy[1]};
  }

  // a list that may be missing; read(reader) reads one element
  template <class Read>
  auto list(const char* key, Read read) {
    std::vector<decltype(read(*this))> made;
    const Json* found = fields_.find(key);
    if (found == nullptr) return made;
    if (!found->is_array()) fields_.misfit(key, "a list", *found);
    if (found->size() > kMostShapes) {
      throw Misfit(where_ + key + ": expected at most " + std::to_string(kMostShapes) + ", found " +
                   std::to_string(found->size()));
    }
    for (std::size_t i = 0; i < found->size(); ++i) {
      Reader each((*found)[i], key + ("[" + std::to_string(i)) + "].");
      made.push_back(read(each));
      each.done();
    }
    return made;
  }

  Reader object(const char* key) { return Reader(required(key), std::string(key) + "."); }
  void done() const { fields_.done(); }

 private:
  const Json& required(const char* key) {
    const Json* found = fields_.find(key);
    if (found == nullptr) throw Misfit(where_ + key + ": expected it, found nothing; see docs/howto/site.md");
    return *found;
  }

  Fields fields_;
  std::string where_;
};

Disc read_disc(Reader& from) { return {.centre = from.point("centre"), .radius = from.number("radius", kThickness)}; }
Barrier read_barrier(Reader& from) {
  return {.from = from.point("from"), .to = from.point("to"), .half = from.number("half", kThickness)};
}
Hill read_hill(Reader& from) {
  return {
      .centre = from.point("centre"), .height = from.number("height", kHeight), .width = from.number("width", kWidth)};
}
Drop read_drop(Reader from) {
  const Drop drop{.at = from.step("at"), .crate = read_disc(from)};
  from.done();
  return drop;
}

// throws Misfit
SiteFile read_site(const Json& json) {
  Reader from(json, "");
  SiteFile file;
  file.site.dock = from.point("dock");
  file.site.barriers = from.list("barriers", read_barrier);
  file.site.discs = from.list("discs", read_disc);
  file.site.hills = from.list("hills", read_hill);
  if (from.has("start")) file.start = from.point("start");
  if (from.has("drop")) file.drop = read_drop(from.object("drop"));
  from.done();
  return file;
}

}  // namespace

Result<SiteFile> parse_site(std::string_view text) {
  if (text.size() > kLargestFile) {
    return Error{"[site] expected at most " + std::to_string(kLargestFile) + " bytes, found " +
                 std::to_string(text.size())};
  }
  const auto json = parse_json(text);
  if (!json) return Error{"[site] the file " + json.error() + "; docs/howto/site.md has an example"};
  try {
    SiteFile file = read_site(*json);
    if (Status good = validate(file.site); !good) return Error{good.error()};
    return file;
  } catch (const Misfit& misfit) {
    return Error{misfit.what()};
  }
}

}  // namespace elastane::navigation
