#include "importers/onnx/budget.h"

#include "importers/onnx/graph.h"
#include "nnapi/checked_math.h"

namespace nn::onnx {
namespace {

// At least 2^28 bytes: a second or less.
constexpr uint64_t kWork = uint64_t{1} << 28, kWorkOfByte = 8;
constexpr uint64_t kFolded = 1 << 26;
constexpr uint64_t kText = 1 << 24, kTextOfByte = 16;
// A value takes hundreds of bytes, and 8 or more of a file.
constexpr uint64_t kCopies = 1 << 18, kBytesOfCopy = 8;
constexpr uint64_t kModel = 1 << 24, kModelOfByte = 64;

// For amounts that are chosen by size: a smaller one may follow.
bool spendIfEnough(uint64_t& left, std::optional<uint64_t> amount) {
    if (!amount || *amount > left) return false;
    left -= *amount;
    return true;
}

bool spend(uint64_t& left, std::optional<uint64_t> amount) {
    if (spendIfEnough(left, amount)) return true;
    left = 0;
    return false;
}

uint64_t sum(uint64_t a, uint64_t b) { return checkedAdd<uint64_t>(a, b).value_or(UINT64_MAX); }
uint64_t product(uint64_t a, uint64_t b) { return checkedMul<uint64_t>(a, b).value_or(UINT64_MAX); }

}  // namespace

Budget::Budget(const Limits& limits, uint64_t fileBytes)
    : mLimits(limits),
      mWork(sum(kWork, product(kWorkOfByte, fileBytes))),
      mReading(mWork),
      mFolded(kFolded),
      mText(sum(kText, product(kTextOfByte, fileBytes))),
      mCopies(sum(kCopies, fileBytes / kBytesOfCopy)),
      mModelBytes(sum(kModel, product(kModelOfByte, fileBytes))) {}

bool Budget::spendWork(uint64_t elements, uint64_t bytesOfEach) {
    return spend(mWork, checkedMul<uint64_t>(elements, bytesOfEach));
}

bool Budget::spendReading(uint64_t elements, uint64_t bytesOfEach) {
    return spend(mReading, checkedMul<uint64_t>(elements, bytesOfEach));
}

bool Budget::spendFolded(uint64_t bytes) { return spendIfEnough(mFolded, bytes); }

bool Budget::spendElements(uint64_t elements) { return spendIfEnough(mElements, elements); }

bool Budget::spendSteps(uint64_t steps, uint64_t nodesOfEach) {
    return spendIfEnough(mSteps, checkedMul<uint64_t>(steps, nodesOfEach));
}

bool Budget::spendText(uint64_t bytes) { return spend(mText, bytes); }

Status Budget::spendCopies(uint64_t weight) {
    if (spend(mCopies, weight)) return {};
    return makeError(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                     "graphs inside of nodes are repeated out of proportion to the file");
}

uint64_t weightOf(const Graph& graph) {
    // Outputs of a loop become rows, which operators of their own join.
    constexpr uint64_t kOfOutput = 4;
    uint64_t weight = graph.values.size() + graph.nodes.size() + graph.inputs.size() +
                      kOfOutput * graph.outputs.size();
    for (const Value& value : graph.values) weight += Budget::weightOfText(value.name.size());
    for (const Node& node : graph.nodes) {
        weight += node.inputs.size() + node.outputs.size() +
                  Budget::weightOfText(node.message->name.size());
        for (const auto& [name, inner] : node.graphs) weight += inner.captures.size();
    }
    return weight;
}

}  // namespace nn::onnx
