// Finishing a model: sorts operations, checks the model, and moves large constants.
#include <utility>

#include "nnapi/checked_math.h"
#include "nnapi/memory.h"
#include "nnapi/passes.h"
#include "nnapi/validate.h"
#include "runtime/objects/model_builder.h"
#include "runtime/objects/runtime.h"

namespace nn::runtime {
namespace {

constexpr uint64_t kAlignment = 64;

// Counts the missing inputs of each operation, and lists the operations that wait for each operand.
class Waiting {
   public:
    explicit Waiting(const Model::Subgraph& graph)
        : mGraph(graph), mMissing(graph.operations.size(), 0), mWaiting(graph.operands.size()) {
        for (uint32_t i = 0; i < graph.operations.size(); ++i) {
            for (const uint32_t input : graph.operations[i].inputs) {
                const auto lifetime = graph.operands[input].lifetime;
                if (lifetime != Operand::LifeTime::TEMPORARY_VARIABLE &&
                    lifetime != Operand::LifeTime::SUBGRAPH_OUTPUT) {
                    continue;
                }
                ++mMissing[i];
                mWaiting[input].push_back(i);
            }
            if (mMissing[i] == 0) mReady.push_back(i);
        }
    }

    bool isDone() const { return mReady.empty(); }
    uint32_t next() {
        const uint32_t operation = mReady.back();
        mReady.pop_back();
        for (const uint32_t output : mGraph.operations[operation].outputs) {
            // With two writers, the second finds an empty list.
            for (const uint32_t reader : std::exchange(mWaiting[output], {})) {
                if (--mMissing[reader] == 0) mReady.push_back(reader);
            }
        }
        return operation;
    }

   private:
    const Model::Subgraph& mGraph;
    std::vector<size_t> mMissing;
    std::vector<std::vector<uint32_t>> mWaiting;
    std::vector<uint32_t> mReady{};
};

}  // namespace

Status sortOperations(Model& model, std::vector<uint32_t>& order) {
    std::vector<Operation>& operations = model.main.operations;
    order.clear();
    for (Waiting waiting(model.main); !waiting.isDone();) order.push_back(waiting.next());
    if (order.size() != operations.size()) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "operations wait for each other, or for an operand that nobody writes";
    }
    std::vector<Operation> sorted;
    sorted.reserve(order.size());
    for (const uint32_t i : order) sorted.push_back(std::move(operations[i]));
    operations = std::move(sorted);
    return {};
}

Status ModelBuilder::copyLargeValues() {
    std::optional<uint64_t> total = 0;
    for (Operand& operand : mModel.main.operands) {
        if (operand.lifetime != Operand::LifeTime::POINTER) continue;
        const auto offset = checkedCast<uint32_t>(*total);
        total = offset ? checkedRoundUp<uint64_t>(uint64_t{*offset} + operand.location.length,
                                                  kAlignment)
                       : std::nullopt;
        if (!total) {
            return error(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT)
                   << "all constants together have more than 2^32 bytes";
        }
        operand.location.offset = *offset;
    }
    if (*total == 0) return {};
    NNAPI_ASSIGN_OR_RETURN(pool, createSharedMemory(*total));
    for (Operand& operand : mModel.main.operands) {
        if (operand.lifetime != Operand::LifeTime::POINTER) continue;
        DataLocation& location = operand.location;
        const auto* bytes = static_cast<const uint8_t*>(std::get<const void*>(location.pointer));
        // Written through the file, since page faults of a mapping would take twice as long.
        NNAPI_RETURN_IF_ERROR(writeMemory(pool, location.offset, {bytes, location.length}));
        operand.lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
        location = {
                .poolIndex = poolOf(pool), .offset = location.offset, .length = location.length};
    }
    // Sealed, so that devices need no copy. If sealing fails they make one.
    (void)sealMemory(pool);
    return {};
}

ApiStatus ModelBuilder::finish() {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpen());
    mState = State::INVALID;
    ApiStatus status = complete();
    if (status.ok()) mState = State::COMPLETED;
    mModel = {};
    mPools.clear();
    mReferenced.clear();
    return status;
}

ApiStatus ModelBuilder::complete() {
    if (mModel.main.inputIndexes.empty() || mModel.main.outputIndexes.empty()) {
        return badData(kNeedsBoth);
    }
    NNAPI_API_RETURN_IF_ERROR(copyLargeValues());
    auto finished = std::make_shared<FinishedModel>();
    NNAPI_API_RETURN_IF_ERROR(sortOperations(mModel, finished->addedAs));
    auto names = runtime().types().getNamesOfPrefixes(mModel);
    if (!names.has_value()) return badData(names.error().message);
    mModel.extensionNameToPrefix = *std::move(names);
    const auto version = validate(mModel);
    if (!version.ok()) return version.status();
    Minimized minimized = minimize(std::move(mModel));
    finished->graphIds.push_back(mGraphIds.front());
    for (const GraphOrigin& origin : minimized.origin.referenced) {
        finished->graphIds.push_back(mGraphIds[origin.graph + 1]);
    }
    finished->model = std::move(minimized.model);
    mFinished = std::move(finished);
    return {};
}

}  // namespace nn::runtime
