// elastane-train: what needs LibTorch of the command line. `elastane train` and `elastane bench scan` start it.
#include <fmt/core.h>

#include <c10/util/Exception.h>

#include "apps/elastane_train/verbs.h"

int main(int count, char** arguments) {
  CLI::App app("What Elastane trains", "elastane-train");
  app.set_version_flag("--version", "elastane " ELASTANE_VERSION);
  app.require_subcommand(1);
  elastane::app::add_bench_scan(app);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const c10::Error& error) {
    fmt::print(stderr, "elastane: {}\n", error.what_without_backtrace());
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "elastane: {}\n", error.what());
    return 1;
  }
}
