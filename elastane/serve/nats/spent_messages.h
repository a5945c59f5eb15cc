// Messages of the client that are done with. The client gives each one to a thread of its own, which frees it: four changes of
// threads per message, more than all else that a worker does for a row. So they are given to it in bulk, and its thread is one
// that does not push others aside.
#pragma once

#include <nats/nats.h>

namespace elastane::serve {

void open_client();                // before anything else of the client; once is enough
void give_back(natsMsg* message);  // soon; at the latest when this thread ends

}  // namespace elastane::serve
