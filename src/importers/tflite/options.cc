#include "importers/tflite/options.h"

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <utility>

namespace nn::tflite {
namespace {

template <class T>
OptionValue valueOf(T value) {
    if constexpr (std::is_enum_v<T>) {
        return static_cast<int32_t>(value);
    } else if constexpr (std::same_as<T, const flatbuffers::Vector<int32_t>*>) {
        // Many operators may share a long list. Copies no more than the default maximum rank of 64,
        // and one number more, so that a list which is too long is still refused.
        constexpr uint32_t kMaxCopied = 65;
        std::vector<int32_t> list;
        if (value != nullptr) {
            list.assign(value->data(), value->data() + std::min(value->size(), kMaxCopied));
        }
        return list;
    } else {
        return value;
    }
}

template <class T>
void assign(T& field, const OptionValue& value) {
    if constexpr (std::is_enum_v<T>) {
        field = static_cast<T>(std::get<int32_t>(value));
    } else if constexpr (std::same_as<T, bool>) {
        // A flag may come from an option that is a number or a list.
        field = std::visit(
                []<class V>(const V& held) {
                    if constexpr (std::same_as<V, std::vector<int32_t>>) {
                        return !held.empty();
                    } else {
                        return held != V{};
                    }
                },
                value);
    } else if (const T* held = std::get_if<T>(&value)) {
        field = *held;
    }
}

// The default of a field is that of an empty table.
template <class Table>
const Table* emptyTable() {
    // The vtable, whose size and whose table's size are 4 bytes, then the table: the offset to it.
    alignas(8) static constexpr uint8_t kBytes[] = {4, 0, 4, 0, 4, 0, 0, 0};
    return reinterpret_cast<const Table*>(kBytes + 4);
}

}  // namespace

std::optional<OptionValue> option(const Operator& op, BuiltinOptions kind, std::string_view field) {
    const BuiltinOptions given = op.builtin_options_type();
    const bool isGiven = given != BuiltinOptions::NONE && op.builtin_options() != nullptr;
    if (isGiven && given != kind) return std::nullopt;
#define TFLITE_OPTION(table, name)                                         \
    if (kind == BuiltinOptions::table##Options && field == #name) {        \
        return valueOf((isGiven ? op.builtin_options_as_##table##Options() \
                                : emptyTable<table##Options>())            \
                               ->name());                                  \
    }
#include "importers/tflite/options.def"
    return std::nullopt;
}

std::optional<OptionValue> option(const BuiltinOptionsUnion& options, std::string_view field) {
#define TFLITE_OPTION(table, name)                                          \
    if (options.type == BuiltinOptions::table##Options && field == #name) { \
        return valueOf(options.As##table##Options()->name);                 \
    }
#include "importers/tflite/options.def"
    return std::nullopt;
}

bool setOption(BuiltinOptionsUnion& options, BuiltinOptions kind, std::string_view field,
               const OptionValue& value) {
#define TFLITE_OPTION(table, name)                                  \
    if (kind == BuiltinOptions::table##Options && field == #name) { \
        if (options.type != kind) {                                 \
            options.Reset();                                        \
            options.value = new table##OptionsT();                  \
            options.type = kind;                                    \
        }                                                           \
        assign(options.As##table##Options()->name, value);          \
        return true;                                                \
    }
#include "importers/tflite/options.def"
    return false;
}

}  // namespace nn::tflite
