#include "lab/peptide/example_set.h"

#include "lab/benchmark/parallel.h"

namespace elastane::peptide {

std::vector<Example> make_examples(std::uint64_t seed, int first, int count, const MakeTrainee& make_trainee) {
  return benchmark::on_all_cores<Example>(count, [&] {
    return [&, trainee = make_trainee ? make_trainee() : nullptr](int n) {
      return make_example(seed, first + n, trainee.get());
    };
  });
}

}  // namespace elastane::peptide
