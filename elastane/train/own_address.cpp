#include "elastane/train/own_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "elastane/io/descriptor.h"

namespace elastane::train {

Result<std::string> own_address_towards(const std::string& host, int port) {
  const addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM};
  addrinfo* list = nullptr;
  if (const int failed = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &list); failed != 0) {
    return Error{"[ranks] no host " + host + ": " + ::gai_strerror(failed)};
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> found(list, ::freeaddrinfo);
  // connecting a datagram socket only chooses the route
  const Descriptor socket(::socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in own{};
  socklen_t size = sizeof(own);
  if (::connect(socket.get(), found->ai_addr, found->ai_addrlen) != 0 ||
      ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &size) != 0) {
    return Error{"[ranks] no way to " + host + ": " + std::strerror(errno)};
  }
  std::array<char, INET_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET, &own.sin_addr, text.data(), text.size());
  return std::string(text.data());
}

}  // namespace elastane::train
