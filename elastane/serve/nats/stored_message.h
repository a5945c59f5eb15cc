// The server's answer to a question for one stored message:
//
//   {"message": {"subject": …, "seq": …, "data": in base 64}}, or {"error": {"err_code": …}}
#pragma once

#include <optional>
#include <string_view>

#include "elastane/serve/nats/broker.h"

namespace elastane::serve {

// none: the server says that there is no such message
Result<std::optional<BrokerMessage>> message_in_answer(std::string_view answer);

}  // namespace elastane::serve
