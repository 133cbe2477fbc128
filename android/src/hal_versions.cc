#include "nnapi_android/hal_versions.h"

#include <android-base/logging.h>

#include <string>
#include <type_traits>

namespace nnapi_android {
namespace {

using ::nn::hidl::hidl_vec;

template <class T>
inline constexpr bool isList = false;
template <class T>
inline constexpr bool isList<hidl_vec<T>> = true;

template <class To, class From>
void copy(const From& from, To& to);

// Copies the fields that both have.
template <class To, class From>
void copyFields(const From& from, To& to) {
#define NNAPI_COPY(field)                                       \
    if constexpr (                                              \
            requires { from.field; } && requires { to.field; }) \
    copy(from.field, to.field)
    NNAPI_COPY(type);
    NNAPI_COPY(dimensions);
    NNAPI_COPY(numberOfConsumers);
    NNAPI_COPY(scale);
    NNAPI_COPY(zeroPoint);
    NNAPI_COPY(lifetime);
    NNAPI_COPY(location);
    NNAPI_COPY(extraParams);
    NNAPI_COPY(operands);
    NNAPI_COPY(operations);
    NNAPI_COPY(inputIndexes);
    NNAPI_COPY(outputIndexes);
    NNAPI_COPY(operandValues);
    NNAPI_COPY(pools);
    NNAPI_COPY(relaxComputationFloat32toFloat16);
    NNAPI_COPY(extensionNameToPrefix);
    NNAPI_COPY(inputs);
    NNAPI_COPY(outputs);
#undef NNAPI_COPY
}

void copy(const ::nn::hidl::hidl_memory& from, ::nn::V1_3::Request::MemoryPool& to) {
    to.hidlMemory(from);
}

// A token, which HAL 1.0 has no place for, becomes an empty memory.
void copy(const ::nn::V1_3::Request::MemoryPool& from, ::nn::hidl::hidl_memory& to) {
    using Tag = ::nn::V1_3::Request::MemoryPool::hidl_discriminator;
    if (from.getDiscriminator() == Tag::hidlMemory) {
        to = from.hidlMemory();
    } else {
        LOG(ERROR) << "a request with tokens has no equal in HAL 1.0";
    }
}

template <class To, class From>
void copy(const From& from, To& to) {
    if constexpr (std::is_same_v<To, From>) {
        to = from;
    } else if constexpr (std::is_enum_v<From>) {
        to = static_cast<To>(from);
    } else if constexpr (isList<From>) {
        to.resize(from.size());
        for (size_t i = 0; i < from.size(); ++i) copy(from[i], to[i]);
    } else {
        copyFields(from, to);
    }
}

// The main graph of HAL 1.3 is a part of the model; in older versions, it is the model.
template <class To, class From>
void copyModel(const From& from, To& to) {
    copyFields(from, to);
    if constexpr (requires { from.main; }) copyFields(from.main, to);
    if constexpr (requires { to.main; }) copyFields(from, to.main);
}

template <::nn::HalVersion V, class To, class From>
To capabilities(const From& from) {
    auto translated = ::nn::convertBetween<V>(from);
    if (translated.ok()) return *std::move(translated);
    LOG(ERROR) << "capabilities: " << std::string(translated.status().message());
    return {};
}

}  // namespace

template <class To, class From>
To translateObject(const From& from) {
    To to{};
    if constexpr (
            requires { from.main; } || requires { from.operandValues; }) {
        copyModel(from, to);
    } else {
        copy(from, to);
    }
    return to;
}

#define NNAPI_TRANSLATE(A, B)                \
    template A translateObject<A>(const B&); \
    template B translateObject<B>(const A&);
#define NNAPI_CAPABILITIES(A, B)                                               \
    template <>                                                                \
    ::nn::A::Capabilities translateObject(const ::nn::B::Capabilities& from) { \
        return capabilities<::nn::HalVersion::A, ::nn::A::Capabilities>(from); \
    }                                                                          \
    template <>                                                                \
    ::nn::B::Capabilities translateObject(const ::nn::A::Capabilities& from) { \
        return capabilities<::nn::HalVersion::B, ::nn::B::Capabilities>(from); \
    }
#define NNAPI_BETWEEN(A, B)  \
    NNAPI_CAPABILITIES(A, B) \
    NNAPI_TRANSLATE(::nn::A::Model, ::nn::B::Model)

NNAPI_BETWEEN(V1_0, V1_1)
NNAPI_BETWEEN(V1_0, V1_2)
NNAPI_BETWEEN(V1_0, V1_3)
NNAPI_BETWEEN(V1_1, V1_2)
NNAPI_BETWEEN(V1_1, V1_3)
NNAPI_BETWEEN(V1_2, V1_3)

#define NNAPI_OPERANDS(A, B)                            \
    NNAPI_TRANSLATE(::nn::A::Operand, ::nn::B::Operand) \
    NNAPI_TRANSLATE(hidl_vec<::nn::A::Operand>, hidl_vec<::nn::B::Operand>)
NNAPI_OPERANDS(V1_0, V1_2)
NNAPI_OPERANDS(V1_0, V1_3)
NNAPI_OPERANDS(V1_2, V1_3)
NNAPI_TRANSLATE(::nn::V1_0::Request, ::nn::V1_3::Request)

#undef NNAPI_OPERANDS
#undef NNAPI_BETWEEN
#undef NNAPI_CAPABILITIES
#undef NNAPI_TRANSLATE

}  // namespace nnapi_android
