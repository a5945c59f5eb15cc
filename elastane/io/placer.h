// Assigns the tensors of a file to the tensors of a model, and collects what is missing or does not fit.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/io/import.h"
#include "elastane/io/safetensors.h"

namespace elastane {

using Reshape = std::function<Tensor(const Tensor&)>;

Tensor transposed(const Tensor& matrix);
// padded with zeros to the right and below; vectors have rows only
Tensor widened(const Tensor& tensor, int rows, int columns = 1);
Tensor identity(int rows, int columns);
Tensor zeros(Shape shape);

class Placer {
 public:
  Placer(const Safetensors& file, std::string source);

  bool has(const std::string& name) const { return stored_.contains(name); }
  const StoredTensor* find(const std::string& name) const;
  const std::map<std::string, StoredTensor>& stored() const { return stored_; }

  // every name that is `part` or ends in a dot and `part`
  std::vector<std::string> ending_in(std::string_view part) const;

  // checks that a model may have this width, before anything of its square is made; records a fault otherwise
  bool is_width(const std::string& name, int width);

  // side `i` of a tensor with this many sides, if all have a size that a model may have; else a fault, and 0
  int side(const std::string& name, std::size_t i, std::size_t sides);

  // assigns `from` to `to` if it has that shape; else a fault
  void place(const std::string& from, const std::string& to, const Shape& shape, const std::string& how = "",
             const Reshape& reshape = {});
  // the same, or zeros if there is no such tensor
  void place_or_zeros(const std::string& from, const std::string& to, const Shape& shape, const std::string& how = "",
                      const Reshape& reshape = {});
  void make(const std::string& to, Tensor tensor, const std::string& how);

  // a tensor that the model has no place for; it may be left out silently if it is all zeros
  void leave_out_unless_zero(const std::string& name, const std::string& why);
  void leave_out(const std::string& name, const std::string& why) { reasons_[name] = why; }
  void fault(const std::string& name, const std::string& what);
  bool has_faults() const { return !faults_.empty(); }

  // everything that was placed, or all faults, one per line
  Result<Import> finish(ModelConfig config);

 private:
  void put(const std::string& to, const std::string& from, Tensor tensor, const std::string& how);

  std::string source_;
  std::map<std::string, StoredTensor> stored_;
  std::set<std::string> used_;
  std::map<std::string, std::string> reasons_;
  std::string faults_;
  Import import_;
};

// The two ends of a model. They return the number of channels, or 0 after a fault. A tied model without a read-out uses
// its embedding.
int place_encoder(Placer& placer, int block_inputs, int width, int asked);
int place_head(Placer& placer, int block_outputs, int width, int asked, bool tied);

// a whole model: the blocks and both ends
ModelConfig import_mamba(Placer& placer, const ImportOptions& options);
ModelConfig import_recurrent(Placer& placer, const ImportOptions& options);
ModelConfig import_s4d(Placer& placer, const ImportOptions& options);
ModelConfig import_transformer(Placer& placer, const ImportOptions& options);
ModelConfig import_delta(Placer& placer, const ImportOptions& options);
bool has_mamba(const Placer& placer);
bool has_recurrent(const Placer& placer);
bool has_s4d(const Placer& placer);
bool has_transformer(const Placer& placer);
bool has_delta(const Placer& placer);

}  // namespace elastane
