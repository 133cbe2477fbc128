// Files that describe devices.
#include <fmt/format.h>

#include "base/files.h"
#include "base/no_throw.h"
#include "base/printable.h"
#include "model_io/formats.h"
#include "nnapi/checked_math.h"
#include "nnapi/device.pb.h"
#include "nnapi/io.h"

namespace nn {
namespace {

using namespace schema;

template <class T>
std::vector<T> listOf(const auto& elements) {
    std::vector<T> list;
    for (const auto& element : elements) list.push_back(static_cast<T>(element));
    return list;
}

DeviceProfile::Operand read(const nnapi::DeviceOperand& message) {
    DeviceProfile::Operand operand{
            .name = message.name(),
            .types = listOf<OperandType>(message.types()),
            .minRank = {},
            .maxRank = {},
            .mustBeConstant = message.mustbeconstant(),
            .maxDimensions = listOf<uint32_t>(message.mostdimensions()),
            .minValue = {},
            .maxValue = {},
            .values = listOf<double>(message.values()),
    };
    if (message.has_leastrank()) operand.minRank = message.leastrank();
    if (message.has_mostrank()) operand.maxRank = message.mostrank();
    if (message.has_leastvalue()) operand.minValue = message.leastvalue();
    if (message.has_mostvalue()) operand.maxValue = message.mostvalue();
    return operand;
}

Result<DeviceProfile::Operation> read(const nnapi::DeviceOperation& message) {
    DeviceProfile::Operation operation;
    switch (message.which_case()) {
        case nnapi::DeviceOperation::kType:
            operation.type = static_cast<OperationType>(message.type());
            break;
        case nnapi::DeviceOperation::kExtension: {
            const auto type = checkedCast<uint16_t>(message.extension().type());
            if (!type) {
                return contentError(fmt::format("extension.type is {}, allowed 0..65535",
                                                message.extension().type()));
            }
            operation.extension = message.extension().name();
            if (operation.extension.empty()) {
                return contentError("extension.name is \"\", allowed that of an extension");
            }
            operation.typeWithinExtension = *type;
            break;
        }
        case nnapi::DeviceOperation::WHICH_NOT_SET:
            return contentError("names no operation");
    }
    for (const auto& operand : message.operands()) operation.operands.push_back(read(operand));
    operation.liftedRules = listOf<std::string>(message.liftedrules());
    return operation;
}

Result<DeviceProfile> read(const nnapi::Device& message) {
    const auto level = message.featurelevel();
    if (level < 1 || level > 8) {
        return contentError(fmt::format("featureLevel is {}, allowed 1..8", level));
    }
    DeviceProfile device{.name = message.name(),
                         .version = {.level = static_cast<Version::Level>(level)},
                         .supportsOthers = message.supportsothers(),
                         .isStrict = message.strict()};
    for (int i = 0; i < message.operations_size(); ++i) {
        auto operation = read(message.operations(i));
        if (!operation.ok()) {
            return within(fmt::format("operations[{}]: ", i), operation.status());
        }
        device.operations.push_back(*std::move(operation));
    }
    return device;
}

}  // namespace

Result<DeviceProfile> parseDevice(std::string_view bytes, Format format, const Limits& limits) try {
    nnapi::Device message;
    NNAPI_RETURN_IF_ERROR(parseMessage("", bytes, format, limits, message));
    return read(message);
} catch (...) {
    return statusOfException();
}

Result<DeviceProfile> readDevice(const std::filesystem::path& path, const Limits& limits) try {
    const auto format = formatOf(path);
    if (!format) {
        return contentError(
                fmt::format("{}: extension is {}, allowed .pb, .textproto and .json for a device",
                            nameOf(path), inQuotes(path.extension().string())));
    }
    NNAPI_ASSIGN_OR_RETURN(bytes, readFile(path, limits));
    nnapi::Device message;
    NNAPI_RETURN_IF_ERROR(parseMessage(path.string(), bytes, *format, limits, message));
    auto device = read(message);
    if (!device.ok()) return within(prefix(path.string()), device.status());
    return device;
} catch (...) {
    return statusOfException();
}

}  // namespace nn
