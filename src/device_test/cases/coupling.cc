// Cases of coupled types: a device that supports an operation with TENSOR_QUANT8_ASYMM also
// supports it with TENSOR_QUANT8_ASYMM_SIGNED and vice versa, and results differ by 128 only.
#include <algorithm>

#include "device_test/cases/cases.h"
#include "device_test/cases/vector_run.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::testing {
namespace {

constexpr auto kUnsigned = OperandType::TENSOR_QUANT8_ASYMM;
constexpr auto kSigned = OperandType::TENSOR_QUANT8_ASYMM_SIGNED;

// Operations whose signatures do not pair the two types.
constexpr OperationType kUncoupled[] = {
        OperationType::CAST,   OperationType::HASHTABLE_LOOKUP,     OperationType::LSH_PROJECTION,
        OperationType::PAD_V2, OperationType::QUANTIZED_16BIT_LSTM,
};

bool hasOperandOf(const Model& model, OperandType type) {
    return std::ranges::count(model.main.operands, type, &Operand::type) != 0;
}

// Which of the two types a single-operation model has; empty if it is not coupled.
std::optional<OperandType> coupledType(const Model& model) {
    if (model.main.operations.size() != 1 || !model.referenced.empty()) return std::nullopt;
    if (std::ranges::count(kUncoupled, model.main.operations[0].type) != 0) return std::nullopt;
    const bool isUnsigned = hasOperandOf(model, kUnsigned), isSigned = hasOperandOf(model, kSigned);
    if (isUnsigned == isSigned) return std::nullopt;
    return isUnsigned ? kUnsigned : kSigned;
}

// Adding and subtracting 128 are the same for a byte.
void shift(std::vector<uint8_t>& bytes) {
    for (uint8_t& byte : bytes) byte ^= 0x80;
}

// The same case with the other type. Constants are copied, since other operands may share them.
Result<TestCase> counterpartOf(const TestCase& testCase, OperandType from) {
    TestCase made = testCase;
    Model::Subgraph& main = made.model.main;
    for (Operand& operand : main.operands) {
        if (operand.type != from) continue;
        NNAPI_ASSIGN_OR_RETURN(bytes, constantOf(testCase.model, operand));
        if (!bytes.empty()) {
            shift(bytes);
            const auto location = made.model.operandValues.append(bytes.data(), bytes.size());
            if (!location) return makeError(ErrorStatus::INVALID_ARGUMENT, "too many constants");
            operand.lifetime = Operand::LifeTime::CONSTANT_COPY;
            operand.location = *location;
        }
        operand.type = from == kUnsigned ? kSigned : kUnsigned;
        operand.zeroPoint += from == kUnsigned ? -128 : 128;
    }
    for (size_t i = 0; i < std::min(main.inputIndexes.size(), made.inputs.size()); ++i) {
        if (testCase.model.main.operands[main.inputIndexes[i]].type == from) {
            shift(made.inputs[i].data);
        }
    }
    for (size_t i = 0; i < std::min(main.outputIndexes.size(), made.outputs.size()); ++i) {
        if (testCase.model.main.operands[main.outputIndexes[i]].type == from) {
            shift(made.outputs[i].value.data);
        }
    }
    return made;
}

// The result for one of the two types.
struct TypeVariant {
    const TestCase& testCase;
    Expectation wanted;
    bool isSupported = false;
    std::vector<Tensor> outputs{};

    TypeVariant(const TestCase& of, std::span<const OperationTolerance> tolerances)
        : testCase(of),
          wanted{.model = of.model,
                 .testCase = of,
                 .criteria = criteriaFor(of.name, of.model, tolerances)} {}

    std::string name() const {
        return nn::toString(hasOperandOf(testCase.model, kSigned) ? kSigned : kUnsigned);
    }

    Failure run(const SharedDevice& device, Duration patience) {
        VectorRun run{
                .device = device, .model = testCase.model, .wanted = wanted, .patience = patience};
        if (Failure failure = run.begin()) return failure;
        const auto executed = execute(*run.prepared, run.arguments->request());
        if (Failure failure = run.check("execute with " + name(), executed)) return failure;
        outputs = run.arguments->outputs(executed->first, outputTypes(testCase.model));
        return std::nullopt;
    }
};

Failure runCoupled(const TestCase& testCase, OperandType type, const DeviceTestOptions& options,
                   const SharedDevice& device) {
    const Result<TestCase> other = counterpartOf(testCase, type);
    if (!other.ok()) return failedCall("the other type", other.status());
    std::array halves = {TypeVariant(testCase, options.tolerances),
                         TypeVariant(*other, options.tolerances)};
    for (const TypeVariant& half : halves) {
        const Result<Version> needed = validate(half.testCase.model);
        if (!needed.ok()) return notSupported(half.name() + " in this call of the operation");
        if (!isCompliantVersion(*needed, device->getFeatureLevel())) {
            return *checkSupports(*device, half.testCase.model);
        }
    }
    for (TypeVariant& half : halves) {
        const Failure failure = checkSupports(*device, half.testCase.model);
        if (failure && failure->result == DeviceOutcome::Result::FAILED) return failure;
        half.isSupported = !failure;
    }
    if (halves[0].isSupported != halves[1].isSupported) {
        const size_t yes = halves[0].isSupported ? 0 : 1;
        return failed("getSupportedOperations",
                      fmt::format("{} with {} and not with {}, allowed both or none",
                                  nn::toString(testCase.model.main.operations[0].type),
                                  halves[yes].name(), halves[1 - yes].name()),
                      "coupling.signed");
    }
    for (TypeVariant& half : halves) {
        if (Failure failure = half.run(device, options.patience)) return failure;
    }
    for (size_t i = 0; i < halves[0].outputs.size(); ++i) {
        if (testCase.outputs[i].ignored) continue;
        const OperandType outputType = outputTypes(testCase.model)[i];
        if (outputType == type) shift(halves[1].outputs[i].data);
        const TensorComparison compared =
                compareTensors(outputType, halves[0].outputs[i], halves[1].outputs[i],
                               halves[0].wanted.criteria.of(outputType));
        if (compared.pass) continue;
        return failed(fmt::format("output {} with {}, moved by 128", i, halves[1].name()),
                      fmt::format("{}, which is that with {}", compared.message, halves[0].name()),
                      "coupling.signed");
    }
    return std::nullopt;
}

}  // namespace

void addCoupling(Cases& cases, const std::shared_ptr<const TestCase>& testCase,
                 const DeviceTestOptions& options) {
    if (!isWellFormed(*testCase) || testCase->expectFailure) return;
    const auto type = coupledType(testCase->model);
    if (!type) return;
    DeviceCase made = deviceCase(fmt::format("coupling/{}/both", testCase->name),
                                 [=](const SharedDevice& device) {
                                     return runCoupled(*testCase, *type, options, device);
                                 });
    made.operation = nn::toString(testCase->model.main.operations[0].type);
    made.type = nn::toString(*type);
    cases.push_back(std::move(made));
}

}  // namespace nn::testing
