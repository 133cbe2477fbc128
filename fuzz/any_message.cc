#include "fuzz/any_message.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <limits>

#include "service/chunks.h"

namespace nn::fuzz {
namespace {

constexpr int kDeepest = 5;

}  // namespace

int64_t AnyMessage::number() const {
    switch (source.below(8)) {
        case 5:
            return 16;
        case 6:
            return -1;
        case 7:
            return static_cast<int64_t>(source.number());
        default:
            return static_cast<int64_t>(source.below(5));
    }
}

std::string AnyMessage::text() const { return testing::anyText(source); }

// Arbitrary numbers of the type of a field.
template <class Set>
static bool setNumber(capnp::Type type, int64_t number, Set set) {
    switch (type.which()) {
        case capnp::schema::Type::BOOL:
            set((number & 1) != 0);
            return true;
        case capnp::schema::Type::INT8:
        case capnp::schema::Type::INT16:
        case capnp::schema::Type::INT32:
            set(static_cast<int64_t>(static_cast<int8_t>(number)));
            return true;
        case capnp::schema::Type::INT64:
            set(number);
            return true;
        case capnp::schema::Type::UINT8:
            set(static_cast<uint64_t>(static_cast<uint8_t>(number)));
            return true;
        case capnp::schema::Type::UINT16:
            set(static_cast<uint64_t>(static_cast<uint16_t>(number)));
            return true;
        case capnp::schema::Type::UINT32:
            set(static_cast<uint64_t>(static_cast<uint32_t>(number)));
            return true;
        case capnp::schema::Type::UINT64:
            set(static_cast<uint64_t>(number));
            return true;
        case capnp::schema::Type::FLOAT32:
        case capnp::schema::Type::FLOAT64:
            set(static_cast<double>(number));
            return true;
        default:
            return false;
    }
}

void AnyMessage::fillList(capnp::DynamicList::Builder list, int depth) const {
    const capnp::Type type = list.getSchema().getElementType();
    for (unsigned i = 0; i < list.size(); ++i) {
        if (setNumber(type, number(), [&](auto value) { list.set(i, value); })) continue;
        if (type.isStruct()) fill(list[i].as<capnp::DynamicStruct>(), depth + 1);
        if (type.isInterface()) {
            KJ_IF_MAYBE (client, object(source, type.asInterface())) list.set(i, *client);
        }
    }
}

void AnyMessage::fillField(capnp::DynamicStruct::Builder message, capnp::StructSchema::Field field,
                           int depth) const {
    if (usual(source, message, field)) return;
    const capnp::Type type = field.getType();
    if (setNumber(type, number(), [&](auto value) { message.set(field, value); })) return;
    switch (type.which()) {
        case capnp::schema::Type::ENUM:
            message.set(field,
                        capnp::DynamicEnum(type.asEnum(), static_cast<uint16_t>(source.below(6))));
            return;
        case capnp::schema::Type::TEXT: {
            const std::string value = text();
            message.set(field, capnp::Text::Reader(value.c_str(), value.size()));
            return;
        }
        case capnp::schema::Type::DATA: {
            const std::string value = text();
            message.set(field, capnp::Data::Reader(reinterpret_cast<const kj::byte*>(value.data()),
                                                   value.size()));
            return;
        }
        case capnp::schema::Type::LIST:
            return fillList(message.init(field, static_cast<unsigned>(source.below(5)))
                                    .as<capnp::DynamicList>(),
                            depth);
        case capnp::schema::Type::STRUCT:
            return fill(field.getProto().isGroup() ? message.get(field).as<capnp::DynamicStruct>()
                                                   : message.init(field).as<capnp::DynamicStruct>(),
                        depth + 1);
        case capnp::schema::Type::INTERFACE:
            KJ_IF_MAYBE (client, object(source, type.asInterface())) message.set(field, *client);
            return;
        default:  // no pointers to anything, and nothing for a Void
            return;
    }
}

void AnyMessage::fill(capnp::DynamicStruct::Builder message, int depth) const {
    if (depth > kDeepest) return;
    const capnp::StructSchema schema = message.getSchema();
    for (const auto field : schema.getNonUnionFields()) {
        if (!source.oneIn(4)) fillField(message, field, depth);
    }
    const auto members = schema.getUnionFields();
    if (members.size() == 0) return;
    const auto member = members[static_cast<unsigned>(source.below(members.size()))];
    if (member.getType().isVoid()) {
        message.set(member, capnp::Void());
    } else {
        fillField(message, member, depth);
    }
}

bool putDigest(service::rpc::Piece::Builder piece) {
    const auto bytes = piece.getBytes();
    const auto digested = service::digested(0, {bytes.begin(), bytes.end()});
    if (!digested.ok()) return false;
    piece.setDigest(capnp::Data::Reader(digested->digest.data(), digested->digest.size()));
    return true;
}

void sendAtOnce(int tcpSocket) {
    const int yes = 1;
    (void)setsockopt(tcpSocket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

std::string anyModelFile(testing::Source& source) {
    const auto file = serializeModel(testing::validModel(source), Format::BINARY);
    std::string bytes = file.ok() ? *file : "";
    if (!source.oneIn(4) || bytes.empty()) return bytes;
    bytes[source.below(bytes.size())] ^= static_cast<char>(1 << source.below(8));
    if (source.oneIn(4)) bytes.resize(source.below(bytes.size()));
    return bytes;
}

}  // namespace nn::fuzz
