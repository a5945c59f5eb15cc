// Requests to a server of `elastane serve`, on one connection that is kept open.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/options.h"
#include "command_line/stop_signals.h"

namespace elastane::app {

struct ServerAddress {
  std::string url = "http://localhost:8080";
  std::string token_file;   // its first word is the token; "": none
  std::string certificate;  // of the authority that signed the server's; "": those of the system
};
void add_server_address(command_line::Command& verb, ServerAddress& address);

class HttpClient {
 public:
  // throws if the token cannot be read; a signal ends a request that waits
  HttpClient(const ServerAddress& address, const command_line::StopSignals& stop);
  ~HttpClient();

  struct Answer {
    long status = 0;  // 0: there was no answer
    std::string body;
    std::uint64_t last_row = 0;  // of the header Elastane-Last-Row
    double retry_after = 0;      // seconds
    std::string error;           // why there was none
  };
  Answer ask(const std::string& method, const std::string& path, const std::string& body = {},
             const std::vector<std::string>& headers = {});
  // Calls with each piece of the answer as it arrives, until the connection ends or `each` returns false.
  Answer listen(const std::string& path, const std::vector<std::string>& headers,
                const std::function<bool(std::string_view)>& each);

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace elastane::app
