// The two ends of an imported model: an encoder or an embedding before the blocks, a linear read-out after them.
#include <array>

#include "elastane/io/placer.h"

namespace elastane {
namespace {

constexpr std::array<std::string_view, 4> kEmbeddings = {"embedding", "embeddings", "embed_tokens", "emb"};
constexpr std::array<std::string_view, 8> kReadouts = {"lm_head", "fc",      "linear",       "head",
                                                       "out",     "decoder", "output_layer", "lin"};

// names that end in one of the words and .weight, or in the word, .0 and .weight
template <std::size_t n>
std::vector<std::string> named(const Placer& placer, const std::array<std::string_view, n>& words) {
  std::vector<std::string> names;
  for (const std::string_view word : words) {
    for (const char* ending : {".weight", ".0.weight"}) {
      for (const std::string& name : placer.ending_in(std::string(word) + ending)) names.push_back(name);
    }
  }
  return names;
}

std::string bias_of(const std::string& weight) { return weight.substr(0, weight.size() - 6) + "bias"; }

// the only one whose side fits; others are left out, with the reason
std::string choose(Placer& placer, const std::vector<std::string>& names, std::size_t fitting, int size) {
  std::string chosen;
  for (const std::string& name : names) {
    const Shape& shape = placer.find(name)->shape;
    if (shape.size() != 2 || shape[fitting] != size) {
      const std::string expected =
          fitting == 0 ? "(" + std::to_string(size) + " x inputs)" : "(any x " + std::to_string(size) + ")";
      placer.leave_out(name, "expected " + expected + " next to the blocks, found " + to_string(shape));
      placer.leave_out(bias_of(name), "its weight has no place");
    } else if (chosen.empty()) {
      chosen = name;
    } else {
      placer.fault(name, "expected one such tensor next to the blocks, found " + chosen + " as well; remove one");
    }
  }
  return chosen;
}

int agreed(Placer& placer, const char* which, const std::string& name, int found, int asked) {
  if (asked == 0 || asked == found) return found;
  placer.fault(name,
               "expected the " + std::to_string(asked) + " " + which + " asked for, found " + std::to_string(found));
  return 0;
}

// the number of channels of the blocks that was asked for; all by default
int some_of(Placer& placer, const char* which, int channels, int asked) {
  if (asked <= channels) return asked > 0 ? asked : channels;
  placer.fault(which, "expected at most the blocks' " + std::to_string(channels) + ", asked for " +
                          std::to_string(asked) + "; no tensor maps more");
  return 0;
}

std::string note(const char* what, bool is_padded) {
  return std::string(what) + (is_padded ? (*what == '\0' ? "padded with zeros" : ", padded with zeros") : "");
}

}  // namespace

// h = Wx + b, with zeros in rows beyond the inputs of the blocks
int place_encoder(Placer& placer, int block_inputs, int width, int asked) {
  const bool pads = block_inputs < width;
  const std::string embedding = choose(placer, named(placer, kEmbeddings), 1, block_inputs);
  const std::string encoder = choose(placer, placer.ending_in("encoder.weight"), 0, block_inputs);
  if (!embedding.empty() && !encoder.empty()) {
    placer.fault(encoder, "expected one way in, found " + embedding + " as well; remove one");
    return 0;
  }
  if (!embedding.empty()) {
    // each token is one input: a row of the embedding is a column of the matrix
    const int words = placer.side(embedding, 0, 2);
    placer.place(embedding, "encoder.weight", {words, block_inputs}, note("transposed", pads),
                 [&](const Tensor& t) { return widened(transposed(t), width, words); });
    placer.make("encoder.bias", zeros({width}), "zeros");
    return agreed(placer, "inputs", embedding, words, asked);
  }
  if (!encoder.empty()) {
    const int inputs = placer.side(encoder, 1, 2);
    placer.place(encoder, "encoder.weight", {block_inputs, inputs}, note("", pads),
                 [&](const Tensor& t) { return widened(t, width, inputs); });
    placer.place_or_zeros(bias_of(encoder), "encoder.bias", {block_inputs}, note("", pads),
                          [&](const Tensor& t) { return widened(t, width); });
    return agreed(placer, "inputs", encoder, inputs, asked);
  }
  const int inputs = some_of(placer, "inputs", block_inputs, asked);
  if (placer.has_faults()) return 0;  // an identity may be large; do not make it for nothing
  placer.make("encoder.weight", identity(width, inputs), "identity");
  placer.make("encoder.bias", zeros({width}), "zeros");
  return inputs;
}

// y = Wh + b, with zeros in columns beyond the outputs of the blocks
int place_head(Placer& placer, int block_outputs, int width, int asked, bool tied) {
  const bool pads = block_outputs < width;
  std::string head = choose(placer, named(placer, kReadouts), 1, block_outputs);
  const char* how = "";
  if (head.empty() && tied) {
    // a language model without a head uses its embedding
    for (const std::string& name : named(placer, kEmbeddings)) {
      if (placer.find(name)->shape.size() == 2 && placer.find(name)->shape[1] == block_outputs) head = name;
    }
    how = "tied";
  }
  if (head.empty()) {
    const int outputs = some_of(placer, "outputs", block_outputs, asked);
    if (placer.has_faults()) return 0;
    placer.make("head.0.weight", identity(outputs, width), "identity");
    placer.make("head.0.bias", zeros({outputs}), "zeros");
    return outputs;
  }
  const int outputs = placer.side(head, 0, 2);
  placer.place(head, "head.0.weight", {outputs, block_outputs}, note(how, pads),
               [&](const Tensor& t) { return widened(t, outputs, width); });
  placer.place_or_zeros(bias_of(head), "head.0.bias", {outputs});
  return agreed(placer, "outputs", head, outputs, asked);
}

}  // namespace elastane
