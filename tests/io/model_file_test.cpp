// Tests of elastane/io/model_file.cpp: models and snapshots through files, whole, cut and damaged.
#include "elastane/io/model_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "elastane/io/config_json.h"
#include "elastane/io/file.h"
#include "elastane/io/safetensors.h"
#include "tests/core/models.h"
#include "tests/io/folder.h"
#include "tests/paths.h"

namespace elastane {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::vector<std::byte> file_bytes(const ModelConfig& config, std::span<const Tensor> tensors) {
  return format_safetensors({{"elastane", config_to_json(config)}}, tensors).value();
}

std::vector<float> outputs_of(const Model& model, int steps) {
  Stream stream(model);
  std::vector<float> outputs;
  for (int t = 0; t < steps; ++t) {
    stream.advance(Input{model.inputs()}(t));
    outputs.insert(outputs.end(), stream.output().begin(), stream.output().end());
  }
  return outputs;
}

// --- there and back

TEST(ModelFile, SavedAndLoadedIsTheSameModel) {
  const Folder folder;
  for (const bool learned_start : {false, true}) {
    for (const Precision precision : {Precision::float32, Precision::bfloat16, Precision::int8}) {
      ModelConfig config = hybrid_config();
      config.weights = precision;
      if (precision == Precision::int8) {
        std::erase_if(config.blocks, [](const auto& b) { return std::holds_alternative<RecursionConfig>(b.kind); });
      }
      config.learned_start = learned_start;
      const auto tensors = tensors_of(config);
      const Model model = Model::create(config, tensors).value();
      ASSERT_TRUE(save_model(folder / "m", config, tensors, {{"who", "me"}}));
      const auto loaded = Model::load(folder / "m");
      ASSERT_TRUE(loaded) << loaded.error();
      EXPECT_EQ(loaded->fingerprint(), model.fingerprint());
      EXPECT_EQ(loaded->config(), config);
      EXPECT_TRUE(same_bits(outputs_of(*loaded, 20), outputs_of(model, 20)));
      const ModelFile file = read_model(folder / "m").value();
      EXPECT_EQ(file.metadata.at("who"), "me");
      EXPECT_EQ(file.config, config);
    }
  }
  EXPECT_EQ(folder.files(), 1);
}

TEST(ModelFile, OfABfloat16ModelStoresMatricesInHalfAndVectorsWhole) {
  const Folder folder;
  ModelConfig config = hybrid_config();
  config.weights = Precision::bfloat16;
  ASSERT_TRUE(save_model(folder / "m", config, tensors_of(config)));
  const FileContent mapped = FileContent::open(folder / "m").value();
  const Safetensors file = parse_safetensors(mapped.bytes(), "m").value();
  int halved = 0;
  for (const StoredTensor& tensor : file.tensors) {
    const bool matrix =
        tensor.name.ends_with("weight") && !contains(tensor.name, "norm") && !contains(tensor.name, "conv1d");
    const bool gates = contains(tensor.name, "weight_ih") || contains(tensor.name, "weight_hh");
    EXPECT_EQ(tensor.dtype, matrix || gates ? "BF16" : "F32") << tensor.name;
    halved += tensor.dtype == "BF16" ? 1 : 0;
  }
  EXPECT_GT(halved, 10);
  // a float32 model is stored as float32
  ASSERT_TRUE(save_model(folder / "m", hybrid_config(), tensors_of(hybrid_config())));
  const FileContent whole = FileContent::open(folder / "m").value();
  for (const StoredTensor& tensor : parse_safetensors(whole.bytes(), "m").value().tensors)
    EXPECT_EQ(tensor.dtype, "F32");
}

TEST(ModelFile, MayStoreItsTensorsInAnyPrecision) {
  // weights that every precision can hold exactly
  const ModelConfig config = one_block(GruConfig{});
  std::vector<Tensor> tensors = tensors_of(config);
  for (Tensor& tensor : tensors) {
    for (float& value : tensor.values) value = std::round(value * 16) / 16;
  }
  const std::uint64_t expected = Model::create(config, tensors).value().fingerprint();
  for (const std::string dtype : {"F64", "F32", "BF16"}) {
    std::string data;
    std::ostringstream header;
    header << R"({"__metadata__":{"elastane":)" << std::quoted(config_to_json(config)) << '}';
    for (const Tensor& tensor : tensors) {
      const std::size_t begin = data.size();
      for (const float value : tensor.values) {
        const double wide = value;
        const std::uint16_t half = to_bfloat16(value);
        if (dtype == "F64") data.append(reinterpret_cast<const char*>(&wide), 8);
        if (dtype == "F32") data.append(reinterpret_cast<const char*>(&value), 4);
        if (dtype == "BF16") data.append(reinterpret_cast<const char*>(&half), 2);
      }
      header << ',' << std::quoted(tensor.name) << R"(:{"dtype":)" << std::quoted(dtype) << R"(,"shape":[)";
      for (std::size_t i = 0; i < tensor.shape.size(); ++i) header << (i == 0 ? "" : ",") << tensor.shape[i];
      header << R"(],"data_offsets":[)" << begin << ',' << data.size() << "]}";
    }
    header << '}';
    const std::uint64_t length = header.str().size();
    const std::string bytes = std::string(reinterpret_cast<const char*>(&length), 8) + header.str() + data;
    const auto file = parse_model(std::as_bytes(std::span(bytes)), dtype);
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(Model::create(file->config, file->tensors).value().fingerprint(), expected) << dtype;
  }
}

TEST(ModelFile, ThatWeShipLoads) {
  const auto model = Model::load(std::string(ELASTANE_MODELS) + "/lorenz.safetensors");
  ASSERT_TRUE(model) << model.error();
  for (const float value : outputs_of(*model, 100)) EXPECT_TRUE(std::isfinite(value));
}

// --- saying what is wrong

TEST(ModelFile, ThatCannotBeReadIsNamed) {
  const Folder folder;
  write_text(folder / "empty", "");
  write_text(folder / "text", "this is not a model, but a text that is long enough");
  EXPECT_TRUE(contains(Model::load(folder / "missing").error(), "missing: cannot open: No such file"));
  EXPECT_TRUE(contains(Model::load(folder.path()).error(), folder.path() + ": expected a file"));
  EXPECT_TRUE(contains(Model::load(folder / "empty").error(), "empty: has no room for a header"));
  EXPECT_TRUE(contains(Model::load(folder / "text").error(), "is not a safetensors file"));
}

TEST(ModelFile, WithoutAConfigurationIsRefused) {
  const auto tensors = tensors_of(tiny_config());
  const auto none = parse_model(format_safetensors({{"format", "pt"}}, tensors).value(), "a.safetensors");
  ASSERT_FALSE(none);
  EXPECT_TRUE(
      contains(none.error(), "[model] a.safetensors: expected a configuration under the metadata key \"elastane\""))
      << none.error();
  const auto bad =
      parse_model(format_safetensors({{"elastane", "{\"format\":1,\"inptus\":3}"}}, tensors).value(), "a.safetensors");
  ASSERT_FALSE(bad);
  EXPECT_TRUE(contains(bad.error(), "inptus: unknown key")) << bad.error();
  EXPECT_TRUE(contains(bad.error(), "a.safetensors")) << bad.error();
}

TEST(ModelFile, ListsEveryTensorThatDoesNotFit) {
  const Folder folder;
  const ModelConfig config = one_block(MambaConfig{.state = 16});
  std::vector<Tensor> tensors = tensors_of(config);
  for (Tensor& tensor : tensors) {
    if (tensor.name == "blocks.0.mamba.A_log") tensor = {tensor.name, {20, 8}, std::vector<float>(160)};
    if (tensor.name == "encoder.bias") tensor.name = "encoder.bais";
  }
  ASSERT_TRUE(write_file(folder / "nav.safetensors", file_bytes(config, tensors)));
  const auto model = Model::load(folder / "nav.safetensors");
  ASSERT_FALSE(model);
  const std::string in = " in " + (folder / "nav.safetensors");
  EXPECT_TRUE(contains(model.error(), "[weights] blocks.0.mamba.A_log: expected (20 x 16), found (20 x 8)" + in))
      << model.error();
  EXPECT_TRUE(contains(model.error(), "[weights] encoder.bias: expected (10), missing" + in)) << model.error();
  EXPECT_TRUE(contains(model.error(), "[weights] encoder.bais: unexpected (10)" + in)) << model.error();
  EXPECT_EQ(std::count(model.error().begin(), model.error().end(), '\n'), 2) << model.error();
}

TEST(ModelFile, WithWholeNumbersForWeightsIsRefused) {
  const ModelConfig config = tiny_config();
  auto bytes = file_bytes(config, tensors_of(config));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t at = text.find("\"F32\"");
  std::memcpy(bytes.data() + at, "\"I32\"", 5);
  const auto file = parse_model(bytes, "a.safetensors");
  ASSERT_FALSE(file);
  EXPECT_TRUE(contains(file.error(), "expected F32, BF16, F16 or F64, found I32")) << file.error();
}

TEST(SaveModel, RefusesWhatCouldNotBeLoadedAndLeavesTheOldFile) {
  const Folder folder;
  const ModelConfig config = tiny_config();
  auto tensors = tensors_of(config);
  ASSERT_TRUE(save_model(folder / "m", config, tensors));
  const std::string old = read_text(folder / "m");
  ModelConfig invalid = config;
  invalid.width = 0;
  EXPECT_TRUE(contains(save_model(folder / "m", invalid, tensors).error(), "width"));
  tensors.pop_back();
  EXPECT_TRUE(contains(save_model(folder / "m", config, tensors).error(), "missing in the tensors to save"));
  EXPECT_FALSE(save_model(folder / "no/folder/m", config, tensors_of(config)));
  EXPECT_EQ(read_text(folder / "m"), old);
  EXPECT_EQ(folder.files(), 1);
}

TEST(SaveModel, DoesNotThrowOverMetadataThatIsNotUtf8) {
  const Folder folder;
  const auto tensors = tensors_of(tiny_config());
  Status status;
  ASSERT_NO_THROW(status = save_model(folder / "m", tiny_config(), tensors, {{"note", "caf\xe9"}}));
  EXPECT_EQ(folder.files(), status ? 1 : 0);
  if (status) {
    EXPECT_TRUE(Model::load(folder / "m"));
  }
}

// --- damage

TEST(ModelFile, IsRefusedAtEveryLengthButItsOwn) {
  const ModelConfig config = tiny_config();
  const auto bytes = file_bytes(config, tensors_of(config));
  ASSERT_TRUE(parse_model(bytes, "whole"));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    // copied, so that a sanitizer sees a read beyond the end
    const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    const auto file = parse_model(cut, "cut");
    ASSERT_FALSE(file) << n;
    ASSERT_FALSE(file.error().empty());
  }
}

TEST(ModelFile, WithAnyByteDamagedLoadsOrSaysWhyNot) {
  ModelConfig config = hybrid_config();
  config.learned_start = true;
  config.blocks.erase(config.blocks.begin() + 5, config.blocks.begin() + 7);
  const auto bytes = file_bytes(config, tensors_of(config));
  std::uint64_t header = 0;
  std::memcpy(&header, bytes.data(), 8);
  Random random(21);
  int loaded = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::byte> damaged = bytes;
    // most of them in the header, where a byte means more
    const std::size_t below = i % 4 == 0 ? bytes.size() : 8 + header;
    damaged[random.bits() % below] = static_cast<std::byte>(random.bits());
    const auto file = parse_model(damaged, "damaged");
    if (!file) {
      ASSERT_TRUE(file.error().starts_with("[")) << file.error();
      continue;
    }
    // a window alone may grow the state to a gigabyte; see validate
    bool large = false;
    for (const BlockConfig& block : file->config.blocks) {
      const auto* attention = std::get_if<AttentionConfig>(&block.kind);
      large |= attention != nullptr && attention->window > 10'000;
    }
    if (large) continue;
    const auto model = Model::create(file->config, file->tensors, {}, "damaged");
    if (!model) {
      ASSERT_TRUE(model.error().starts_with("[")) << model.error();
      continue;
    }
    ++loaded;
    Stream stream(*model);
    stream.advance(Input{model->inputs()}(0));
    for (const float value : dense_of(stream)) ASSERT_TRUE(std::isfinite(value)) << i;
  }
  EXPECT_GT(loaded, 1000);  // damage to a weight's low bits is a model, too
  EXPECT_LT(loaded, 19'000);
}

// --- snapshots

TEST(SnapshotFile, ContinuesAsIfItHadNeverStopped) {
  const Folder folder;
  const Model model = model_of(hybrid_config());
  Stream stream(model), restored(model);
  for (int t = 0; t < 20; ++t) stream.advance(Input{3}(t));
  ASSERT_TRUE(save_snapshot(stream, folder / "s"));
  const Status loaded = load_snapshot(folder / "s", restored);
  ASSERT_TRUE(loaded) << loaded.error();
  for (int t = 20; t < 40; ++t) {
    stream.advance(Input{3}(t));
    restored.advance(Input{3}(t));
    ASSERT_TRUE(same_bits(stream.output(), restored.output()));
  }
}

TEST(SnapshotFile, ThatDoesNotFitIsNamedAndChangesNothing) {
  const Folder folder;
  const Model model = model_of(tiny_config());
  Stream stream(model), other(model_of(tiny_config(), 2));
  stream.advance(std::vector<float>{1.0F});
  ASSERT_TRUE(save_snapshot(other, folder / "other"));
  ASSERT_TRUE(save_snapshot(stream, folder / "cut"));
  std::filesystem::resize_file(folder / "cut", 100);
  write_text(folder / "empty", "");
  const Stream before = stream;
  for (const std::string name : {"missing", "other", "cut", "empty", "."}) {
    const Status status = load_snapshot(folder / name, stream);
    ASSERT_FALSE(status) << name;
    EXPECT_TRUE(contains(status.error(), folder / name)) << status.error();
    EXPECT_TRUE(same_state(stream, before));
  }
  EXPECT_FALSE(save_snapshot(stream, folder / "no/folder"));
}

}  // namespace
}  // namespace elastane
