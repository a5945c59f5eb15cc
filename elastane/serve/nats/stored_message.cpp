#include "elastane/serve/nats/stored_message.h"

#include <openssl/evp.h>

#include <memory>
#include <utility>

#include "elastane/io/json.h"

namespace elastane::serve {
namespace {

struct Held {
  std::string subject;
  std::vector<std::byte> data;
};

// its length is a multiple of four, with up to two = at its end
std::optional<std::vector<std::byte>> from_base64(const std::string& text) {
  std::vector<std::byte> bytes(text.size() / 4 * 3);
  const int count = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                    reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (text.size() % 4 != 0 || count != static_cast<int>(bytes.size())) return {};
  for (std::size_t end = text.size(); end > 0 && text[end - 1] == '=' && !bytes.empty(); --end) bytes.pop_back();
  return bytes;
}

std::string text_in(const nlohmann::json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

}  // namespace

Result<std::optional<BrokerMessage>> message_in_answer(std::string_view answer) {
  const auto json = parse_json(answer);
  const Error misfit{"[nats] expected a stored message, found something else"};
  if (!json || !json->is_object()) return misfit;
  if (const auto error = json->find("error"); error != json->end()) {
    constexpr int kNoMessage = 10037;  // other things that are not found have other codes
    const bool has_none = error->is_object() && error->contains("err_code") && error->at("err_code") == kNoMessage;
    if (has_none) return std::optional<BrokerMessage>();
    return Error{"[nats] a message cannot be read: " + error->dump()};
  }
  const auto message = json->find("message");
  if (message == json->end() || !message->is_object()) return misfit;
  const auto sequence = message->find("seq");
  auto data = from_base64(text_in(*message, "data"));
  if (sequence == message->end() || !sequence->is_number_unsigned() || !data) return misfit;
  auto held = std::make_unique<Held>(text_in(*message, "subject"), *std::move(data));
  BrokerMessage out{.subject = held->subject, .data = held->data, .sequence = sequence->get<std::uint64_t>()};
  out.owner = {held.release(), [](void* owned) { delete static_cast<Held*>(owned); }};
  return std::optional(std::move(out));
}

}  // namespace elastane::serve
