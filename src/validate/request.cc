// The checks of a request, as such and against the model it is for.
#include <absl/algorithm/container.h>

#include <optional>
#include <span>
#include <vector>

#include "base/no_throw.h"
#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"
#include "op_support/rules/op_view.h"
#include "validate/checks.h"
#include "validate/subgraph.h"

namespace nn {
namespace {

using Argument = Request::Argument;

void requireZero(std::string_view field, uint32_t value, std::string_view where, const Place& place,
                 Report& report) {
    report.require(value == 0, place, "request.location", "location.{} is {}, allowed 0 for {}",
                   field, value, where);
}

void requireNoPointer(const Argument& argument, const Place& place, Report& report) {
    report.require(!hasPointer(argument.location), place, "request.location",
                   "location.pointer is set, allowed null for {}", argument.lifetime);
}

void checkInPool(const DataLocation& location, const Request& request, const Place& place,
                 Report& report) {
    if (!report.require(location.poolIndex < request.pools.size(), place, "request.location",
                        "location.poolIndex is {}, {}", location.poolIndex,
                        Below{request.pools.size(), "the request", "pools"})) {
        return;
    }
    const auto* memory = std::get_if<SharedMemory>(&request.pools[location.poolIndex]);
    if (memory == nullptr) {  // a driver's buffer is always used as a whole
        requireZero("offset", location.offset, "a driver's buffer", place, report);
        requireZero("length", location.length, "a driver's buffer", place, report);
        requireZero("padding", location.padding, "a driver's buffer", place, report);
        return;
    }
    const uint64_t most = size(*memory);
    const uint64_t paddedLength = uint64_t{location.length} + location.padding;
    report.require(fits(location.offset, paddedLength, most), place, "request.location",
                   "offset {} + length {} + padding {} is allowed up to {}, the size of the pool",
                   location.offset, location.length, location.padding, most);
    report.require(location.length != 0 || most == 0, place, "request.location",
                   "location.length is 0, allowed 1 or more");
}

void checkNoValue(const Argument& argument, const Place& place, Report& report) {
    const DataLocation& location = argument.location;
    requireNoPointer(argument, place, report);
    requireZero("poolIndex", location.poolIndex, "NO_VALUE", place, report);
    requireZero("offset", location.offset, "NO_VALUE", place, report);
    requireZero("length", location.length, "NO_VALUE", place, report);
    requireZero("padding", location.padding, "NO_VALUE", place, report);
    report.require(argument.dimensions.empty(), place, "request.dimensions",
                   "dimensions are {}, allowed [] for NO_VALUE",
                   DimensionList{argument.dimensions});
}

void checkPointer(const DataLocation& location, bool isOutput, const Place& place, Report& report) {
    report.require(hasPointer(location), place, "request.location",
                   "location.pointer is null, allowed any other for POINTER");
    report.require(!isOutput || std::holds_alternative<void*>(location.pointer), place,
                   "request.location",
                   "location.pointer is a const void*, allowed void* for an output");
    requireZero("poolIndex", location.poolIndex, "POINTER", place, report);
    requireZero("offset", location.offset, "POINTER", place, report);
    report.require(location.length != 0, place, "request.location",
                   "location.length is 0, allowed 1 or more");
}

void checkArgument(const Argument& argument, const Request& request, bool isOutput,
                   const Place& place, Report& report) {
    switch (argument.lifetime) {
        case Argument::LifeTime::POOL:
            requireNoPointer(argument, place, report);
            return checkInPool(argument.location, request, place, report);
        case Argument::LifeTime::NO_VALUE:
            return checkNoValue(argument, place, report);
        case Argument::LifeTime::POINTER:
            return checkPointer(argument.location, isOutput, place, report);
    }
    report.fail(
            place, "request.lifetime",
            fmt::format("lifetime is {}, allowed 0 to 2", static_cast<int32_t>(argument.lifetime)));
}

void checkArguments(const std::vector<Argument>& arguments, const Request& request, bool isOutput,
                    Report& report) {
    for (size_t i = 0; i < arguments.size() && !report.done(); ++i) {
        const Place place{nullptr, isOutput ? "outputs" : "inputs", static_cast<int64_t>(i)};
        report.within(&Limits::rank, arguments[i].dimensions.size(), place);
        checkArgument(arguments[i], request, isOutput, place, report);
    }
}

// True for most arguments, which break no rule: they have a place, the model has all their
// dimensions, and these have their length.
bool isUsual(const Argument& argument, const Request& request, const Operand& operand,
             bool isOutput) {
    const DataLocation& location = argument.location;
    if (argument.lifetime == Argument::LifeTime::POOL) {
        if (location.poolIndex >= request.pools.size() || hasPointer(location)) return false;
        const auto* memory = std::get_if<SharedMemory>(&request.pools[location.poolIndex]);
        const uint64_t paddedLength = uint64_t{location.length} + location.padding;
        if (memory == nullptr || !fits(location.offset, paddedLength, size(*memory))) return false;
    } else if (argument.lifetime != Argument::LifeTime::POINTER || !hasPointer(location) ||
               location.poolIndex != 0 || location.offset != 0 ||
               (isOutput && !std::holds_alternative<void*>(location.pointer))) {
        return false;
    }
    const std::span<const uint32_t> dimensions = operand.dimensions;
    return location.length != 0 && dimensions.size() <= Limits().rank &&
           operandSize(operand.type, dimensions) == location.length &&
           (argument.dimensions.empty() ||
            (isNonExtensionTensor(operand.type) && absl::c_equal(argument.dimensions, dimensions)));
}

bool areUsual(std::span<const Argument> arguments, std::span<const uint32_t> indexes,
              const Request& request, std::span<const Operand> operands, bool isOutput) {
    if (arguments.size() != indexes.size()) return false;
    for (size_t i = 0; i < arguments.size(); ++i) {
        if (indexes[i] >= operands.size() ||
            !isUsual(arguments[i], request, operands[indexes[i]], isOutput)) {
            return false;
        }
    }
    return true;
}

void checkPool(const Request::MemoryPool& pool, const Place& place, Report& report) {
    if (const auto* memory = std::get_if<SharedMemory>(&pool)) {
        check(*memory, place, report);
    } else if (const auto* token = std::get_if<MemoryDomainToken>(&pool)) {
        report.requireVersion(place, kVersionFeatureLevel4, "a memory domain token");
        report.require(static_cast<uint32_t>(*token) != 0, place, "request.pool",
                       "token is 0, allowed 1 or more");
    } else if (const auto* buffer = std::get_if<SharedBuffer>(&pool)) {
        report.requireVersion(place, kVersionFeatureLevel4, "a driver's buffer");
        report.require(*buffer != nullptr, place, "request.pool", "buffer is null");
    }
}

bool isUnspecified(OperandType type, std::span<const uint32_t> dimensions) {
    return absl::c_count(dimensions, 0u) != 0 || (dimensions.empty() && isNonExtensionTensor(type));
}

// If one side is unspecified, or both are equal, nothing has to be combined.
bool addsNothing(std::span<const uint32_t> a, std::span<const uint32_t> b) {
    return b.empty() || absl::c_equal(a, b);
}

// Checks that an argument fits its operand of the model.
void checkFits(const Argument& argument, const Operand& operand, bool mayBeUnspecified,
               const Place& place, Report& report) {
    if (argument.lifetime == Argument::LifeTime::NO_VALUE) return;
    if (!report.within(&Limits::rank, operand.dimensions.size(), place)) return;
    const DimensionList given{argument.dimensions};
    const DimensionList declared{operand.dimensions};
    if (!report.require(argument.dimensions.empty() || !isNonExtensionScalar(operand.type), place,
                        "request.dimensions", "dimensions are {}, allowed [] for {}", given,
                        operand.type)) {
        return;
    }
    std::optional<std::vector<uint32_t>> both;
    std::span<const uint32_t> combined = operand.dimensions;
    if (addsNothing(argument.dimensions, operand.dimensions)) {
        combined = argument.dimensions;
    } else if (!argument.dimensions.empty()) {
        both = combineDimensions(argument.dimensions, operand.dimensions);
        if (!report.require(both.has_value(), place, "request.dimensions",
                            "dimensions are {}, allowed {} as in the model", given, declared)) {
            return;
        }
        combined = *both;
    }

    // A dimension that the argument leaves unspecified counts even if the model specifies it.
    if (isUnspecified(operand.type, combined) || absl::c_count(argument.dimensions, 0u)) {
        if (!report.require(mayBeUnspecified, place, "request.dimensions",
                            "dimensions are {} and in the model {}, allowed only known ones", given,
                            declared)) {
            return;
        }
        report.requireVersion(place, kVersionFeatureLevel3, "an output of unknown dimensions");
    }

    // A driver's buffer has no length, and only an extension defines the sizes of its types.
    const uint32_t length = argument.location.length;
    if (length == 0 || isExtension(operand.type)) return;
    const auto bytes = operandSize(operand.type, combined);
    if (!bytes) {
        report.fail(place, "request.length",
                    fmt::format("dimensions are {}, the size of such a {} does not fit 64 bits",
                                DimensionList{combined}, operand.type));
    } else {
        report.require(*bytes == 0 || *bytes == length, place, "request.length",
                       "location.length is {}, allowed {} for {}{}", length, *bytes, operand.type,
                       DimensionList{combined});
    }
}

void checkAgainst(const std::vector<Argument>& arguments, const Model::Subgraph& main,
                  bool isOutput, bool mayBeUnspecified, Report& report) {
    const std::string_view field = isOutput ? "outputs" : "inputs";
    const auto& indexes = isOutput ? main.outputIndexes : main.inputIndexes;
    if (!report.require(arguments.size() == indexes.size(), Place{}, "request.arguments",
                        "{} given, allowed {} as in the model", Plural{arguments.size(), field},
                        indexes.size())) {
        return;
    }
    for (size_t i = 0; i < arguments.size() && !report.done(); ++i) {
        const Place place{nullptr, field, static_cast<int64_t>(i)};
        if (!checkListed(indexes[i], main, isOutput ? "graph.outputs" : "graph.inputs", place,
                         report)) {
            continue;
        }
        checkFits(arguments[i], main.operands[indexes[i]], mayBeUnspecified, place, report);
    }
}

// A request is not part of another object, so paths start at its fields.
void checkPools(const Request& request, Report& report) {
    for (size_t i = 0; i < request.pools.size() && !report.done(); ++i) {
        checkPool(request.pools[i], Place{nullptr, "pools", static_cast<int64_t>(i)}, report);
    }
}

void checkArguments(const Request& request, Report& report) {
    checkArguments(request.inputs, request, /*isOutput=*/false, report);
    checkArguments(request.outputs, request, /*isOutput=*/true, report);
}

}  // namespace

void check(const Request& request, const Place&, Report& report) {
    checkPools(request, report);
    checkArguments(request, report);
}

Result<Version> validateRequestForModel(const Request& request, const Model& model,
                                        bool allowUnspecifiedOutput) NNAPI_TRY {
    Report report;
    checkPools(request, report);
    const Model::Subgraph& main = model.main;
    if (areUsual(request.inputs, main.inputIndexes, request, main.operands, /*isOutput=*/false) &&
        areUsual(request.outputs, main.outputIndexes, request, main.operands, /*isOutput=*/true)) {
        return report.result();
    }
    checkArguments(request, report);
    checkAgainst(request.inputs, main, /*isOutput=*/false, /*mayBeUnspecified=*/false, report);
    checkAgainst(request.outputs, main, /*isOutput=*/true, allowUnspecifiedOutput, report);
    return report.result();
}
NNAPI_CATCH

}  // namespace nn
