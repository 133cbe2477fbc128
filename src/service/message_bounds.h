// Bounds on the lists of a message, declared next to the fields in service.capnp.
#pragma once

#include <capnp/any.h>
#include <capnp/capability.h>
#include <capnp/schema.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/status_message.h"
#include "nnapi/result.h"
#include "service/event_loop.h"

namespace nn::service {

// The pointer fields of a struct in the schema, each with its bound.
struct StructBounds {
    enum class Kind { LIST, STRUCTS, STRUCT };  // Text and Data are lists of bytes
    struct Pointer {
        unsigned index = 0;
        Kind kind = Kind::LIST;
        uint32_t most = 0;
        const StructBounds* element = nullptr;
        std::string name{};
    };
    std::vector<Pointer> pointers{};
};

// The bounds of all methods of service.capnp. Immutable.
class MessageBounds {
   public:
    struct Method {
        const StructBounds* params = nullptr;
        const StructBounds* results = nullptr;
    };

    static const MessageBounds& get();

    // Null if the schema has no such method.
    const Method* find(uint64_t interfaceId, uint16_t methodId) const;

    // Null if the schema has no such struct.
    const StructBounds* find(uint64_t structId) const;

    // List, Text and Data fields without a bound, as "Struct.field". Always empty; a test asserts
    // it.
    const std::vector<std::string>& unbounded() const { return mUnbounded; }

   private:
    MessageBounds();
    void add(capnp::InterfaceSchema interface);
    const StructBounds* boundsOf(capnp::StructSchema schema);
    void addFields(capnp::StructSchema schema, StructBounds& bounds);

    std::unordered_map<uint64_t, std::vector<Method>> mMethods{};  // by interface
    std::unordered_map<uint64_t, std::unique_ptr<StructBounds>> mStructs{};
    std::vector<std::string> mUnbounded{};
};

// RESOURCE_EXHAUSTED_PERSISTENT if a list is longer than its bound. Throws Cap'n Proto's exception
// if the message is malformed.
Status checkBounds(capnp::AnyStruct::Reader from, const StructBounds& bounds);

// Sends a call whose lists come from the caller. Lists beyond their bounds fail this call; sent,
// they would end the connection.
template <class Params, class Results>
auto sendWithinBounds(capnp::Request<Params, Results>& request) {
    const Status status = checkBounds(capnp::toAny(request.asReader()),
                                      *MessageBounds::get().find(capnp::typeId<Params>()));
    if (!status.ok()) throwToPeer(kj::Exception::Type::OVERLOADED, messageOf(status));
    return request.send();
}

}  // namespace nn::service
