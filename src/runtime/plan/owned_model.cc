#include "runtime/plan/owned_model.h"

#include <cstring>
#include <map>
#include <utility>

#include "nnapi/checked_math.h"
#include "nnapi/memory.h"

namespace nn::runtime {
namespace {

using LifeTime = Operand::LifeTime;

// Moves large values of a model into a new pool; small ones stay.
class Division {
   public:
    explicit Division(const Model& model) : mSource(model.operandValues) {
        visit(model, [&](const Operand& operand) { add(operand.location); });
    }

    bool isNeeded() const { return mSize != 0 && !mIsTooLarge; }

    Status apply(Model& model) const {
        NNAPI_ASSIGN_OR_RETURN(pool, createSharedMemory(mSize));
        {
            NNAPI_ASSIGN_OR_RETURN(mapping, map(pool));
            for (const auto& [from, to] : mLarge) {
                std::memcpy(mapping.mutableData() + to, mSource.data() + from.first, from.second);
            }
        }
        NNAPI_RETURN_IF_ERROR(sealMemory(pool));
        const auto poolIndex = static_cast<uint32_t>(model.pools.size());
        model.pools.push_back(std::move(pool));
        Model::OperandValues values;
        std::map<Range, DataLocation> small;
        Status status;
        visit(model, [&](Operand& operand) {
            const Range range(operand.location.offset, operand.location.length);
            if (range.second > kMaxCopiedBytes) {
                operand.lifetime = LifeTime::CONSTANT_REFERENCE;
                operand.location.poolIndex = poolIndex;
                operand.location.offset = mLarge.at(range);
                return;
            }
            auto [place, isNew] = small.try_emplace(range);
            if (isNew) {
                const auto added = values.append(mSource.data() + range.first, range.second);
                if (!added) status = makeError(ErrorStatus::INVALID_ARGUMENT, "too many constants");
                if (added) place->second = *added;
            }
            operand.location = place->second;
        });
        model.operandValues = std::move(values);
        return status;
    }

   private:
    using Range = std::pair<uint32_t, uint32_t>;  // offset and length

    template <class AnyModel, class Visit>
    static void visit(AnyModel& model, Visit&& visitor) {
        const auto visitGraph = [&](auto& graph) {
            for (auto& operand : graph.operands) {
                if (operand.lifetime == LifeTime::CONSTANT_COPY) visitor(operand);
            }
        };
        visitGraph(model.main);
        for (auto& graph : model.referenced) visitGraph(graph);
    }

    void add(const DataLocation& location) {
        if (location.length <= kMaxCopiedBytes) return;
        const auto [place, isNew] = mLarge.try_emplace({location.offset, location.length});
        if (!isNew) return;
        const auto offset = checkedRoundUp<uint32_t>(mSize, kMinMemoryAlignment);
        const auto end = checkedAdd<uint32_t>(offset, location.length);
        // Overlapping values are legal, and may add up to more than 32 bits.
        place->second = end ? *offset : 0;
        if (end) mSize = *end;
        mIsTooLarge |= !end;
    }

    const Model::OperandValues& mSource;
    std::map<Range, uint32_t> mLarge{};  // with the offset in the pool
    uint32_t mSize = 0;
    bool mIsTooLarge = false;
};

Result<std::shared_ptr<const Model>> divided(const Model& model, const Division& division) {
    // Without the values, which would be copied twice.
    Model own{.main = model.main,
              .referenced = model.referenced,
              .operandValues = {},
              .pools = model.pools,
              .relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16,
              .extensionNameToPrefix = model.extensionNameToPrefix};
    NNAPI_RETURN_IF_ERROR(division.apply(own));
    return std::make_shared<const Model>(std::move(own));
}

}  // namespace

Result<std::shared_ptr<const Model>> ownModel(const Model& model) {
    const Division division(model);
    if (!division.isNeeded()) return std::make_shared<const Model>(model);
    return divided(model, division);
}

}  // namespace nn::runtime
