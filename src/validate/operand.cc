// The checks of one operand: type, dimensions, quantization, lifetime and location.
#include <absl/algorithm/container.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "base/no_throw.h"
#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"
#include "op_support/rules/op_view.h"
#include "validate/checks.h"
#include "validate/subgraph.h"

namespace nn {
namespace {

using LifeTime = Operand::LifeTime;

bool isPositive(float scale) { return scale > 0 && std::isfinite(scale); }

// isPositive for many, by their bits: those of a finite number above 0 are between those of 0 and
// of infinity, which compilers can vectorize.
bool arePositive(std::span<const float> scales) {
    constexpr auto kInfinity = std::bit_cast<int32_t>(std::numeric_limits<float>::infinity());
    uint32_t others = 0;
    for (const float scale : scales) {
        const auto bits = std::bit_cast<int32_t>(scale);
        others |= static_cast<uint32_t>(bits <= 0) | static_cast<uint32_t>(bits >= kInfinity);
    }
    return others == 0;
}

// The size of a value: 0 if unknown, kTooMany if it overflows. `info` is the row of the type, here
// and below; null if there is none.
constexpr uint64_t kTooMany = std::numeric_limits<uint64_t>::max();
inline uint64_t bytesOf(const Operand& operand, const OperandTypeInfo* info) {
    if (info == nullptr) return 0;
    if (!info->isTensor) return info->elementSize;
    if (operand.dimensions.empty()) return 0;
    return checkedMul<uint64_t>(info->elementSize, checkedProduct<uint64_t>(operand.dimensions))
            .value_or(kTooMany);
}

bool isPartlyKnown(const std::vector<uint32_t>& dimensions) {
    return dimensions.empty() || absl::c_find(dimensions, 0u) != dimensions.end();
}

// Each rule's condition is inline and its message is composed out of line: nearly all operands are
// legal.
#define NNAPI_COLD [[gnu::cold, gnu::noinline]]

NNAPI_COLD void failUnknown(const Operand& operand, const Place& place, Report& report) {
    report.fail(place, "operand.dimensions",
                fmt::format("dimensions are {}, allowed only known ones for a constant",
                            DimensionList{operand.dimensions}));
}

NNAPI_COLD void failSize(const Operand& operand, const OperandTypeInfo& info, const Place& place,
                         Report& report) {
    report.fail(place, "operand.dimensions",
                fmt::format("dimensions are {}, the size of such a {} does not fit 64 bits",
                            DimensionList{operand.dimensions}, info.name));
}

NNAPI_COLD void failScalar(const Operand& operand, const OperandTypeInfo& info, const Place& place,
                           Report& report) {
    report.fail(place, "operand.dimensions",
                fmt::format("dimensions are {}, allowed [] for {}",
                            DimensionList{operand.dimensions}, info.name));
}

inline void checkDimensions(const Operand& operand, const OperandTypeInfo& info, uint64_t bytes,
                            const Place& place, Report& report) {
    if (!info.isTensor) {
        if (!operand.dimensions.empty()) [[unlikely]]
            failScalar(operand, info, place, report);
        return;
    }
    if (isConstant(operand.lifetime)) {
        if (bytes == 0) [[unlikely]]  // elements have a size, so that a dimension has none
            failUnknown(operand, place, report);
    } else if (operand.dimensions.empty()) {
        report.requireVersion(place, kVersionFeatureLevel3, "a tensor of unknown rank");
    }
    if (bytes == kTooMany) [[unlikely]]
        failSize(operand, info, place, report);
}

NNAPI_COLD void failScale(const Operand& operand, const OperandTypeInfo& info, const Place& place,
                          Report& report) {
    const std::string_view allowed = info.scale == ScaleRule::ZERO ? "0"
                                     : info.scale == ScaleRule::POSITIVE
                                             ? "finite values above 0"
                                             : "0 and finite values above";
    report.fail(place, "operand.scale",
                fmt::format("scale is {}, allowed {} for {}", operand.scale, allowed, info.name));
}

inline bool allowsScale(ScaleRule rule, float scale) {
    if (rule == ScaleRule::ANY) return true;
    if (scale == 0) return rule != ScaleRule::POSITIVE;
    return rule != ScaleRule::ZERO && isPositive(scale);
}

inline void checkScale(const Operand& operand, const OperandTypeInfo& info, const Place& place,
                       Report& report) {
    if (!allowsScale(info.scale, operand.scale)) [[unlikely]]
        failScale(operand, info, place, report);
}

NNAPI_COLD void failZeroPoint(const Operand& operand, const OperandTypeInfo& info,
                              const Place& place, Report& report) {
    if (info.zeroPointMin == info.zeroPointMax) {
        report.fail(place, "operand.zero_point",
                    fmt::format("zeroPoint is {}, allowed {} for {}", operand.zeroPoint,
                                info.zeroPointMin, info.name));
    } else {
        report.fail(place, "operand.zero_point",
                    fmt::format("zeroPoint is {}, allowed {}..{} for {}", operand.zeroPoint,
                                info.zeroPointMin, info.zeroPointMax, info.name));
    }
}

inline bool allowsZeroPoint(const OperandTypeInfo& info, int32_t zeroPoint) {
    return zeroPoint >= info.zeroPointMin && zeroPoint <= info.zeroPointMax;
}

inline void checkZeroPoint(const Operand& operand, const OperandTypeInfo& info, const Place& place,
                           Report& report) {
    if (!allowsZeroPoint(info, operand.zeroPoint) && info.scale != ScaleRule::ANY) [[unlikely]]
        failZeroPoint(operand, info, place, report);
}

void checkChannelQuant(const Operand& operand, const OperandTypeInfo& info, const Place& place,
                       Report& report) {
    constexpr std::string_view kRule = "operand.extra_params";
    const auto* params = std::get_if<Operand::SymmPerChannelQuantParams>(&operand.extraParams);
    if (!report.require(params != nullptr, place, kRule,
                        "extraParams are not SymmPerChannelQuantParams, as {} demands",
                        info.name)) {
        return;
    }
    const auto& dimensions = operand.dimensions;
    if (!report.require(params->channelDim < dimensions.size(), place, kRule,
                        "channelDim is {}, {}", params->channelDim,
                        Below{dimensions.size(), "the tensor", "dimensions"})) {
        return;
    }
    const uint32_t channels = dimensions[params->channelDim];
    report.require(channels != 0 && params->scales.size() == channels, place, kRule,
                   "{} for {}, allowed one each and one at least",
                   Plural{params->scales.size(), "scales"}, Plural{channels, "channels"});
    if (!arePositive(params->scales)) {
        const auto scale = absl::c_find_if_not(params->scales, isPositive);
        report.fail(place, kRule,
                    fmt::format("scale of channel {} is {}, allowed finite values above 0",
                                scale - params->scales.begin(), *scale));
    }
}

NNAPI_COLD void failExtraParams(const OperandTypeInfo& info, const Place& place, Report& report) {
    report.fail(place, "operand.extra_params",
                fmt::format("extraParams are given, allowed none for {}", info.name));
}

inline void checkExtraParams(const Operand& operand, const OperandTypeInfo& info,
                             const Place& place, Report& report) {
    if (operand.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        checkChannelQuant(operand, info, place, report);
    } else if (operand.extraParams.index() != 0 && info.scale != ScaleRule::ANY) [[unlikely]] {
        failExtraParams(info, place, report);
    }
}

void checkExtensionOperand(const Operand& operand, const Place& place, Report& report) {
    report.require(operand.scale == 0, place, "operand.scale",
                   "scale is {}, allowed 0 for extension types", operand.scale);
    report.require(operand.zeroPoint == 0, place, "operand.zero_point",
                   "zeroPoint is {}, allowed 0 for extension types", operand.zeroPoint);
    report.require(
            !std::holds_alternative<Operand::SymmPerChannelQuantParams>(operand.extraParams), place,
            "operand.extra_params",
            "extraParams are SymmPerChannelQuantParams, allowed none or bytes for extension types");
}

NNAPI_COLD void checkUnlistedType(OperandType type, const Place& place, Report& report) {
    if (isExtension(type)) {
        report.requireVersion(place, kVersionFeatureLevel3, "an extension type");
    } else {
        report.fail(place, "operand.type",
                    fmt::format("type is {}, allowed {}", static_cast<int32_t>(type),
                                kOperandTypesText));
    }
}

inline void checkType(OperandType type, const OperandTypeInfo* info, const Place& place,
                      Report& report) {
    if (info != nullptr) [[likely]] {
        report.requireVersion(place, info->since, info->name);
    } else {
        checkUnlistedType(type, place, report);
    }
}

// Steps in addition to those of the operands, which are counted in groups of this many. Scales are
// checked much faster than operands.
constexpr size_t kAnnounced = 64;
inline uint64_t stepsOfScales(const Operand& operand) {
    const auto* quant = std::get_if<Operand::SymmPerChannelQuantParams>(&operand.extraParams);
    return quant == nullptr ? 0 : quant->scales.size() / 16;
}

constexpr auto kLastLifeTime = static_cast<uint32_t>(LifeTime::POINTER);

bool isLifeTime(LifeTime lifetime) { return static_cast<uint32_t>(lifetime) <= kLastLifeTime; }

NNAPI_COLD void failLifetime(const Operand& operand, const Place& place, Report& report) {
    constexpr std::string_view kRule = "operand.lifetime";
    if (!isLifeTime(operand.lifetime)) {
        report.failWith(place, kRule, "lifetime is {}, allowed 0 to {}",
                        static_cast<int32_t>(operand.lifetime), kLastLifeTime);
    } else if (operand.type == OperandType::SUBGRAPH) {
        report.failWith(place, kRule, "lifetime is {}, allowed only SUBGRAPH for type SUBGRAPH",
                        operand.lifetime);
    } else {
        report.failWith(place, kRule,
                        "lifetime is SUBGRAPH, allowed only for type SUBGRAPH, and type is {}",
                        operand.type);
    }
}

inline bool checkLifetime(const Operand& operand, const Place& place, Report& report) {
    const bool isGraph = operand.type == OperandType::SUBGRAPH;
    if (isLifeTime(operand.lifetime) && isGraph == (operand.lifetime == LifeTime::SUBGRAPH))
            [[likely]]
        return true;
    failLifetime(operand, place, report);
    return false;
}

// The fields of the location that a lifetime uses, as masks of their bits. The others must be 0,
// padding always.
struct UsedFields {
    bool pointer = false;
    uint32_t poolIndex = 0;
    uint32_t offset = 0;
    uint32_t length = 0;
};

constexpr std::array<UsedFields, kLastLifeTime + 1> kUsedFields = [] {
    std::array<UsedFields, kLastLifeTime + 1> fields{};
    const auto of = [&](LifeTime lifetime) -> auto& {
        return fields[static_cast<size_t>(lifetime)];
    };
    of(LifeTime::CONSTANT_COPY) = {.offset = ~0u, .length = ~0u};
    of(LifeTime::CONSTANT_REFERENCE) = {.poolIndex = ~0u, .offset = ~0u, .length = ~0u};
    of(LifeTime::SUBGRAPH) = {.offset = ~0u};
    of(LifeTime::POINTER) = {.pointer = true, .length = ~0u};
    return fields;
}();

NNAPI_COLD void failUnusedFields(const Operand& operand, const UsedFields& used, const Place& place,
                                 Report& report) {
    const DataLocation& location = operand.location;
    const auto require = [&](uint32_t mask, std::string_view field, uint32_t value) {
        report.require((value & ~mask) == 0, place, "operand.location",
                       "location.{} is {}, allowed 0 for {}", field, value, operand.lifetime);
    };
    report.require(used.pointer || !hasPointer(location), place, "operand.location",
                   "location.pointer is set, allowed null for {}", operand.lifetime);
    require(used.poolIndex, "poolIndex", location.poolIndex);
    require(used.offset, "offset", location.offset);
    require(used.length, "length", location.length);
    require(0, "padding", location.padding);
}

// hasPointer, inlined.
inline bool points(const DataLocation& location) {
    return std::visit([](const void* p) { return p != nullptr; }, location.pointer);
}

inline void checkUnusedFields(const Operand& operand, const Place& place, Report& report) {
    const UsedFields& used = kUsedFields[static_cast<size_t>(operand.lifetime)];
    const DataLocation& location = operand.location;
    const uint32_t set = (location.poolIndex & ~used.poolIndex) | (location.offset & ~used.offset) |
                         (location.length & ~used.length) | location.padding;
    if (set != 0 || (!used.pointer && points(location))) [[unlikely]]
        failUnusedFields(operand, used, place, report);
}

NNAPI_COLD void failWithin(const DataLocation& location, uint64_t size, std::string_view what,
                           const Place& place, Report& report) {
    report.fail(place, "operand.location",
                fmt::format("offset {} + length {} is allowed up to {}, the size of {}",
                            location.offset, location.length, size, what));
}

inline void checkWithin(const DataLocation& location, uint64_t size, std::string_view what,
                        const Place& place, Report& report) {
    if (!fits(location.offset, location.length, size)) [[unlikely]]
        failWithin(location, size, what, place, report);
}

NNAPI_COLD void failLength(const Operand& operand, uint64_t bytes, const Place& place,
                           Report& report) {
    report.fail(place, "operand.location",
                fmt::format("location.length is {}, allowed {} for {}{}", operand.location.length,
                            bytes, operand.type, DimensionList{operand.dimensions}));
}

void checkReference(const DataLocation& location, const Model& model, const Place& place,
                    Report& report) {
    if (location.poolIndex >= model.pools.size()) [[unlikely]] {
        report.failWith(place, "operand.location", "location.poolIndex is {}, {}",
                        location.poolIndex, Below{model.pools.size(), "the model", "pools"});
    } else {
        checkWithin(location, size(model.pools[location.poolIndex]), "the pool", place, report);
    }
}

[[gnu::always_inline]] inline void checkLocation(const Operand& operand,
                                                 const OperandTypeInfo* info, uint64_t bytes,
                                                 const Model& model, const Place& place,
                                                 Report& report) {
    checkUnusedFields(operand, place, report);
    const DataLocation& location = operand.location;
    if (operand.lifetime == LifeTime::CONSTANT_COPY) {
        checkWithin(location, model.operandValues.size(), "operandValues", place, report);
    } else if (operand.lifetime == LifeTime::CONSTANT_REFERENCE) {
        checkReference(location, model, place, report);
    } else if (operand.lifetime == LifeTime::SUBGRAPH) {
        report.require(location.offset < model.referenced.size(), place, "operand.location",
                       "location.offset is {}, {}", location.offset,
                       Below{model.referenced.size(), "the model", "referenced subgraphs"});
    } else if (operand.lifetime == LifeTime::POINTER) {
        report.require(hasPointer(location), place, "operand.location",
                       "location.pointer is null, allowed any other for POINTER");
    } else {
        return;
    }
    // OEM and extension types have sizes that only their vendors know.
    if (location.length != bytes && isConstant(operand.lifetime) && bytes != kTooMany &&
        info != nullptr && operand.type != OperandType::OEM &&
        operand.type != OperandType::TENSOR_OEM_BYTE) [[unlikely]]
        failLength(operand, bytes, place, report);
}

// Checks everything but the location; true if the lifetime is legal.
[[gnu::always_inline]] inline bool checkAlone(const Operand& operand, const OperandTypeInfo* info,
                                              uint64_t bytes, const Place& place, Report& report) {
    if (!report.within(&Limits::rank, operand.dimensions.size(), place)) return false;
    checkType(operand.type, info, place, report);
    if (info != nullptr) [[likely]] {
        checkDimensions(operand, *info, bytes, place, report);
        checkScale(operand, *info, place, report);
        checkZeroPoint(operand, *info, place, report);
        checkExtraParams(operand, *info, place, report);
    } else if (isExtension(operand.type)) {
        checkExtensionOperand(operand, place, report);
    }
    return checkLifetime(operand, place, report);
}

[[gnu::always_inline]] inline void checkWhole(const Operand& operand, const OperandTypeInfo* info,
                                              const Model& model, const Place& place,
                                              Report& report) {
    const uint64_t bytes = bytesOf(operand, info);
    if (checkAlone(operand, info, bytes, place, report))
        checkLocation(operand, info, bytes, model, place, report);
}

#undef NNAPI_COLD

// Remembers, per lifetime, the last accepted operand that needs only the first version: most others
// are like it and need no full check.
class Accepted {
   public:
    Accepted(const Model& model, const Limits& limits) : mModel(model), mMaxRank(limits.rank) {}

    void add(const Operand& operand, const OperandTypeInfo* info) {
        const auto lifetime = static_cast<size_t>(operand.lifetime);
        if (lifetime >= mLast.size() || info == nullptr || info->scale == ScaleRule::ANY) return;
        mLast[lifetime] = {&operand, info, roomFor(operand)};
    }

    // True if the operand differs from the last one only in dimensions, quantization and location,
    // and these are legal. The rest is compared at once.
    bool hasOneLike(const Operand& operand) const {
        const auto lifetime = static_cast<uint32_t>(operand.lifetime);
        if (lifetime >= mLast.size() || mLast[lifetime].operand == nullptr) return false;
        const auto& [last, info, room] = mLast[lifetime];
        const DataLocation& location = operand.location;
        const uint32_t differences = different(operand.type, last->type) |
                                     different(location.poolIndex, last->location.poolIndex) |
                                     location.padding |
                                     static_cast<uint32_t>(operand.extraParams.index());
        if (differences != 0 || points(location) || !fits(location.offset, location.length, room)) {
            return false;
        }
        const uint32_t quantization = different(operand.scale, last->scale) |
                                      different(operand.zeroPoint, last->zeroPoint);
        if (quantization != 0 && !(allowsScale(info->scale, operand.scale) &&
                                   allowsZeroPoint(*info, operand.zeroPoint))) {
            return false;
        }
        return operand.dimensions.empty()
                       ? last->dimensions.empty() && location.length == last->location.length
                       : isSized(operand, *info);
    }

   private:
    template <class Number>
    static uint32_t different(Number a, Number b) {
        return std::bit_cast<uint32_t>(a) ^ std::bit_cast<uint32_t>(b);
    }

    // For a tensor of known rank.
    bool isSized(const Operand& operand, const OperandTypeInfo& info) const {
        if (!info.isTensor || operand.dimensions.size() > mMaxRank) return false;
        const uint64_t bytes = bytesOf(operand, &info);
        return isConstant(operand.lifetime) ? bytes != 0 && operand.location.length == bytes
                                            : bytes != kTooMany;
    }

    // The size of the memory that contains the value; 0 for non-constants.
    uint64_t roomFor(const Operand& operand) const {
        if (operand.lifetime == LifeTime::CONSTANT_COPY) return mModel.operandValues.size();
        if (operand.lifetime == LifeTime::CONSTANT_REFERENCE)
            return size(mModel.pools[operand.location.poolIndex]);
        return 0;
    }

    struct CheckedOperand {
        const Operand* operand = nullptr;
        const OperandTypeInfo* info = nullptr;
        uint64_t room = 0;  // bytes
    };
    const Model& mModel;
    uint64_t mMaxRank;
    std::array<CheckedOperand, static_cast<size_t>(LifeTime::CONSTANT_REFERENCE) + 1> mLast{};
};

}  // namespace

void check(const OperandType& type, const Place& place, Report& report) {
    checkType(type, operandTypeInfo(type), place, report);
}

bool checkOperandAlone(const Operand& operand, const Place& place, Report& report) {
    const OperandTypeInfo* info = operandTypeInfo(operand.type);
    return checkAlone(operand, info, bytesOf(operand, info), place, report);
}

void checkOperand(const Operand& operand, const Model& model, const Place& place, Report& report) {
    checkWhole(operand, operandTypeInfo(operand.type), model, place, report);
}

void checkOperands(const Model::Subgraph& subgraph, const Model& model, DeclaredPrefixes* prefixes,
                   const Place& place, GraphFacts* found, std::span<Operand::LifeTime> lifetimes,
                   Report& report) {
    Place at{&place, "operands"};
    OperandType type{};
    const OperandTypeInfo* info = operandTypeInfo(type);
    Accepted accepted(model, report.limits());
    report.takePart();
    const std::span<const Operand> operands = subgraph.operands;
    for (size_t i = 0; i < operands.size(); ++i) {
        const Operand& operand = operands[i];
        if (i % kAnnounced == 0) {
            at.index = static_cast<int64_t>(i);
            report.spend(at, std::min(kAnnounced, operands.size() - i));
            if (report.done()) return;
        }
        lifetimes[i] = operand.lifetime;
        if (accepted.hasOneLike(operand)) continue;
        at.index = static_cast<int64_t>(i);
        if (const uint64_t steps = stepsOfScales(operand); steps != 0) report.spend(at, steps);
        if (operand.type != type) info = operandTypeInfo(type = operand.type);
        const size_t broken = report.broken();
        checkWhole(operand, info, model, at, report);
        const Version needed = report.takePart();
        if (report.broken() == broken && needed == Version{}) accepted.add(operand, info);
        if (found != nullptr) found->operands[i] = needed;
        if (prefixes != nullptr) prefixes->check(static_cast<uint32_t>(type), at, report);
        if (report.done()) return;
    }
}

std::string differenceButExtraParams(const Operand& found, const Operand& allowed) {
    if (found.type != allowed.type) {
        return fmt::format("is {}, allowed {}", found.type, allowed.type);
    }
    const auto differs = [](uint32_t a, uint32_t b) { return a != 0 && b != 0 && a != b; };
    const auto& a = found.dimensions;
    const auto& b = allowed.dimensions;
    bool fit = a.empty() || b.empty() || a.size() == b.size();
    for (size_t i = 0; fit && i < a.size() && i < b.size(); ++i) fit = !differs(a[i], b[i]);
    if (!fit) {
        return fmt::format("has dimensions {}, allowed {}", DimensionList{a}, DimensionList{b});
    }
    if (found.scale != allowed.scale) {
        return fmt::format("has scale {}, allowed {}", found.scale, allowed.scale);
    }
    if (found.zeroPoint != allowed.zeroPoint) {
        return fmt::format("has zeroPoint {}, allowed {}", found.zeroPoint, allowed.zeroPoint);
    }
    return "";
}

Result<Version> validateOperandType(const Operand& operand,
                                    const Extension::OperandTypeInformation* extensionInfo,
                                    bool allowPartial) NNAPI_TRY {
    Report report;
    const Place place{};
    check(operand.type, place, report);
    if (!report.ok()) return report.result();

    const OperandTypeInfo* info = operandTypeInfo(operand.type);
    report.require(
            (info == nullptr) == (extensionInfo != nullptr), place, "operand.extension",
            "extension information is {} for {}, allowed and needed for extension types only",
            extensionInfo == nullptr ? "missing" : "given", operand.type);
    if (!report.ok()) return report.result();

    const bool isTensor = info == nullptr ? extensionInfo->isTensor : info->isTensor;
    const DimensionList list{operand.dimensions};
    if (isTensor) {
        // Unknown dimensions can only make the tensor larger.
        std::optional<uint64_t> bytes =
                info == nullptr ? extensionInfo->byteSize : info->elementSize;
        for (const uint32_t dimension : operand.dimensions) {
            bytes = checkedMul<uint64_t>(bytes, std::max(dimension, 1u));
        }
        report.require(bytes && *bytes <= std::numeric_limits<uint32_t>::max(), place,
                       "operand.dimensions",
                       "dimensions are {}, allowed at most 2^32 - 1 bytes of {}", list,
                       operand.type);
        report.require(allowPartial || !isPartlyKnown(operand.dimensions), place,
                       "operand.dimensions", "dimensions are {}, allowed only known ones here",
                       list);
    } else {
        report.require(operand.dimensions.empty(), place, "operand.dimensions",
                       "dimensions are {}, allowed [] for {}", list, operand.type);
    }

    if (info == nullptr) {
        checkExtensionOperand(operand, place, report);
    } else if (operand.type != OperandType::TENSOR_INT32) {
        checkScale(operand, *info, place, report);
        checkZeroPoint(operand, *info, place, report);
    }
    return report.result();
}
NNAPI_CATCH

Status validateOperandSymmPerChannelQuantParams(const Operand& operand) NNAPI_TRY {
    Report report;
    const OperandTypeInfo* info = operandTypeInfo(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL);
    if (report.require(operand.type == info->type, Place{}, "operand.type",
                       "type is {}, allowed {}", operand.type, info->name)) {
        checkChannelQuant(operand, *info, Place{}, report);
    }
    return report.result().status();
}
NNAPI_CATCH

Status validateOperandList(std::span<const uint32_t> operands, size_t operandCount) NNAPI_TRY {
    Report report;
    for (size_t i = 0; i < operands.size() && !report.done(); ++i) {
        report.require(operands[i] < operandCount, Place{nullptr, "", static_cast<int64_t>(i)},
                       "operand.index", "operand {} does not exist, {}", operands[i],
                       Below{operandCount, "the model", "operands"});
    }
    return report.result().status();
}
NNAPI_CATCH

}  // namespace nn
