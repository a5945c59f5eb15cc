// The description of the interface: OpenAPI 3.1, as it is served.
#pragma once

namespace elastane::serve {

extern const char* const kOpenApi;

}  // namespace elastane::serve
