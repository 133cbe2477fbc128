// The layout of pointer arguments in memory pools that a burst keeps between executions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "nnapi/checked_math.h"
#include "nnapi/driver/result.h"
#include "nnapi/relocation.h"

namespace nn::driver {

// Larger pools are not kept between executions.
inline constexpr uint32_t kMaxKept = uint32_t{1} << 20;

// The allocated size of a kept pool, with reserve so that it rarely grows.
inline uint32_t keptSize(uint32_t size) {
    constexpr uint32_t kMinSize = 4096;
    return std::bit_ceil(std::max(size, kMinSize));
}

// The pointer arguments of one side and their offsets in the pool.
struct Pieces {
    std::vector<Relocation::Piece> pieces{};
    uint32_t size = 0;

    void plan(std::span<const Request::Argument> arguments, Status& status) {
        pieces.clear();
        size = 0;
        for (const Request::Argument& argument : arguments) {
            if (argument.lifetime != Request::Argument::LifeTime::POINTER) continue;
            const uint32_t length = argument.location.length;
            const auto offset = checkedRoundUp<uint32_t>(size, kDefaultRequestMemoryAlignment);
            const auto end = checkedAdd<uint32_t>(offset, length);
            if (!end) {
                status = error(ErrorStatus::INVALID_ARGUMENT)
                         << length << " bytes after " << size
                         << " others are more than a pool holds";
                return;
            }
            void* data = std::visit([](const void* each) { return const_cast<void*>(each); },
                                    argument.location.pointer);
            pieces.push_back({.data = data, .length = length, .offset = *offset});
            size = *end;
        }
    }
    bool empty() const { return pieces.empty(); }
    void copyTo(const Mapping& mapping) const {
        for (const auto& [data, length, offset] : pieces) {
            std::memcpy(mapping.mutableData() + offset, data, length);
        }
    }
    void copyFrom(const Mapping& mapping) const {
        for (const auto& [data, length, offset] : pieces) {
            std::memcpy(data, mapping.data() + offset, length);
        }
    }
};

}  // namespace nn::driver
