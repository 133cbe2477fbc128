// The checks behind nnapi/validate.h, one for each type, so that the same check applies to an
// object and to its nested objects.
#pragma once

#include <absl/algorithm/container.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "nnapi/types.h"
#include "nnapi/validate.h"
#include "validate/report.h"

namespace nn {

struct ValidationFacts;
struct GraphFacts;
class DeclaredPrefixes;

void check(const DeviceStatus& value, const Place& place, Report& report);
void check(const ExecutionPreference& value, const Place& place, Report& report);
void check(const DeviceType& value, const Place& place, Report& report);
void check(const MeasureTiming& value, const Place& place, Report& report);
void check(const Priority& value, const Place& place, Report& report);
void check(const ErrorStatus& value, const Place& place, Report& report);
void check(const FusedActivationFunc& value, const Place& place, Report& report);
void check(const OutputShape& shape, const Place& place, Report& report);
void check(const Timing& timing, const Place& place, Report& report);
void check(const Capabilities& capabilities, const Place& place, Report& report);
void check(const BufferDesc& desc, const Place& place, Report& report);
void check(const BufferRole& role, const Place& place, Report& report);
void check(const OptionalTimePoint& timePoint, const Place& place, Report& report);
void check(const OptionalDuration& duration, const Place& place, Report& report);
void check(const CacheToken& token, const Place& place, Report& report);
void check(const SyncFence& fence, const Place& place, Report& report);
void check(const SharedHandle& handle, const Place& place, Report& report);
void check(const SharedMemory& memory, const Place& place, Report& report);
void check(const TokenValuePair& pair, const Place& place, Report& report);
void check(const std::vector<TokenValuePair>& pairs, const Place& place, Report& report);
void check(const NumberOfCacheFiles& files, const Place& place, Report& report);
void check(const Executed& executed, const Place& place, Report& report);
void check(const ExecutionConfig& config, const Place& place, Report& report);
void check(const PrepareModelConfig& config, const Place& place, Report& report);

// extension.cc
void check(const Extension& extension, const Place& place, Report& report);
void check(const std::vector<Extension>& extensions, const Place& place, Report& report);
void check(const ExtensionNameAndPrefix& nameAndPrefix, const Place& place, Report& report);
void check(const std::vector<ExtensionNameAndPrefix>& namesAndPrefixes, const Place& place,
           Report& report);

// operand.cc
inline constexpr std::string_view kOperandTypesText = "0 to 15, 10000, 10001 and extension types";
void check(const OperandType& type, const Place& place, Report& report);
// Checks everything but the location, which depends on the model; true if the lifetime is legal.
bool checkOperandAlone(const Operand& operand, const Place& place, Report& report);
void checkOperand(const Operand& operand, const Model& model, const Place& place, Report& report);
// All operands of a subgraph; `prefixes` and `found` may be null.
//   lifetimes  receives the lifetime of each
void checkOperands(const Model::Subgraph& subgraph, const Model& model, DeclaredPrefixes* prefixes,
                   const Place& place, GraphFacts* found, std::span<Operand::LifeTime> lifetimes,
                   Report& report);

// "is INT32, allowed FLOAT32": the first difference that forbids that the values of one are those
// of the other; empty if none does. Unknown dimensions fit any.
std::string differenceButExtraParams(const Operand& found, const Operand& allowed);
inline constexpr std::string_view kOtherExtraParams = "has other extraParams, allowed the same";

// operation_check.cc
void check(const OperationType& type, const Place& place, Report& report);

// model.cc, request.cc
void check(const Model& model, const Place& place, Report& report);
void check(const Request& request, const Place& place, Report& report);

// Like validateAll, and also fills in `found`. It has an entry for each part, legal or not, unless
// the model exceeds a limit.
Findings findAll(const Model& model, const ValidateOptions& options, ValidationFacts& found);

// Fails if a subgraph that can be reached from one of these refers to itself.
void checkCycles(const Model& model, std::span<const uint32_t> starts, Report& report);

template <class T>
void check(const std::vector<T>& elements, const Place& place, Report& report) {
    for (size_t i = 0; i < elements.size() && !report.done(); ++i) {
        const Place element{&place, "", static_cast<int64_t>(i)};
        report.spend(element, 1);
        check(elements[i], element, report);
    }
}

// Fails for every element that repeats an earlier element's key.
template <class T, class Key>
void requireUnique(const std::vector<T>& elements, Key key, std::string_view what,
                   std::string_view rule, const Place& place, Report& report) {
    std::vector<size_t> order(elements.size());
    std::iota(order.begin(), order.end(), size_t{0});
    const auto keyAt = [&](size_t i) -> const auto& { return std::invoke(key, elements[i]); };
    if (!elements.empty()) report.spend(place, elements.size());
    absl::c_stable_sort(order, [&](size_t a, size_t b) { return keyAt(a) < keyAt(b); });
    for (size_t i = 1; i < order.size() && !report.done(); ++i) {
        if (keyAt(order[i]) != keyAt(order[i - 1])) continue;
        const Place element{&place, "", static_cast<int64_t>(order[i])};
        report.fail(element, rule,
                    fmt::format("{} is that of element {}, allowed only once", what, order[i - 1]));
    }
}

}  // namespace nn
