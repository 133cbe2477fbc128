// Opens TCP sockets.
#pragma once

#include <kj/async-io.h>

#include <cstdint>
#include <vector>

#include "service/address.h"

namespace nn::service {

// Non-blocking sockets that listen at all addresses of the host. Port 0 is replaced by the port the
// system assigned. DEVICE_UNAVAILABLE if no address is available.
Result<std::vector<UniqueFd>> listenAtTcp(Address& address);

// A connected stream. Fails if no server listens.
kj::Promise<kj::Own<kj::AsyncIoStream>> connectToTcp(kj::AsyncIoContext& io,
                                                     const Address& address);

// Disables Nagle's algorithm, and sets keep-alive so that a vanished peer is noticed after half a
// minute, idle or not.
void setUpTcp(int socket);

// Bytes that the peer's machine has acknowledged and sent; 0 for other kinds of sockets. It grows
// while a long message is being transferred.
uint64_t bytesTransferred(int socket);
// Only the bytes that the peer has sent.
uint64_t bytesReceived(int socket);

}  // namespace nn::service
