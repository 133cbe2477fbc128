// Opens TCP sockets.
#pragma once

#include <kj/async-io.h>

#include <cstdint>
#include <vector>

#include "service/address.h"

namespace nn::service {

// Sockets that listen at all addresses of the host, and do not block; port 0 becomes the one that
// the system has given. DEVICE_UNAVAILABLE where it gives none.
Result<std::vector<UniqueFd>> listenAtTcp(Address& address);

// A connected stream. Fails where nobody listens.
kj::Promise<kj::Own<kj::AsyncIoStream>> connectToTcp(kj::AsyncIoContext& io,
                                                     const Address& address);

// Small messages go at once; a peer whose machine is gone is noticed after half a minute, whoever
// waits or does not.
void setUpTcp(int socket);

// Bytes that the peer's machine has taken and sent so far; 0 for another kind of socket. While it
// grows, a long message is on its way.
uint64_t bytesMoved(int socket);
// Those alone that it has sent.
uint64_t bytesReceived(int socket);

}  // namespace nn::service
