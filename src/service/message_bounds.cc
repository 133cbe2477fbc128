#include "service/message_bounds.h"

#include <optional>

#include "nnapi/driver/result.h"
#include "nnapi/service.capnp.h"

namespace nn::service {
namespace {

constexpr uint64_t kMaxAnnotation = 0xd1a7e5b0c3f24e19;

std::optional<uint32_t> boundOf(capnp::StructSchema::Field field) {
    for (const auto annotation : field.getProto().getAnnotations()) {
        if (annotation.getId() == kMaxAnnotation) return annotation.getValue().getUint32();
    }
    return {};
}

}  // namespace

const MessageBounds& MessageBounds::get() {
    static const MessageBounds bounds;
    return bounds;
}

MessageBounds::MessageBounds() {
    add(capnp::Schema::from<rpc::Service>());
    add(capnp::Schema::from<rpc::Descriptor>());
    add(capnp::Schema::from<rpc::Memory>());
    add(capnp::Schema::from<rpc::Contents>());
    add(capnp::Schema::from<rpc::Device>());
    add(capnp::Schema::from<rpc::PreparedModel>());
    add(capnp::Schema::from<rpc::Execution>());
    add(capnp::Schema::from<rpc::Burst>());
    add(capnp::Schema::from<rpc::Hold>());
    add(capnp::Schema::from<rpc::Queues>());
    add(capnp::Schema::from<rpc::Fenced>());
    add(capnp::Schema::from<rpc::Buffer>());
}

void MessageBounds::add(capnp::InterfaceSchema interface) {
    std::vector<Method>& methods = mMethods[interface.getProto().getId()];
    for (const auto method : interface.getMethods()) {
        methods.push_back({boundsOf(method.getParamType()), boundsOf(method.getResultType())});
    }
}

const StructBounds* MessageBounds::boundsOf(capnp::StructSchema schema) {
    auto& bounds = mStructs[schema.getProto().getId()];
    if (bounds == nullptr) {
        bounds = std::make_unique<StructBounds>();
        StructBounds& own = *bounds;  // a stable reference: the map may grow
        addFields(schema, own);
        return &own;
    }
    return bounds.get();
}

void MessageBounds::addFields(capnp::StructSchema schema, StructBounds& bounds) {
    using Type = capnp::schema::Type;
    for (const auto field : schema.getFields()) {
        const auto proto = field.getProto();
        if (proto.isGroup()) {
            addFields(field.getType().asStruct(), bounds);
            continue;
        }
        const capnp::Type type = field.getType();
        StructBounds::Pointer pointer{.index = proto.getSlot().getOffset(),
                                      .name = std::string(proto.getName().cStr())};
        switch (type.which()) {
            case Type::TEXT:
            case Type::DATA:
                break;
            case Type::LIST: {
                const capnp::Type element = type.asList().getElementType();
                if (element.isStruct()) {
                    pointer.kind = StructBounds::Kind::STRUCTS;
                    pointer.element = boundsOf(element.asStruct());
                }
                break;
            }
            case Type::STRUCT:
                pointer.kind = StructBounds::Kind::STRUCT;
                pointer.element = boundsOf(type.asStruct());
                break;
            default:
                continue;  // numbers and capabilities
        }
        const auto most = boundOf(field);
        // A text ends with a zero byte.
        pointer.most = most.value_or(0) + (type.isText() ? 1 : 0);
        if (!most && pointer.kind != StructBounds::Kind::STRUCT) {
            mUnbounded.push_back(std::string(schema.getShortDisplayName().cStr()) + "." +
                                 pointer.name);
        }
        bounds.pointers.push_back(std::move(pointer));
    }
}

const MessageBounds::Method* MessageBounds::find(uint64_t interfaceId, uint16_t methodId) const {
    const auto methods = mMethods.find(interfaceId);
    if (methods == mMethods.end() || methodId >= methods->second.size()) return nullptr;
    return &methods->second[methodId];
}

const StructBounds* MessageBounds::find(uint64_t structId) const {
    const auto bounds = mStructs.find(structId);
    return bounds == mStructs.end() ? nullptr : bounds->second.get();
}

Status checkBounds(capnp::AnyStruct::Reader from, const StructBounds& bounds) {
    using Kind = StructBounds::Kind;
    const auto pointers = from.getPointerSection();
    for (const StructBounds::Pointer& each : bounds.pointers) {
        if (each.index >= pointers.size()) continue;
        const capnp::AnyPointer::Reader pointer = pointers[each.index];
        // Cap'n Proto reports a pointer of the wrong type when it is read.
        if (!(each.kind == Kind::STRUCT ? pointer.isStruct() : pointer.isList())) continue;
        if (each.kind == Kind::STRUCT) {
            NNAPI_RETURN_IF_ERROR(checkBounds(pointer.getAs<capnp::AnyStruct>(), *each.element));
            continue;
        }
        const auto list = pointer.getAs<capnp::AnyList>();
        if (list.size() > each.most) {
            return error(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT)
                   << "the list '" << each.name << "' has " << list.size()
                   << " elements, allowed at most " << each.most;
        }
        if (each.kind != Kind::STRUCTS || each.element->pointers.empty()) continue;
        if (list.getElementSize() != capnp::ElementSize::INLINE_COMPOSITE) continue;
        for (const auto element : list.as<capnp::List<capnp::AnyStruct>>()) {
            NNAPI_RETURN_IF_ERROR(checkBounds(element, *each.element));
        }
    }
    return {};
}

}  // namespace nn::service
