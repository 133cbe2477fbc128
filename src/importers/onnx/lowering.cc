#include "importers/onnx/lowering.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/list_text.h"
#include "base/plurals.h"
#include "base/printable.h"
#include "base/status_message.h"
#include "importers/common/refusals.h"
#include "importers/onnx/fold.h"
#include "importers/onnx/patterns.h"
#include "nnapi/checked_math.h"
#include "nnapi/half.h"

namespace nn::onnx {

const Value Lowering::kOmitted;

// ---------------------------------------------------------------------------------------------
// One node

void Lowering::begin(uint32_t node) {
    mIndex = node;
    mNode = &mGraph.nodes[node];
    mInputs = mNode->inputs;
    mOutputs = mNode->outputs;
    mOutputQuantization.reset();
    mComputesReals = false;
    mRealOutput = kNoValue;
    mActivation = 0;
    mFolded.clear();
    mTouched.clear();
    mRefusals.clear();
    mLossesBefore = mLosses.size();
    mBuilder.begin();
}

void Lowering::finish() {
    if (mRefusals.empty()) return;
    mBuilder.rollBack();
    undo();
}

void Lowering::undo() {
    mLosses.resize(mLossesBefore);
    for (const ValueId id : mTouched) mGraph[id].operand.reset();
    for (const uint32_t node : mFolded) mGraph.nodes[node].isFolded = false;
}

void Lowering::lower(uint32_t node) {
    begin(node);
    if (mNode->row == nullptr) {
        const bool isFunction = mGraph.functions != nullptr &&
                                mGraph.functions->contains({message().domain, message().type});
        refuse("", isFunction ? "is a function of the file, which is not imported"
                              : "has no operation of NNAPI, nor operations that compute it");
    } else if (spendOnForm() && checkForm() && requireKnownInputs() && !fold()) {
        lowerForm();
    }
    finish();
}

// Where no operation computes the quantized values, the real ones are computed.
void Lowering::lowerForm() {
    const auto lower = [&] { mNode->row->lower(*this, mNode->row->operation); };
    const bool isForm = quantizeForm();
    lower();
    const bool isQuantized = isForm || mOutputQuantization;
    if (!isQuantized || (ok() && isLegal())) return;
    const std::vector<ImportRefusal> why = std::move(mRefusals);
    undo();
    mBuilder.rollBackConstants();
    begin(mIndex);
    dropOmittedInputs();
    mComputesReals = true;
    lower();
    if (ok() && mRealOutput != kNoValue) quantizeOutput();
    if (!ok() && !why.empty()) mRefusals = why;
}

bool Lowering::isLegal() const {
    const auto version = mBuilder.versionOfTransaction();
    return version && isCompliantVersion(*version, mTarget);
}

void Lowering::dropOmittedInputs() {
    while (!mInputs.empty() && mInputs.back() == kNoValue) mInputs.pop_back();
}

void Lowering::refuseNode(uint32_t node, std::vector<ImportRefusal> refusals) {
    begin(node);
    mRefusals = std::move(refusals);
    finish();
}

// Charges the lists that every operator reads and copies. False after a refusal.
bool Lowering::spendOnForm() {
    constexpr uint64_t kOfScale = 16;  // of several copies
    const bool readsScales = message().type.raw.find("Linear") != std::string_view::npos;
    uint64_t bytes = 0;  // of a file of less than 2^32 bytes and of constants of the model
    for (const AttributeMessage& attribute : message().attributes) {
        bytes += 4 * (sizeof(int64_t) * attribute.integers.size() +
                      sizeof(float) * attribute.reals.size() + attribute.texts.size());
    }
    for (const ValueId id : mInputs) {
        if (id == kNoValue) continue;
        const Value& value = mGraph[id];
        bytes += sizeof(ValueId);
        if (value.quantization) bytes += kOfScale * value.quantization->channelScales.size();
        if (readsScales && value.constant && id != mInputs[0]) {
            bytes += kOfScale * value.constant->count();
        }
    }
    if (mBudget.spendReading(bytes, 1)) return true;
    refuse("", "reads lists that many operators read", "lists in proportion to the file");
    return false;
}

// False if the inputs are too few to look at.
bool Lowering::checkForm() {
    const OperatorRow& row = *mNode->row;
    dropOmittedInputs();
    const bool isMany = mInputs.size() > row.maxInputs && row.maxInputs != kAnyNumber;
    if (mInputs.size() < row.minInputs || isMany) {
        refuse("", fmt::format("has {}", Plural{mInputs.size(), "inputs"}),
               row.maxInputs == row.minInputs ? fmt::format("{}", row.minInputs)
               : row.maxInputs == kAnyNumber
                       ? fmt::format("{} or more", row.minInputs)
                       : fmt::format("{} to {}", row.minInputs, row.maxInputs));
        return false;
    }
    for (size_t i = 0; i < row.minInputs; ++i) {
        if (has(i)) continue;
        refuse("", fmt::format("omits input {}", i));
        return false;
    }
    if (!hasOutput(0) && (row.maxOutputs == 1 || mOutputs.size() < 2)) {
        refuse("", "omits its output");
        return false;
    }
    for (size_t i = row.maxOutputs; i < mOutputs.size() && row.maxOutputs != kAnyNumber; ++i) {
        if (!hasOutput(i)) continue;
        const Value& output = mGraph[mOutputs[i]];
        if (!output.consumers.empty() || output.isOutput) {
            refuse(output.name, fmt::format("is output {}", i), "an output that nothing reads");
        }
    }
    for (const AttributeMessage& attribute : message().attributes) {
        // Of the first operator sets, about memory.
        if (attribute.name == "consumed_inputs") continue;
        const std::string padded = fmt::format(" {} ", row.attributes);
        if (attribute.isReference ||
            padded.find(fmt::format(" {} ", attribute.name)) == std::string::npos) {
            refuse("", fmt::format("has the attribute {}", inQuotes(attribute.name)),
                   row.attributes.empty() ? "none" : std::string(row.attributes));
        }
    }
    return true;
}

bool Lowering::requireKnownInputs() {
    bool known = true;
    for (const ValueId id : mInputs) {
        if (id == kNoValue) continue;
        const Value& value = mGraph[id];
        if (!value.isKnown) {
            known = false;
            if (value.isInput) {
                refuse(value.name, "has dimensions that the file leaves open, or is no tensor",
                       "a tensor with fixed dimensions, which options can give");
            } else {
                refuse(value.name, "has unknown dimensions, since its operator is refused");
            }
        } else if (!value.constant && absl::c_linear_search(value.dimensions, 0u)) {
            known = false;
            refuse(value.name, fmt::format("has the dimensions {}", shapeText(value.dimensions)),
                   "dimensions above 0");
        } else if (!Shape::isCountable(value.dimensions, maxRank())) {
            known = false;
            refuse(value.name, fmt::format("has the dimensions {}", shapeText(value.dimensions)),
                   "a number of elements below 2^64");
        }
    }
    return known;
}

bool Lowering::fold() {
    if (message().type == "Constant" && isOwn()) {
        if (mGraph[mOutputs[0]].constant) return true;
        refuse("", "holds no numbers", "a tensor of numbers or bool");
        return true;
    }
    if (message().type == "Shape" && isOwn()) {
        defineConstant(0, shapeConstant(message(), dims(0)));
        return true;
    }
    if (message().type == "Size" && isOwn()) {
        const std::optional<uint64_t> count = checkedProduct<uint64_t>(dims(0));
        if (!count || *count > INT64_MAX) return false;
        const auto size = static_cast<int64_t>(*count);
        defineConstant(0, makeIntegers(ElementType::INT64, {}, {&size, 1}));
        return true;
    }
    std::vector<const Constant*> constants;
    for (const ValueId id : mInputs) {
        if (id == kNoValue) {
            constants.push_back(nullptr);
        } else if (mGraph[id].constant) {
            constants.push_back(&*mGraph[id].constant);
        } else {
            return false;
        }
    }
    if (!isOwn()) return false;
    auto results = onnx::fold({.message = message(),
                               .version = version(),
                               .inputs = constants,
                               .outputs = mOutputs.size(),
                               .budget = mBudget});
    if (!results || results->size() < mOutputs.size()) return false;
    for (const Constant& result : *results) {
        if (!Shape::isCountable(result.dimensions, maxRank())) return false;
        if (result.owner && !mBudget.spendFolded(result.bytes.size())) return false;
    }
    for (size_t i = 0; i < mOutputs.size(); ++i) {
        if (hasOutput(i)) defineConstant(i, std::move((*results)[i]));
    }
    return true;
}

std::optional<CalledGraph> Lowering::call(Graph graph, std::string_view attribute) {
    const std::string_view name = message().name.empty() ? outputName(0) : message().name;
    auto called = mCall(std::move(graph), name, attribute);
    if (auto* found = std::get_if<CalledGraph>(&called)) return std::move(*found);
    refuse("", fmt::format("has a graph {}, {}", attribute, std::get<std::string>(called)));
    return std::nullopt;
}

// ---------------------------------------------------------------------------------------------
// Attributes

int64_t Lowering::integer(std::string_view name, int64_t fallback) {
    const AttributeMessage* found = attributeOf(message(), name);
    return found == nullptr ? fallback : found->integer.value_or(0);
}

float Lowering::real(std::string_view name, float fallback) {
    const AttributeMessage* found = attributeOf(message(), name);
    return found == nullptr ? fallback : found->real.value_or(0);
}

UntrustedText Lowering::text(std::string_view name, std::string_view fallback) {
    const AttributeMessage* found = attributeOf(message(), name);
    return {std::string(found == nullptr ? fallback : found->text.value_or("").raw)};
}

std::vector<int64_t> Lowering::integers(std::string_view name) {
    const AttributeMessage* found = attributeOf(message(), name);
    return found == nullptr ? std::vector<int64_t>() : found->integers;
}

std::vector<float> Lowering::realList(std::string_view name) {
    const AttributeMessage* found = attributeOf(message(), name);
    return found == nullptr ? std::vector<float>() : found->reals;
}

void Lowering::require(std::string_view name, int64_t value, int64_t allowed) {
    if (value != allowed) {
        refuse("", fmt::format("has {} {}", name, value), std::to_string(allowed));
    }
}

// ---------------------------------------------------------------------------------------------
// Inputs

bool Lowering::isFloat(size_t input) const {
    return in(input).type == ElementType::FLOAT || in(input).type == ElementType::FLOAT16;
}

bool Lowering::requireConstant(size_t input) {
    if (has(input) && in(input).constant) return true;
    refuse(input, "is computed, or an input", "a constant");
    return false;
}

// Null after a refusal.
const Constant* Lowering::readableConstant(size_t input) {
    if (!requireConstant(input)) return nullptr;
    const Constant& constant = *in(input).constant;
    if (mBudget.spendReading(constant.count(), sizeof(int64_t))) return &constant;
    refuse(input, fmt::format("has {}", Plural{constant.count(), "elements"}),
           "lists in proportion to the file");
    return nullptr;
}

std::optional<std::vector<int64_t>> Lowering::constantIntegers(size_t input) {
    const Constant* constant = readableConstant(input);
    if (constant == nullptr) return std::nullopt;
    auto values = constant->integers();
    if (!values) refuse(input, "is of " + toString(constant->type), "integers");
    return values;
}

std::optional<std::vector<float>> Lowering::constantReals(size_t input) {
    const Constant* constant = readableConstant(input);
    if (constant == nullptr) return std::nullopt;
    auto values = constant->floats();
    if (!values) refuse(input, "is of " + toString(constant->type), "real numbers");
    return values;
}

bool Lowering::requireRank(size_t input, size_t least, size_t most) {
    if (rank(input) >= least && rank(input) <= most) return true;
    refuseDimensions(input, least == most ? fmt::format("rank {}", least)
                                          : fmt::format("rank {} to {}", least, most));
    return false;
}

bool Lowering::setInputQuantization(size_t input, const Quantization& quantization) {
    if (!has(input)) return false;
    Value& value = mGraph[mInputs[input]];
    if (value.operand && value.quantization != quantization) {
        refuse(value.name,
               fmt::format("is read with the scale {} and the zero point {}", quantization.scale,
                           quantization.zeroPoint),
               value.quantization
                       ? fmt::format("{} and {}, which it has", value.quantization->scale,
                                     value.quantization->zeroPoint)
                       : "a value that QuantizeLinear gives");
        return false;
    }
    value.quantization = quantization;
    return true;
}

void Lowering::setChannelAxis(size_t input, uint32_t axis) {
    if (!has(input)) return;
    const ValueId source = mGraph[mInputs[input]].dequantizes;
    auto& quantization = mGraph[source == kNoValue ? mInputs[input] : source].quantization;
    if (quantization && quantization->isPerChannel()) quantization->channelAxis = axis;
}

void Lowering::rewrite(std::vector<ValueId> inputs, ElementType type, Quantization output) {
    mInputs = std::move(inputs);
    if (!mComputesReals) {
        mOutputQuantization = std::move(output);
        if (type != in(0).type) refuseType(0, toString(type));
        if (!allowsQuantization(*mOutputQuantization, type)) {
            refuse(outputName(0),
                   fmt::format("has the scale {} and the zero point {}", mOutputQuantization->scale,
                               mOutputQuantization->zeroPoint),
                   "those that the operation has");
        }
        return;
    }
    mRealOutputType = type;
    for (ValueId& id : mInputs) id = id == kNoValue ? id : realOf(id);
    mRealOutputQuantization = std::move(output);
    mRealOutput = static_cast<ValueId>(mGraph.values.size());
    mGraph.values.emplace_back();
    mOutputs.front() = mRealOutput;
}

// The real value of a quantized one, which nothing else reads.
ValueId Lowering::realOf(ValueId quantized) {
    const auto id = static_cast<ValueId>(mGraph.values.size());
    Value real{.isKnown = true,
               .type = ElementType::FLOAT,
               .dimensions = mGraph[quantized].dimensions,
               .dequantizes = quantized};
    mGraph.values.push_back(std::move(real));
    return id;
}

void Lowering::quantizeOutput() {
    const uint32_t real = operandOf(mRealOutput);
    const Dimensions dimensions = mGraph[mRealOutput].dimensions;
    mOutputs = mNode->outputs;
    const uint32_t output = define(0, mRealOutputType, dimensions, mRealOutputQuantization);
    emit({OperationType::QUANTIZE, {real}, {output}});
}

bool Lowering::fitsConstants(const Dimensions& dimensions) {
    const std::optional<uint64_t> count = importing::visitedElements(dimensions);
    if (count && mBudget.spendElements(*count)) return true;
    refuse("", fmt::format("makes the dimensions {}", shapeText(dimensions)),
           fmt::format("{} elements of all constants that operators need", Budget::kElements));
    return false;
}

bool Lowering::fitsSteps(uint32_t steps) {
    if (mBudget.spendSteps(steps, 1)) return true;
    refuse("", fmt::format("has {}", Plural{steps, "steps"}),
           fmt::format("{} of all sequences", Budget::kSteps));
    return false;
}

bool Lowering::fitsCopies(const Graph& graph) {
    const Status status = mBudget.spendCopies(weightOf(graph));
    if (!status.ok()) refuse("", fmt::format("has a graph: {}", messageOf(status)));
    return status.ok();
}

bool Lowering::fitsModel(uint64_t elements, size_t bytesOfEach) {
    return mBuilder.hasSpaceFor(checkedMul<uint64_t>(elements, uint64_t{bytesOfEach}));
}

// ---------------------------------------------------------------------------------------------
// Refusals and losses

// The first reasons of a node; short ones where many nodes repeat long names.
void Lowering::refuse(std::string_view tensor, std::string found, std::string allowed) {
    constexpr size_t kMaxText = 64;
    if (mRefusals.size() >= kMaxListedEntries) return;
    if (!mBudget.spendText(tensor.size() + found.size() + allowed.size())) {
        tensor = beginningOf(tensor, kMaxText);
        found = std::string(beginningOf(found, kMaxText));
        allowed = std::string(beginningOf(allowed, kMaxText));
        if (!mRefusals.empty()) return;
    }
    importing::addRefusal(mRefusals, {.tensor = std::string(tensor),
                                      .found = std::move(found),
                                      .allowed = std::move(allowed)});
}

void Lowering::lose(std::string_view tensor, std::string before, std::string after,
                    std::string why) {
    mLosses.push_back({.path = std::string(tensor),
                       .before = std::move(before),
                       .after = std::move(after),
                       .why = std::move(why)});
}

// ---------------------------------------------------------------------------------------------
// What follows the node

uint32_t Lowering::onlyUse(ValueId id) const {
    if (id == kNoValue) return kNoValue;
    const Value& value = mGraph[id];
    return value.isOutput || value.consumers.size() != 1 ? kNoValue : value.consumers[0];
}

// RELU, RELU1 or RELU6 as FusedActivationFunc.
std::optional<int32_t> Lowering::activationOf(const Node& node) const {
    if (node.row == nullptr || !node.row->domain.empty() || node.outputs.size() != 1) {
        return std::nullopt;
    }
    if (node.row->type == "Relu") return 1;
    if (node.row->type != "Clip") return std::nullopt;
    const std::optional<Bounds> bounds = boundsOf(mGraph, node);
    if (!bounds) return std::nullopt;
    return bounds->activation();
}

std::optional<Quantization> Lowering::quantizedBy(const Node& node) const {
    if (node.row == nullptr || node.row->type != "QuantizeLinear" || node.inputs.size() < 2 ||
        node.outputs.size() != 1 || node.outputs[0] == kNoValue) {
        return std::nullopt;
    }
    return quantizationOf(mGraph, node, 1);
}

bool Lowering::followsInput(uint32_t node, ValueId id) const {
    const Node& next = mGraph.nodes[node];
    return !next.inputs.empty() && next.inputs[0] == id && !next.outputs.empty() &&
           next.outputs[0] != kNoValue;
}

int32_t Lowering::fuseActivation() {
    if (mActivation != 0 || mOutputQuantization) return mActivation;
    const uint32_t next = onlyUse(mOutputs[0]);
    if (next == kNoValue || !followsInput(next, mOutputs[0])) return 0;
    const std::optional<int32_t> activation = activationOf(mGraph.nodes[next]);
    if (!activation) return 0;
    mActivation = *activation;
    mOutputs[0] = mGraph.nodes[next].outputs[0];
    mGraph.nodes[next].isFolded = true;
    mFolded.push_back(next);
    return mActivation;
}

// True if the operation exists for that quantized output.
bool Lowering::allowsQuantization(const Quantization& output, ElementType type) const {
    const bool isSigned = type == ElementType::INT8;
    const auto isLike = [&](const Quantization& other) { return other == output; };
    switch (mNode->row->quantized) {
        case QuantizedForm::NONE:
            return false;
        case QuantizedForm::ANY:
        case QuantizedForm::FILTER:
        case QuantizedForm::EACH:
            return true;
        case QuantizedForm::SAME: {
            const ValueId source = mGraph[mInputs[0]].dequantizes;
            const auto& input = mGraph[source == kNoValue ? mInputs[0] : source].quantization;
            return input && isLike(*input);
        }
        case QuantizedForm::SIGMOID:
            return isLike({.scale = 1 / 256.0f, .zeroPoint = isSigned ? -128 : 0});
        case QuantizedForm::TANH:
            return isLike({.scale = 1 / 128.0f, .zeroPoint = isSigned ? 0 : 128});
    }
    return false;
}

// Between DequantizeLinear and QuantizeLinear, the operation takes and gives the quantized values.
// False if it computes with real ones.
bool Lowering::quantizeForm() {
    const QuantizedForm form = mNode->row->quantized;
    if (form == QuantizedForm::NONE || !isFloat(0) || in(0).dequantizes == kNoValue) return false;
    const ElementType type = mGraph[in(0).dequantizes].type;
    for (size_t i = 0; i < mInputs.size(); ++i) {
        if (!has(i) || !isFloat(i) || (form == QuantizedForm::SAME && i > 0)) continue;
        const ValueId source = in(i).dequantizes;
        if (source == kNoValue) return false;
        const bool isFilter = form == QuantizedForm::FILTER && mGraph[source].constant;
        if (mGraph[source].type != type && !isFilter) return false;
    }
    std::vector<uint32_t> folded;
    ValueId output = mOutputs[0];
    int32_t activation = 0;
    uint32_t next = onlyUse(output);
    if (next == kNoValue || !followsInput(next, output)) return false;
    if (form == QuantizedForm::ANY || form == QuantizedForm::FILTER) {
        if (const auto found = activationOf(mGraph.nodes[next])) {
            activation = *found;
            folded.push_back(next);
            output = mGraph.nodes[next].outputs[0];
            next = onlyUse(output);
            if (next == kNoValue || !followsInput(next, output)) return false;
        }
    }
    const std::optional<Quantization> quantization = quantizedBy(mGraph.nodes[next]);
    if (!quantization) return false;
    if (!allowsQuantization(*quantization, type) ||
        quantizedType(mGraph, mGraph.nodes[next]) != type) {
        return false;
    }
    folded.push_back(next);
    for (size_t i = 0; i < mInputs.size(); ++i) {
        if (has(i) && in(i).dequantizes != kNoValue) mInputs[i] = in(i).dequantizes;
    }
    mOutputs[0] = mGraph.nodes[next].outputs[0];
    mOutputQuantization = quantization;
    mActivation = activation;
    for (const uint32_t node : folded) mGraph.nodes[node].isFolded = true;
    mFolded = std::move(folded);
    return true;
}

}  // namespace nn::onnx
