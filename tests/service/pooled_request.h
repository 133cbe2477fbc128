// A request whose arguments lie in shared memory.
#pragma once

#include <span>
#include <vector>

#include "driver/models.h"
#include "nnapi/memory.h"

namespace nn {

// The request of addition(), with its arguments in a pool.
struct Pooled {
    SharedMemory pool = *createSharedMemory(48);
    Request request{};

    Pooled() {
        setInputs({1, 2, 3, 4, 10, 20, 30, 40});
        for (const uint32_t offset : {0u, 16u, 32u}) {
            (offset == 32 ? request.outputs : request.inputs)
                    .push_back({.location = {.offset = offset, .length = 16}});
        }
        request.pools = {pool};
    }
    void setInputs(const std::vector<float>& values) const {
        const std::span bytes(reinterpret_cast<const uint8_t*>(values.data()), 32);
        EXPECT_TRUE(writeMemory(pool, 0, bytes).ok());
    }
    std::vector<float> result() const {
        std::vector<float> values(4);
        EXPECT_TRUE(readMemory(pool, 32, {reinterpret_cast<uint8_t*>(values.data()), 16}).ok());
        return values;
    }
};

}  // namespace nn
