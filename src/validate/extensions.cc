#include "validate/extensions.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "types/printable.h"

namespace nn {
namespace {

constexpr std::string_view kRule = "interpreter.extension";

Status failure(const std::string& message) {
    return makeError(ErrorStatus::GENERAL_FAILURE, message);
}

Status illegal(std::string_view name, std::string message) {
    return makeError(ErrorStatus::INVALID_ARGUMENT,
                     Diagnostic{.rule = std::string(kRule),
                                .path = fmt::format("extension {}", printable(name)),
                                .message = std::move(message)});
}

Status check(const ExtensionOperations& registered) {
    const std::string& name = registered.extension.name;
    if (const auto legal = nn::validate(registered.extension); !legal.ok())
        return illegal(name, std::string(legal.status().message()));
    std::set<uint16_t> numbers;
    for (const ExtensionOperation& operation : registered.operations) {
        if (operation.compute == nullptr)
            return illegal(name, fmt::format("operation {} has no compute", operation.number));
        if (!numbers.insert(operation.number).second)
            return illegal(name, fmt::format("operation {} stands there twice, allowed once",
                                             operation.number));
    }
    return {};
}

bool report(const Status& status, const ops::Call& op) {
    if (!status.ok()) op.sink().fail(kRule, std::string(status.message()));
    return status.ok();
}

}  // namespace

// The operands of an operation as its extension sees them.
class Extensions::Call {
   public:
    Call(const Extensions& extensions, const ops::Call& op) {
        for (size_t i = 0; i < op.inputCount(); ++i)
            mInputs.push_back(operand(extensions, op.input(i), true));
        for (size_t i = 0; i < op.outputCount(); ++i)
            mOutputs.push_back(operand(extensions, op.output(i), false));
    }

    operator ExtensionCall() const { return {.inputs = mInputs, .outputs = mOutputs}; }

    // Elements that a function does not write must not expose the former contents of the memory.
    void clearOutputs() const {
        for (const ExtensionOperand& output : mOutputs) absl::c_fill(output.mutableData, 0);
    }

   private:
    static ExtensionOperand operand(const Extensions& extensions, const ops::Value& value,
                                    bool isInput) {
        const Result<ElementType> type = extensions.elementType(value.type);
        const uint64_t count = value.elementCount().value_or(0);
        const auto size = static_cast<size_t>(type.ok() ? type->size * count : 0);
        ExtensionOperand result{.type = value.type,
                                .dimensions = value.dimensions,
                                .scale = value.scale,
                                .zeroPoint = value.zeroPoint,
                                .hasNoValue = value.omitted};
        if (isExtension(value.type)) {
            const auto prefix = getExtensionPrefix(static_cast<uint32_t>(value.type));
            if (const auto named = extensions.mByPrefix.find(prefix);
                named != extensions.mByPrefix.end()) {
                result.extension = named->second.name;
            }
        }
        if (const auto* params = std::get_if<Operand::ExtensionParams>(value.extraParams))
            result.params = *params;
        if (const auto* channels = value.channelQuant()) {
            result.channelScales = channels->scales;
            result.channelDim = channels->channelDim;
        }
        if (isInput && value.data != nullptr) result.data = {value.data.get(), size};
        if (!isInput && value.mutableData != nullptr) {
            result.mutableData = {value.mutableData.get(), size};
        }
        return result;
    }

    std::vector<ExtensionOperand> mInputs;
    std::vector<ExtensionOperand> mOutputs;
};

Result<Extensions> Extensions::create(
        const Model& model,
        std::span<const std::shared_ptr<const ExtensionOperations>> registered) {
    std::map<std::string_view, std::shared_ptr<const ExtensionOperations>> byName;
    for (const auto& extension : registered) {
        if (extension == nullptr) continue;
        NNAPI_RETURN_IF_ERROR(check(*extension));
        const std::string& name = extension->extension.name;
        if (!byName.emplace(name, extension).second)
            return illegal(name, "is registered twice, allowed once");
    }
    Extensions extensions;
    for (const ExtensionNameAndPrefix& named : model.extensionNameToPrefix) {
        const auto found = byName.find(named.name);
        Named& entry = extensions.mByPrefix[named.prefix];
        entry.name = named.name;
        if (found == byName.end()) continue;
        entry.registered = found->second;
        for (const auto& type : entry.registered->extension.operandTypes) {
            entry.types[type.type] = {.size = type.byteSize, .isTensor = type.isTensor};
        }
        for (const ExtensionOperation& operation : entry.registered->operations) {
            entry.operations[operation.number] = &operation;
        }
    }
    return extensions;
}

Result<const Extensions::Named*> Extensions::find(uint32_t type, std::string_view kind) const {
    const uint16_t prefix = getExtensionPrefix(type);
    const auto named = mByPrefix.find(prefix);
    if (named == mByPrefix.end()) {
        return failure(fmt::format(
                "{} type {:#010x} has prefix {}, which extensionNameToPrefix does not name", kind,
                type, prefix));
    }
    if (named->second.registered == nullptr) {
        return failure(fmt::format(
                "{} {} of extension {} (prefix {}) is not registered: give its "
                "ExtensionOperations in PrepareOptions::extensions",
                kind, getTypeWithinExtension(type), printable(named->second.name), prefix));
    }
    return &named->second;
}

Result<ElementType> Extensions::elementType(OperandType type) const {
    if (!isExtension(type)) return elementTypeOf(operandTypeInfo(type));
    NNAPI_ASSIGN_OR_RETURN(named, find(static_cast<uint32_t>(type), "operand"));
    const uint16_t number = getTypeWithinExtension(static_cast<uint32_t>(type));
    const auto found = named->types.find(number);
    if (found == named->types.end()) {
        return failure(
                fmt::format("extension {} is registered without type {}: add it to "
                            "ExtensionOperations::extension",
                            printable(named->name), number));
    }
    return found->second;
}

Result<const ExtensionOperation*> Extensions::operation(OperationType type) const {
    NNAPI_ASSIGN_OR_RETURN(named, find(static_cast<uint32_t>(type), "operation"));
    const uint16_t number = getTypeWithinExtension(static_cast<uint32_t>(type));
    const auto found = named->operations.find(number);
    if (found == named->operations.end()) {
        return failure(
                fmt::format("extension {} is registered without operation {}: add it to "
                            "ExtensionOperations::operations",
                            printable(named->name), number));
    }
    return found->second;
}

bool Extensions::validate(const ExtensionOperation& operation, const ops::Call& op) const {
    if (!operation.takesOmittedInputs) {
        for (size_t i = 0; i < op.inputCount(); ++i) {
            if (!op.require(op.has(i), kRule, "{} has no value, allowed only for optional operands",
                            op.in(i))) {
                return false;
            }
        }
    }
    return operation.validate == nullptr || report(operation.validate(Call(*this, op)), op);
}

bool Extensions::outputShapes(const ExtensionOperation& operation, const ops::Call& op,
                              std::span<ops::Shape> shapes) const {
    if (operation.inferShapes == nullptr) return true;
    for (size_t i = 0; i < op.inputCount(); ++i) {
        if (op.has(i) && !op.input(i).isFullyKnown()) return true;  // decided at execution
    }
    std::vector<ExtensionOperation::Dimensions> dimensions(shapes.size());
    if (!report(operation.inferShapes(Call(*this, op), dimensions), op)) return false;
    for (size_t i = 0; i < shapes.size(); ++i) {
        if (dimensions[i]) shapes[i].emplace(dimensions[i]->begin(), dimensions[i]->end());
    }
    return true;
}

bool Extensions::compute(const ExtensionOperation& operation, const ops::Call& op,
                         std::function<Status()> mayContinue) const {
    for (size_t i = 0; i < op.outputCount(); ++i) {
        if (!op.require(op.output(i).mutableData != nullptr, kRule,
                        "inferShapes gives {} no dimensions", op.out(i))) {
            return false;
        }
    }
    const Call operands(*this, op);
    operands.clearOutputs();
    ExtensionCall call = operands;
    call.mayContinue = std::move(mayContinue);
    return report(operation.compute(call), op);
}

std::string Extensions::operationName(OperationType type) const {
    if (const OperationTypeInfo* info = operationTypeInfo(type)) return std::string(info->name);
    const auto number = static_cast<uint32_t>(type);
    const auto named = mByPrefix.find(getExtensionPrefix(number));
    if (!isExtension(type) || named == mByPrefix.end()) return {};
    return fmt::format("{}:{}", printable(named->second.name), getTypeWithinExtension(number));
}

}  // namespace nn
