// Values for any field of the service's messages, chosen by reflection: new parts of the schema are
// covered without a change here.
#pragma once

#include <capnp/dynamic.h>
#include <capnp/schema.h>
#include <kj/async-io.h>
#include <pthread.h>
#include <signal.h>

#include <functional>
#include <string>

#include "fuzz/input.h"
#include "nnapi/service.capnp.h"

namespace nn::fuzz {

// Objects for fields that are capabilities; returns nothing to leave the field null.
using AnyObject = std::function<kj::Maybe<capnp::DynamicCapability::Client>(
        testing::Source&, capnp::InterfaceSchema)>;

// Fills some fields with the values of a mostly well-behaved peer; returns false for the other
// fields, and to request an arbitrary value.
using Usual = std::function<bool(testing::Source&, capnp::DynamicStruct::Builder,
                                 capnp::StructSchema::Field)>;

// An event loop in this thread; blocks SIGPIPE, since it may write to a peer that has ended. The
// process handles such signals itself: a service restores the handlers that the engine has changed.
inline kj::AsyncIoContext ownLoop() {
    sigset_t broken;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, nullptr);
    return kj::setupAsyncIo();
}

struct AnyMessage {
    testing::Source& source;
    const AnyObject& object;
    const Usual& usual;

    void fill(capnp::DynamicStruct::Builder message, int depth = 0) const;

   private:
    int64_t number() const;
    std::string text() const;
    void fillList(capnp::DynamicList::Builder list, int depth) const;
    void fillField(capnp::DynamicStruct::Builder message, capnp::StructSchema::Field field,
                   int depth) const;
};

// Sets the digest of a piece's bytes; returns false if the piece has none.
bool putDigest(service::rpc::Piece::Builder piece);

// Disables the delay of small messages, as between real peers.
void sendAtOnce(int tcpSocket);

// A model file in its message format, occasionally a corrupted one.
std::string anyModelFile(testing::Source& source);

}  // namespace nn::fuzz
