// Undoes the losses of a conversion: restores the values that they name.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "nnapi/fields.h"
#include "nnapi/losses.h"
#include "nnapi/print.h"

namespace nn::properties {

namespace undo_internal {

// Removes "name", ".name" or "[name]" from the front of a path.
inline std::string_view takeStep(std::string_view& path) {
    if (path.starts_with('.')) path.remove_prefix(1);
    const bool isIndex = path.starts_with('[');
    if (isIndex) path.remove_prefix(1);
    const size_t end = std::min(path.find_first_of(isIndex ? "]" : ".["), path.size());
    const std::string_view step = path.substr(0, end);
    path.remove_prefix(std::min(end + (isIndex ? 1 : 0), path.size()));
    return step;
}

template <class T>
concept Vector = requires(const T& value) {
    typename T::value_type;
    value.at(0);
};

}  // namespace undo_internal

// Copies the value that a loss names from `original` to `object`. Returns false if the loss is
// wrong: its path does not exist, or its texts are not those of the two values.
template <class T>
bool undo(const Loss& loss, std::string_view path, const T& original, T& object) {
    using namespace undo_internal;
    if (path.empty()) {
        if (loss.before != print(original) || loss.after != print(object)) return false;
        object = original;
        return true;
    }
    if constexpr (std::same_as<T, Request::MemoryPool>) {
        const auto* from = std::get_if<SharedMemory>(&original);
        auto* to = std::get_if<SharedMemory>(&object);
        return from != nullptr && to != nullptr && undo(loss, path, *from, *to);
    }
    [[maybe_unused]] const std::string_view step = takeStep(path);
    if constexpr (std::same_as<T, Capabilities::OperandPerformanceTable>) {
        using Entry = std::optional<Capabilities::PerformanceInfo>;
        const auto find = [&](const T& table) -> Entry {
            for (const auto& entry : table.asVector()) {
                if (toString(entry.type) == step) return entry.info;
            }
            return std::nullopt;
        };
        Entry entry = find(object);
        if (!undo(loss, path, find(original), entry)) return false;
        std::vector<Capabilities::OperandPerformance> entries;
        for (const auto& other : object.asVector()) {
            if (toString(other.type) != step) entries.push_back(other);
        }
        object = *T::create(std::move(entries));
        for (const auto& other : original.asVector()) {
            if (toString(other.type) == step) object.update(other.type, *entry);
        }
        return true;
    } else if constexpr (std::same_as<T, SharedMemory>) {
        // Only the description of a hardware buffer can be lost alone.
        const auto* from = original == nullptr
                                   ? nullptr
                                   : std::get_if<Memory::HardwareBuffer>(&original->handle);
        const auto* to =
                object == nullptr ? nullptr : std::get_if<Memory::HardwareBuffer>(&object->handle);
        if (from == nullptr || to == nullptr || step != "description") return false;
        Memory::HardwareBuffer whole{
                .size = to->size, .isBlob = to->isBlob, .description = to->description};
        for (const UniqueFd& fd : to->handle.fds) whole.handle.fds.push_back(duplicate(fd.get()));
        whole.handle.ints = to->handle.ints;
        if (!undo(loss, path, from->description, whole.description)) return false;
        object = std::make_shared<const Memory>(Memory{std::move(whole)});
        return true;
    } else if constexpr (HasFields<T>) {
        bool undone = false;
        visitFields(std::type_identity<T>{}, [&](std::string_view name, auto member) {
            if (name == step) undone = undo(loss, path, original.*member, object.*member);
        });
        return undone;
    } else if constexpr (Vector<T>) {
        size_t index = 0;
        std::from_chars(step.data(), step.data() + step.size(), index);
        return index < original.size() && index < object.size() &&
               undo(loss, path, original[index], object[index]);
    } else {
        return false;
    }
}

}  // namespace nn::properties
