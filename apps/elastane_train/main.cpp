// elastane-train: what needs LibTorch of the command line. `elastane train` and `elastane bench scan` start it.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <new>

#include "command_line/commit.h"
#include "apps/elastane_train/verbs.h"
#include "elastane/train/one_line.h"
#include "elastane/train/trainer.h"

// Threads of OpenMP that wait should spin shortly and then sleep: on a busy machine those that spin for long take the
// core from those that work (a factor ten was seen). The library reads this when it is loaded, hence once more.
void start_with_patient_threads(char** arguments) {
  if (::getenv("OMP_WAIT_POLICY") != nullptr || ::getenv("GOMP_SPINCOUNT") != nullptr) return;
  ::setenv("GOMP_SPINCOUNT", "10000", 1);
  ::execv("/proc/self/exe", arguments);  // if it cannot, go on as it is
}

int main(int count, char** arguments) {
  start_with_patient_threads(arguments);
  CLI::App app("What Elastane trains", "elastane");
  app.set_version_flag("--version", "elastane " + elastane::app::version());
  app.require_subcommand(1);
  const auto failed = [](int code, const char* why) { return fmt::print(stderr, "elastane: {}\n", why), code; };
  try {
    elastane::app::add_train(app, {arguments, arguments + count});
    elastane::app::add_bench_scan(app);
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const elastane::app::ExitCode& exit) {
    return exit.code;
  } catch (const elastane::train::Diverged& error) {
    return failed(3, error.what());
  } catch (const elastane::train::PeerLost& error) {
    return failed(4, error.what());
  } catch (const std::bad_alloc&) {
    return failed(1, "[memory] there is not enough; make --batch, --length or the model smaller");
  } catch (const std::exception& error) {
    return failed(1, elastane::train::one_line(error).c_str());
  }
}
