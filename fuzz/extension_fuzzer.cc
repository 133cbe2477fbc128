// Models with operations of an extension that the interpreter supports: for any operands, the
// extension's functions receive the guaranteed arguments.
#include <algorithm>

#include "fuzz/input.h"
#include "nnapi/extension_operations.h"
#include "nnapi/validate.h"

namespace nn::fuzz {
namespace {

using testing::Source;

uint64_t elementsOf(const ExtensionOperand& operand) {
    uint64_t elements = 1;
    for (const uint32_t dimension : operand.dimensions) elements *= dimension;
    return elements;
}

// Reads all bytes, so that sanitizers detect invalid ones.
uint64_t sumOf(std::span<const uint8_t> bytes) {
    uint64_t sum = 0;
    for (const uint8_t byte : bytes) sum += byte;
    return sum;
}

Status look(const ExtensionCall& call) {
    uint64_t sum = 0;
    for (const auto& operands : {call.inputs, call.outputs}) {
        for (const ExtensionOperand& operand : operands) {
            sum += sumOf(operand.params) + sumOf(operand.data);
            expect(!operand.hasNoValue || operand.data.empty(), "an omitted input has data");
        }
    }
    return sum % 16 == 15 ? makeError(ErrorStatus::INVALID_ARGUMENT, "refused by chance")
                          : Status();
}

Status shapeOfFirst(const ExtensionCall& call, std::span<ExtensionOperation::Dimensions> outputs) {
    NNAPI_RETURN_IF_ERROR(look(call));
    if (call.inputs.empty()) return {};
    for (auto& output : outputs) {
        output.emplace(call.inputs[0].dimensions.begin(), call.inputs[0].dimensions.end());
    }
    return {};
}

Status compute(const ExtensionCall& call) {
    NNAPI_RETURN_IF_ERROR(look(call));
    for (const ExtensionOperand& output : call.outputs) {
        const uint64_t elements = elementsOf(output);
        expect(elements == 0 ? output.mutableData.empty()
                             : output.mutableData.size() % elements == 0,
               fmt::format("{} bytes for {} elements", output.mutableData.size(), elements));
        std::ranges::fill(output.mutableData, 1);
    }
    return {};
}

// An extension with the name that the model uses, if it uses any.
ExtensionOperations anyExtension(Source& source, const Model& model) {
    ExtensionOperations known{.extension = {.name = "com.example"}};
    if (!model.extensionNameToPrefix.empty()) {
        known.extension.name = model.extensionNameToPrefix.front().name;
    }
    for (uint16_t i = 0; i < 4; ++i) {
        known.extension.operandTypes.push_back(
                {.type = i,
                 .isTensor = source.below(4) != 3,
                 .byteSize = source.oneIn(8) ? testing::any<uint32_t>(source)
                                             : static_cast<uint32_t>(1 + source.below(16))});
        known.operations.push_back({.number = i,
                                    .validate = look,
                                    .inferShapes = shapeOfFirst,
                                    .compute = compute,
                                    .takesOmittedInputs = source.coin(),
                                    .takesZeroSizedInputs = source.coin()});
    }
    return known;
}

}  // namespace

NNAPI_FUZZ_TARGET(extension, MODEL) {
    const ModelInput input = split(bytes);
    auto model = canonicalOf(input);
    if (!model) return;
    Source source(input.choices);
    // The seeds have no extension operations, so some operations are replaced by such.
    for (Operation& operation : model->main.operations) {
        if (source.coin()) operation.type = static_cast<OperationType>(1 << 16 | source.below(5));
    }
    for (Operand& operand : model->main.operands) {
        if (source.oneIn(4)) operand.type = static_cast<OperandType>(1 << 16 | source.below(5));
    }
    if (source.coin()) model->extensionNameToPrefix = {{.name = "com.example", .prefix = 1}};

    PrepareOptions options = littleWork();
    options.extensions = {
            std::make_shared<const ExtensionOperations>(anyExtension(source, *model))};
    const Result<PreparedModel> prepared = prepare(*model, options);
    expect(!prepared.ok() || validate(*model).ok(), "prepares an invalid model");
    if (!prepared.ok()) return;
    static_cast<void>(prepared->run(anyBits(source, *model), littleTime()));
}

}  // namespace nn::fuzz
