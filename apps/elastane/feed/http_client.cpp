#include "apps/elastane/feed/http_client.h"

#include <curl/curl.h>

#include <charconv>
#include <stdexcept>

#include "elastane/io/cell.h"
#include "elastane/io/file.h"

namespace elastane::app {
namespace {

constexpr long kConnectSeconds = 5, kAnswerSeconds = 60;

std::string read_token(const std::string& path) {
  const auto file = FileContent::open(path).value();
  const std::string text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  const std::string token = text.substr(0, text.find_first_of(" \t\r\n"));
  if (token.empty()) throw std::runtime_error("[token] " + path + ": expected a token, found nothing");
  return token;
}

std::size_t add_body(char* data, std::size_t, std::size_t count, void* to) {
  static_cast<std::string*>(to)->append(data, count);
  return count;
}

std::size_t call_each(char* data, std::size_t, std::size_t count, void* to) {
  const auto& each = *static_cast<const std::function<bool(std::string_view)>*>(to);
  return each({data, count}) ? count : 0;
}

// called about once per second while nothing comes
int ends_at_signal(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const command_line::StopSignals*>(stop)->caught() != 0 ? 1 : 0;
}

std::size_t take_header(char* data, std::size_t, std::size_t count, void* to) {
  auto& answer = *static_cast<HttpClient::Answer*>(to);
  const std::string_view line(data, count);
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return count;
  const std::string_view name = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
  if (same_letters(name, "elastane-last-row"))
    std::from_chars(value.data(), value.data() + value.size(), answer.last_row);
  if (same_letters(name, "retry-after")) std::from_chars(value.data(), value.data() + value.size(), answer.retry_after);
  return count;
}

}  // namespace

struct HttpClient::Handle {
  std::string url, token, certificate;
  CURL* curl = nullptr;
  const command_line::StopSignals* stop = nullptr;
  char error[CURL_ERROR_SIZE] = "";

  Answer perform(const std::string& method, const std::string& path, const std::string& body,
                 const std::vector<std::string>& headers, const std::function<bool(std::string_view)>* each);
};

void add_server_address(command_line::Command& verb, ServerAddress& a) {
  verb.option("--server", a.url, "address of elastane serve").type("URL");
  verb.option("--token-file", a.token_file, "file whose first word is the bearer token").type("FILE");
  verb.option("--ca", a.certificate, "certificate of the authority that signed the server's (PEM)").type("FILE");
}

HttpClient::HttpClient(const ServerAddress& address, const command_line::StopSignals& stop)
    : handle_(std::make_unique<Handle>()) {
  handle_->stop = &stop;
  curl_global_init(CURL_GLOBAL_DEFAULT);
  handle_->url = address.url;
  while (handle_->url.ends_with('/')) handle_->url.pop_back();
  handle_->certificate = address.certificate;
  if (!address.token_file.empty()) handle_->token = read_token(address.token_file);
  handle_->curl = curl_easy_init();
  if (handle_->curl == nullptr) throw std::runtime_error("[client] cannot start libcurl");
}

HttpClient::~HttpClient() { curl_easy_cleanup(handle_->curl); }

HttpClient::Answer HttpClient::Handle::perform(const std::string& method, const std::string& path,
                                               const std::string& body, const std::vector<std::string>& headers,
                                               const std::function<bool(std::string_view)>* each) {
  Answer answer;
  curl_easy_reset(curl);  // keeps the connection
  error[0] = '\0';
  curl_slist* list = curl_slist_append(nullptr, "Expect:");
  for (const std::string& header : headers) list = curl_slist_append(list, header.c_str());
  if (!token.empty()) list = curl_slist_append(list, ("Authorization: Bearer " + token).c_str());
  const std::string whole = url + path;
  curl_easy_setopt(curl, CURLOPT_URL, whole.c_str());
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  if (each == nullptr) curl_easy_setopt(curl, CURLOPT_TIMEOUT, kAnswerSeconds);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, ends_at_signal);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, const_cast<command_line::StopSignals*>(stop));
  if (!certificate.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, certificate.c_str());
  if (!body.empty() || method == "POST" || method == "PUT") {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  }
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &answer);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, each == nullptr ? add_body : call_each);
  curl_easy_setopt(
      curl, CURLOPT_WRITEDATA,
      each == nullptr ? static_cast<void*>(&answer.body) : const_cast<void*>(static_cast<const void*>(each)));
  const CURLcode code = curl_easy_perform(curl);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer.status);
  curl_slist_free_all(list);
  if (code != CURLE_OK) answer.error = error[0] != '\0' ? error : curl_easy_strerror(code);
  if (code != CURLE_OK && each == nullptr) answer.status = 0;
  return answer;
}

HttpClient::Answer HttpClient::ask(const std::string& method, const std::string& path, const std::string& body,
                                   const std::vector<std::string>& headers) {
  return handle_->perform(method, path, body, headers, nullptr);
}

HttpClient::Answer HttpClient::listen(const std::string& path, const std::vector<std::string>& headers,
                                      const std::function<bool(std::string_view)>& each) {
  return handle_->perform("GET", path, {}, headers, &each);
}

}  // namespace elastane::app
