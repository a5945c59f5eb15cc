// elastane-train: what needs LibTorch of the command line. `elastane train` and `elastane bench scan` start it.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <new>

#include "apps/elastane_train/tasks.h"
#include "bench/scan.h"
#include "command_line/commit.h"
#include "command_line/messages.h"
#include "elastane/train/one_line.h"
#include "elastane/train/trainer.h"

namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  elastane train lorenz --run runs/lorenz --seed 7\n"
    "  elastane train lorenz --run runs/lorenz --seed 7 --resume        continue after Ctrl-C\n"
    "  elastane train plant --plant reactor --seed 7 -o reactor.safetensors\n"
    "  elastane train network --input load.csv --block gru --layers 1 --ranks 2\n"
    "  elastane train series --input load.csv --horizon 24 -o load.safetensors   a forecaster that adapts\n\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the loss diverged, 4 another rank was lost,\n"
    "130 stopped by Ctrl-C with a checkpoint.";

// OpenMP's waiting threads should spin briefly and then sleep: on a busy machine long spinning takes the cores from
// threads that work (a factor of ten was seen). The library reads this when it is loaded. `elastane` sets it before it
// starts this program; when this program is started directly, it starts itself again.
void start_with_patient_threads(char** arguments) {
  if (::getenv("OMP_WAIT_POLICY") != nullptr || ::getenv("GOMP_SPINCOUNT") != nullptr) return;
  ::setenv("GOMP_SPINCOUNT", "10000", 1);
  ::execv("/proc/self/exe", arguments);  // if that fails, continue as it is
}

int run(int count, char** arguments) {
  using namespace elastane;
  command_line::Command program("elastane", "Training of Elastane's models");
  program.version("elastane " + command_line::version());
  command_line::Command& train = program.command("train", "Train a model: for a world, or for a table of numbers");
  train.footer(kExamples);
  lab::TrainingCommands tasks(train, {arguments, arguments + count}, command_line::version(), command_line::commit());
  app::add_tasks(tasks);
  bench::add_bench_scan(program);
  return command_line::parse_and_run(program, count, arguments);
}

int failed(int code, const std::string& why) {
  elastane::command_line::print_stderr("elastane: {}\n", why);
  return code;
}

}  // namespace

int main(int count, char** arguments) {
  start_with_patient_threads(arguments);
  try {
    return run(count, arguments);
  } catch (const elastane::train::Diverged& error) {
    return failed(3, error.what());
  } catch (const elastane::train::PeerLost& error) {
    return failed(4, error.what());
  } catch (const std::bad_alloc&) {
    return failed(1, "[memory] not enough memory; make --batch, --length or the model smaller");
  } catch (const std::exception& error) {
    return failed(1, elastane::train::one_line(error));
  }
}
