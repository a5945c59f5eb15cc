// Servers of NATS on this machine, one or a cluster of three, that can be killed and started again.
#pragma once

#include <string>
#include <vector>

#include "apps/elastane/fleet/process.h"

namespace elastane::app {

class LocalServers {
 public:
  LocalServers(int count, int first_port, std::string folder);

  std::string url() const;  // of all of them
  void start(int node);
  void kill(int node) { servers_[static_cast<std::size_t>(node)].kill(); }
  void stop();
  double cpu_seconds() const;  // of all that run
  int count() const { return static_cast<int>(servers_.size()); }

 private:
  int first_port_;
  std::string folder_;
  std::vector<Process> servers_;
};

int free_port();  // one at which nothing listens, with room for others after it

}  // namespace elastane::app
