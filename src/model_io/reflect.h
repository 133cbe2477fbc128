// Converts structs to and from messages with fields of the same names, by the NNAPI_FIELDS row of
// the struct.
//
// Errors begin with the name of a field; each level puts its own in front.
#pragma once

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/reflection.h>

#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "model_io/pools.h"
#include "nnapi/checked_math.h"
#include "nnapi/fields.h"
#include "nnapi/hal/aidl/types.h"
#include "nnapi/hal/v1_3.h"

namespace nn::schema {

namespace pb = google::protobuf;

// Fails for text that a protobuf string cannot hold.
Status checkText(std::string_view field, std::string_view text);

template <class T>
inline constexpr bool isVector = false;
template <class E>
inline constexpr bool isVector<std::vector<E>> = true;
template <class E>
inline constexpr bool isVector<hidl::hidl_vec<E>> = true;

template <class T>
concept Bytes = isVector<T> && std::same_as<typename T::value_type, uint8_t>;

class StructWriter {
   public:
    explicit StructWriter(PoolWriter& pools) : mPools(pools) {}

    template <HasFields T>
    Status write(const T& value, pb::Message& message) {
        Status status;
        visitFields(std::type_identity<T>{}, [&](std::string_view name, auto member) {
            if (status.ok()) status = writeField(value.*member, message, name);
        });
        return status;
    }
    Status write(const hidl::hidl_memory& value, pb::Message& message) {
        return mPools.write(value, static_cast<nnapi::v1_0::Memory&>(message));
    }
    Status write(const V1_2::Operand::ExtraParams& value, pb::Message& message) {
        using Member = V1_2::Operand::ExtraParams::hidl_discriminator;
        switch (value.getDiscriminator()) {
            case Member::none:
                return {};
            case Member::channelQuant:
                return writeField(value.channelQuant(), message, "channelQuant");
            case Member::extension:
                return writeField(value.extension(), message, "extension");
        }
        return {};
    }

    Status write(const aidl_hal::Memory& value, pb::Message& message) {
        return mPools.write(value, static_cast<nnapi::aidl::Memory&>(message));
    }
    Status write(const std::optional<aidl_hal::OperandExtraParams>& value, pb::Message& message) {
        using Tag = aidl_hal::OperandExtraParams::Tag;
        switch (value->getTag()) {
            case Tag::channelQuant:
                return writeField(value->get<Tag::channelQuant>(), message, "channelQuant");
            case Tag::extension:
                return writeField(value->get<Tag::extension>(), message, "extension");
        }
        return {};
    }

    template <class T>
    Status writeField(const T& value, pb::Message& message, std::string_view name) {
        const pb::Reflection& to = *message.GetReflection();
        const pb::FieldDescriptor* field =
                message.GetDescriptor()->FindFieldByName({name.data(), name.size()});
        if constexpr (std::is_enum_v<T>) {
            to.SetEnumValue(&message, field, static_cast<int>(value));
        } else if constexpr (std::same_as<T, bool>) {
            to.SetBool(&message, field, value);
        } else if constexpr (std::same_as<T, float>) {
            to.SetFloat(&message, field, value);
        } else if constexpr (std::same_as<T, int32_t>) {
            to.SetInt32(&message, field, value);
        } else if constexpr (std::same_as<T, int64_t>) {
            to.SetInt64(&message, field, value);
        } else if constexpr (std::unsigned_integral<T>) {
            to.SetUInt32(&message, field, value);
        } else if constexpr (std::convertible_to<const T&, std::string>) {
            std::string text = value;
            NNAPI_RETURN_IF_ERROR(checkText(name, text));
            to.SetString(&message, field, std::move(text));
        } else if constexpr (Bytes<T>) {
            to.SetString(&message, field, std::string(value.begin(), value.end()));
        } else if constexpr (isVector<T>) {
            return writeElements(value, message, field);
        } else if (!(value == T{}) || field->real_containing_oneof() != nullptr) {
            return within(fmt::format("{}.", name),
                          write(value, *to.MutableMessage(&message, field)));
        }
        return {};
    }

   private:
    template <class Range>
    Status writeElements(const Range& values, pb::Message& message,
                         const pb::FieldDescriptor* field) {
        using E = typename Range::value_type;
        const pb::Reflection& to = *message.GetReflection();
        if constexpr (std::is_arithmetic_v<E>) {
            auto elements = to.GetMutableRepeatedFieldRef<E>(&message, field);
            for (const E value : values) elements.Add(value);
        } else {
            for (size_t i = 0; i < values.size(); ++i) {
                NNAPI_RETURN_IF_ERROR(within(fmt::format("{}[{}].", field->name(), i),
                                             write(values[i], *to.AddMessage(&message, field))));
            }
        }
        return {};
    }

    PoolWriter& mPools;
};

class StructReader {
   public:
    explicit StructReader(const PoolReader& pools) : mPools(pools) {}

    template <HasFields T>
    Status read(const pb::Message& message, T& value) {
        Status status;
        visitFields(std::type_identity<T>{}, [&](std::string_view name, auto member) {
            if (status.ok()) status = readField(message, value.*member, name);
        });
        return status;
    }
    Status read(const pb::Message& message, hidl::hidl_memory& value) {
        return mPools.read(static_cast<const nnapi::v1_0::Memory&>(message), value);
    }
    Status read(const pb::Message& message, V1_2::Operand::ExtraParams& value) {
        const auto& oneof = *message.GetDescriptor()->oneof_decl(0);
        const auto* field = message.GetReflection()->GetOneofFieldDescriptor(message, &oneof);
        if (field == nullptr) return {};
        if (field->name() == "channelQuant") {
            value.channelQuant({});
            return readField(message, value.channelQuant(), "channelQuant");
        }
        value.extension({});
        return readField(message, value.extension(), "extension");
    }

    Status read(const pb::Message& message, aidl_hal::Memory& value) {
        return mPools.read(static_cast<const nnapi::aidl::Memory&>(message), value);
    }
    Status read(const pb::Message& message, std::optional<aidl_hal::OperandExtraParams>& value) {
        using Tag = aidl_hal::OperandExtraParams::Tag;
        const auto& oneof = *message.GetDescriptor()->oneof_decl(0);
        const auto* field = message.GetReflection()->GetOneofFieldDescriptor(message, &oneof);
        if (field == nullptr)
            return contentError("member is missing, allowed channelQuant or extension");
        aidl_hal::OperandExtraParams& params = value.emplace();
        if (field->name() == "channelQuant") {
            params.set<Tag::channelQuant>();
            return readField(message, params.get<Tag::channelQuant>(), "channelQuant");
        }
        params.set<Tag::extension>();
        return readField(message, params.get<Tag::extension>(), "extension");
    }

    template <class T>
    Status readField(const pb::Message& message, T& value, std::string_view name) {
        const pb::Reflection& from = *message.GetReflection();
        const pb::FieldDescriptor* field =
                message.GetDescriptor()->FindFieldByName({name.data(), name.size()});
        if constexpr (std::is_enum_v<T>) {
            value = static_cast<T>(from.GetEnumValue(message, field));
        } else if constexpr (std::same_as<T, bool>) {
            value = from.GetBool(message, field);
        } else if constexpr (std::same_as<T, float>) {
            value = from.GetFloat(message, field);
        } else if constexpr (std::same_as<T, int32_t>) {
            value = from.GetInt32(message, field);
        } else if constexpr (std::same_as<T, int64_t>) {
            value = from.GetInt64(message, field);
        } else if constexpr (std::unsigned_integral<T>) {
            const uint32_t found = from.GetUInt32(message, field);
            constexpr uint32_t kMax = std::numeric_limits<T>::max();
            if (found > kMax) {
                return contentError(fmt::format("{} is {}, allowed 0..{}", name, found, kMax));
            }
            value = static_cast<T>(found);
        } else if constexpr (std::convertible_to<const T&, std::string>) {
            const std::string text = from.GetString(message, field);
            value = text;
            return checkText(name, text);  // the text format accepts any bytes
        } else if constexpr (Bytes<T>) {
            std::string scratch;
            const std::string& bytes = from.GetStringReference(message, field, &scratch);
            value = T(bytes.begin(), bytes.end());
        } else if constexpr (isVector<T>) {
            return readElements(message, value, field);
        } else if (from.HasField(message, field)) {
            return within(fmt::format("{}.", name), read(from.GetMessage(message, field), value));
        }
        return {};
    }

   private:
    template <class Range>
    Status readElements(const pb::Message& message, Range& values,
                        const pb::FieldDescriptor* field) {
        using E = typename Range::value_type;
        const pb::Reflection& from = *message.GetReflection();
        if constexpr (std::is_arithmetic_v<E>) {
            const auto elements = from.GetRepeatedFieldRef<E>(message, field);
            values = Range(elements.begin(), elements.end());
        } else {
            values.resize(static_cast<size_t>(from.FieldSize(message, field)));
            for (size_t i = 0; i < values.size(); ++i) {
                const auto& element = from.GetRepeatedMessage(message, field, static_cast<int>(i));
                NNAPI_RETURN_IF_ERROR(
                        within(fmt::format("{}[{}].", field->name(), i), read(element, values[i])));
            }
        }
        return {};
    }

    const PoolReader& mPools;
};

}  // namespace nn::schema
