// One attention of a glass model: which blocks of keys each query reads, and how much of its weight they get.
#pragma once

#include <vector>

#include "lab/recall/glass_model.h"

namespace elastane::recall {

class GlassAttention {
 public:
  // refuses nothing: heads and KV heads are equal in the lab's models, and the window holds the prompt
  GlassAttention(const AttentionConfig& config, int width, const Look& look, std::vector<Reading> before = {});

  // rows [step][width]; returns the heads' outputs side by side
  std::vector<double> attend(std::vector<double> q, std::vector<double> k, const std::vector<double>& v);
  const Reading& reading() const { return reading_; }

 private:
  void turn(std::vector<double>& rows) const;  // rotary positions
  void pool(const std::vector<double>& keys);
  void choose(int head, int t, const double* q, const std::vector<double>& keys);
  double block_score(int head, int block, int t, const double* q, const std::vector<double>& keys) const;

  AttentionConfig config_;
  int width_, size_;
  const Look& look_;
  std::vector<Reading> before_;  // of the attentions before
  Reading reading_;
};

}  // namespace elastane::recall
