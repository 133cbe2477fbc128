// Values of any field of the service's messages, chosen by reflection: what is added to the schema
// is tried without a change here.
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

// Objects for fields that are capabilities; nothing leaves the field as it is, which is null.
using AnyObject = std::function<kj::Maybe<capnp::DynamicCapability::Client>(
        testing::Source&, capnp::InterfaceSchema)>;

// What a peer that mostly keeps the rules puts into some fields; false for other fields, and to put
// anything there.
using Usual = std::function<bool(testing::Source&, capnp::DynamicStruct::Builder,
                                 capnp::StructSchema::Field)>;

// An event loop in this thread, which may write to who is gone. Such signals are the program's: a
// service sets their handlers back that the engine has changed.
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

// The digest that the bytes of a piece have; false where there is none.
bool putDigest(service::rpc::Piece::Builder piece);

// Messages go at once, as between real peers.
void sendAtOnce(int tcpSocket);

// A model file as a message has it, now and then a spoilt one.
std::string anyModelFile(testing::Source& source);

}  // namespace nn::fuzz
