// The constants of a model as kernels read them. A constant that others can write to, or that is
// not aligned, is copied once for all executions.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "interpreter/buffers.h"
#include "nnapi/limits.h"
#include "nnapi/types.h"
#include "types/work_budget.h"
#include "validate/preparation.h"

namespace nn {

// True if elements of a type can be read and written in place.
inline bool isAligned(const void* data, ElementType type) {
    return (reinterpret_cast<uintptr_t>(data) & (type.alignment() - 1)) == 0;
}

class Constants {
   public:
    // All but the watch must outlive this.
    Constants() = default;
    Constants(const Model& model, const Extensions& extensions, const Limits& limits)
        : mModel(&model), mExtensions(&extensions), mLimits(&limits) {}

    // The data of a constant, aligned for its elements. Null on failure, with the reason in `why`:
    // INVALID_ARGUMENT if the data does not exist or its length contradicts the dimensions; the
    // limit's rule if copies would take too much memory.
    //
    // The first constant that cannot be read in place copies such constants of all graphs. Shared
    // bytes are copied once, so that this is linear in the bytes the model refers to, which
    // Limits::constantBytes bounds.
    ops::Bytes data(const Operand& operand, ElementType element, WorkBudget& watched, Status& why) {
        if (const ops::Bytes bytes = inValues(operand, element); bytes != nullptr) return bytes;
        const Result<ops::Bytes> found = elsewhere(operand, element, watched);
        if (!found.ok()) why = found.status();
        return found.ok() ? *found : ops::Bytes();
    }

   private:
    // The source of bytes: the index of a pool, or one of these two.
    static constexpr size_t kValues = SIZE_MAX - 1;
    static constexpr size_t kCaller = SIZE_MAX;

    struct Place {
        ops::Bytes inPlace{};           // null if the bytes are copied
        const uint8_t* from = nullptr;  // the first byte; null in a pool
        size_t source = 0;
        uint64_t shift = 0;  // distance from the last aligned address
        uint64_t begin = 0;  // in the pool or the values of the model; else an address
        uint64_t end = 0;

        bool operator<(const Place& other) const {
            return std::tie(source, shift, begin) <
                   std::tie(other.source, other.shift, other.begin);
        }
    };
    struct CopiedRange {
        Place place;
        AlignedMemory memory{};
        uint64_t padding = 0;  // before the first byte
        Status status{};
    };
    // A pool that constants refer to.
    struct Pool {
        Status status{};
        uint64_t size = 0;
        std::optional<SealedMemory> sealed{};  // if it may be read in place
    };

    void gatherAll(WorkBudget& watched);
    void gather(const Model::Subgraph& graph, WorkBudget& watched);
    void merge();
    void copy(const Limits& limits, WorkBudget& watched);
    void read(CopiedRange& range, WorkBudget& watched);
    Status readPart(const CopiedRange& range, uint64_t begin, uint64_t size) const;

    // False if the work must end.
    bool spend(WorkBudget& watched, uint64_t steps);

    Result<ops::Bytes> elsewhere(const Operand& operand, ElementType element, WorkBudget& watched);

    // A view of a value that can be read in place, as most can; null otherwise.
    ops::Bytes inValues(const Operand& operand, ElementType element) const {
        const Model::OperandValues& values = mModel->operandValues;
        const DataLocation& location = operand.location;
        if (operand.lifetime != Operand::LifeTime::CONSTANT_COPY ||
            !fits(location.offset, location.length, values.size()) ||
            !isAligned(values.data() + location.offset, element) ||
            !requireLength(operand, element).ok()) {
            return nullptr;
        }
        return ops::Bytes::of(values, location.offset);
    }

    Result<Place> place(const Operand& operand, ElementType element);
    const Pool& pool(uint32_t index);
    ops::MutableBytes copyOf(const CopiedRange& range, uint64_t begin) const;

    const Model* mModel = nullptr;
    const Extensions* mExtensions = nullptr;
    const Limits* mLimits = nullptr;
    bool mIsGathered = false;
    std::vector<std::optional<Pool>> mPools{};  // empty: not needed yet
    std::vector<CopiedRange> mCopiedRanges{};   // ascending
    Status mEnd{};                              // why there are no copies
};

}  // namespace nn
