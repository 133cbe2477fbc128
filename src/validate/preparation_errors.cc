#include "validate/preparation_errors.h"

#include <cstring>
#include <deque>
#include <optional>

#include "nnapi/checked_math.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "validate/shape_inference.h"

namespace nn {
namespace {

// The constants of a graph that shapes and parameters follow from.
class Parameters {
   public:
    Parameters(const Model& model, const Model::Subgraph& graph, const Limits& limits)
        : mModel(model),
          mGraph(graph),
          mSmall(model, graph),
          mPools(model.pools.size()),
          mBytesLeft(limits.constantBytes) {}

    Result<ops::Bytes> data(size_t i, ElementType element) {
        const Operand& operand = mGraph.operands[i];
        const DataLocation& location = operand.location;
        const bool isPooled = operand.lifetime == Operand::LifeTime::CONSTANT_REFERENCE;
        if (isPooled) {  // is its file there, with the declared length?
            std::optional<Status>& pool = mPools[location.poolIndex];
            if (!pool) pool = readMemory(mModel.pools[location.poolIndex], 0, {});
            NNAPI_RETURN_IF_ERROR(*pool);
        }
        if (mSmall.data()[i] != nullptr) return ops::Bytes::entrusted(mSmall.data()[i]);
        const bool isNeeded =
                isExtension(operand.type) || (isPooled && isParameter(operand.type) &&
                                              location.length <= SmallConstants::kMaxBytes);
        if (!isNeeded || location.length == 0 || location.length > mBytesLeft) return ops::Bytes();
        mBytesLeft -= location.length;
        const std::span<uint8_t> copy = newCopy(location.length, element);
        if (isPooled) {
            NNAPI_RETURN_IF_ERROR(
                    readMemory(mModel.pools[location.poolIndex], location.offset, copy));
        } else {
            std::memcpy(copy.data(), dataOf(operand), copy.size());
        }
        return ops::Bytes::entrusted(copy.data());
    }

   private:
    const void* dataOf(const Operand& operand) const {
        if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) {
            return mModel.operandValues.data() + operand.location.offset;
        }
        return std::visit([](const void* data) { return data; }, operand.location.pointer);
    }

    // Aligned for the elements of a type.
    std::span<uint8_t> newCopy(size_t size, ElementType element) {
        const size_t alignment = element.alignment();
        auto& memory = mCopies.emplace_back(size + alignment);
        const auto address = reinterpret_cast<uintptr_t>(memory.data());
        return std::span(memory).subspan((alignment - address % alignment) % alignment, size);
    }

    const Model& mModel;
    const Model::Subgraph& mGraph;
    SmallConstants mSmall;
    std::vector<std::optional<Status>> mPools;  // empty until an operand refers to the pool
    uint64_t mBytesLeft;
    std::deque<std::vector<uint8_t>> mCopies;
};

class Collector : public PreparationListener {
   public:
    Collector(const Model& model, const Model::Subgraph& graph, const Place& place,
              const Extensions& extensions, const Limits& limits)
        : mGraph(graph),
          mPlace(place),
          mExtensions(extensions),
          mParameters(model, graph, limits) {}

    ops::Bytes constant(size_t operand, ElementType element, Status& why) override {
        const Result<ops::Bytes> data = mParameters.data(operand, element);
        if (!data.ok()) why = data.status();
        return data.ok() ? *data : ops::Bytes();
    }

    bool refused(Part part, size_t index, Refusal why) override {
        Diagnostic reason{.rule = std::move(why.rule), .message = std::move(why.message)};
        const bool isOperand = part == Part::OPERAND;
        reason.path =
                Place{&mPlace, isOperand ? "operands" : "operations", static_cast<int64_t>(index)}
                        .path();
        if (isOperand) {
            refusals.operands.emplace(index, std::move(reason));
        } else {
            reason.operation = mExtensions.operationName(mGraph.operations[index].type);
            refusals.operations[index].push_back(std::move(reason));
        }
        return true;
    }

    GraphRefusals refusals{};

   private:
    const Model::Subgraph& mGraph;
    const Place& mPlace;
    const Extensions& mExtensions;
    Parameters mParameters;
};

}  // namespace

GraphRefusals preparationErrors(const Model& model, const Model::Subgraph& graph,
                                const GraphFacts& found, const Place& place,
                                const Extensions& extensions, const Limits& limits) {
    GraphPreparation preparation(graph, found, /*isMain=*/&graph == &model.main, &extensions,
                                 limits);
    Collector collector(model, graph, place, extensions, limits);
    preparation.run(collector);
    return std::move(collector.refusals);
}

std::vector<bool> reachableGraphs(const Model& model) {
    std::vector<bool> isReached(model.referenced.size(), false);
    std::vector<const Model::Subgraph*> waiting = {&model.main};
    while (!waiting.empty()) {
        const Model::Subgraph& graph = *waiting.back();
        waiting.pop_back();
        for (const Operation& operation : graph.operations) {
            for (const uint32_t i : operation.inputs) {
                const Operand& operand = graph.operands[i];
                const uint32_t named = operand.location.offset;
                if (operand.lifetime != Operand::LifeTime::SUBGRAPH || isReached[named]) continue;
                isReached[named] = true;
                waiting.push_back(&model.referenced[named]);
            }
        }
    }
    return isReached;
}

}  // namespace nn
