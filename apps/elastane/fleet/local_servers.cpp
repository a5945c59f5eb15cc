#include "apps/elastane/fleet/local_servers.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>

#include "elastane/io/descriptor.h"

namespace elastane::app {

LocalServers::LocalServers(int count, int first_port, std::string folder)
    : first_port_(first_port), folder_(std::move(folder)), servers_(static_cast<std::size_t>(count)) {
  for (int i = 0; i < count; ++i) start(i);
}

std::string LocalServers::url() const {
  std::string url;
  for (int i = 0; i < count(); ++i) {
    url += (i > 0 ? ",nats://127.0.0.1:" : "nats://127.0.0.1:") + std::to_string(first_port_ + i);
  }
  return url;
}

void LocalServers::start(int node) {
  const std::string name = "n" + std::to_string(node), folder = folder_ + "/" + name;
  std::filesystem::create_directories(folder);
  std::vector<std::string> command{"nats-server", "-a",  "127.0.0.1", "-p", std::to_string(first_port_ + node),
                                   "-js",         "-sd", folder,      "-n", name};
  if (count() > 1) {
    std::string routes;
    for (int i = 0; i < count(); ++i) {
      routes += (i > 0 ? ",nats://127.0.0.1:" : "nats://127.0.0.1:") + std::to_string(first_port_ + 100 + i);
    }
    for (const std::string& word :
         {std::string("--cluster_name"), std::string("elastane"), std::string("--cluster"),
          "nats://127.0.0.1:" + std::to_string(first_port_ + 100 + node), std::string("--routes"), routes}) {
      command.push_back(word);
    }
  }
  servers_[static_cast<std::size_t>(node)] = Process(command, folder_ + "/" + name + ".log");
}

void LocalServers::stop() {
  for (Process& each : servers_) each.stop(5);
}

double LocalServers::cpu_seconds() const {
  double sum = 0;
  for (const Process& each : servers_) sum += each.cpu_seconds();
  return sum;
}

int free_port() {
  for (int port = 14222; port < 30000; port += 211) {
    const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<unsigned short>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return port;
  }
  return 4222;
}

}  // namespace elastane::app
