#include "validate/control_flow.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>

#include "nnapi/type_utils.h"
#include "op_support/rules/graph_call.h"
#include "validate/checks.h"

namespace nn {
namespace {

// The bytes that extra parameters consist of, so that they can be put in an order.
struct ParamBytes {
    size_t kind = 0;
    uint32_t channelDim = 0;
    std::span<const uint8_t> bytes{};

    explicit ParamBytes(const Operand::ExtraParams& params) : kind(params.index()) {
        if (const auto* quant = std::get_if<Operand::SymmPerChannelQuantParams>(&params)) {
            channelDim = quant->channelDim;
            bytes = {reinterpret_cast<const uint8_t*>(quant->scales.data()),
                     quant->scales.size() * sizeof(float)};
        } else if (const auto* extension = std::get_if<Operand::ExtensionParams>(&params)) {
            bytes = *extension;
        }
    }

    // Below 0, 0 or above. Linear in the shorter one; compares bytes only if the lengths are equal.
    int compare(const ParamBytes& other) const {
        const auto order = [](auto a, auto b) { return a < b ? -1 : 1; };
        if (kind != other.kind) return order(kind, other.kind);
        if (channelDim != other.channelDim) return order(channelDim, other.channelDim);
        if (bytes.size() != other.bytes.size()) return order(bytes.size(), other.bytes.size());
        return bytes.empty() ? 0 : std::memcmp(bytes.data(), other.bytes.data(), bytes.size());
    }
};

bool hasExtraParams(const Operand& operand) {
    return !std::holds_alternative<Operand::NoParams>(operand.extraParams);
}

// Checks a model's graphs on behalf of the rules of operations.
class Checker : public ops::GraphChecker {
   public:
    Checker(const Model::Subgraph& subgraph, ModelFacts& facts, const Place& place, Report& report)
        : mSubgraph(subgraph), mFacts(facts), mPlace(place), mReport(report) {}

    void requireVersion(Version version, std::string_view what) override {
        mReport.requireVersion(mPlace, version, what);
    }
    void fail(std::string_view rule, std::string message) override {
        mReport.fail(mPlace, rule, std::move(message));
    }
    bool done() const override { return mReport.done(); }

    std::string difference(const Operand& found, const Operand& allowed) override {
        std::string why = differenceButExtraParams(found, allowed);
        if (why.empty() && !mFacts.haveSameExtraParams(found, allowed, mSubgraph)) {
            why = kOtherExtraParams;
        }
        return why;
    }

    bool hasUnknownInput(size_t i) override { return mFacts.hasUnknownInput(i); }
    bool hasUnknownOutput(size_t i) override { return mFacts.hasUnknownOutput(i); }

   private:
    const Model::Subgraph& mSubgraph;
    ModelFacts& mFacts;
    const Place& mPlace;
    Report& mReport;
};

}  // namespace

bool ModelFacts::haveSameExtraParams(const Operand& a, const Operand& b,
                                     const Model::Subgraph& other) {
    if (!hasExtraParams(a) || !hasExtraParams(b)) return hasExtraParams(a) == hasExtraParams(b);
    if (!mNumbered) number(other);
    return numberOf(a) == numberOf(b);
}

// Sorting compares n log n times, and each comparison is linear in the smaller value; an attacker
// could make a hash collide.
void ModelFacts::number(const Model::Subgraph& other) {
    std::vector<Numbered>& numbered = mNumbered.emplace();
    const auto add = [&](const Model::Subgraph& graph) {
        for (const Operand& operand : graph.operands) {
            if (hasExtraParams(operand)) numbered.push_back({&operand, 0});
        }
    };
    add(mModel.main);
    for (const Model::Subgraph& graph : mModel.referenced) add(graph);
    add(other);
    const auto compare = [](const Numbered& a, const Numbered& b) {
        return ParamBytes(a.operand->extraParams).compare(ParamBytes(b.operand->extraParams));
    };
    std::sort(numbered.begin(), numbered.end(),
              [&](const Numbered& a, const Numbered& b) { return compare(a, b) < 0; });
    for (size_t i = 1; i < numbered.size(); ++i) {
        const bool isNew = compare(numbered[i - 1], numbered[i]) != 0;
        numbered[i].number = numbered[i - 1].number + (isNew ? 1 : 0);
    }
    std::sort(numbered.begin(), numbered.end(), [](const Numbered& a, const Numbered& b) {
        return std::less<>()(a.operand, b.operand);
    });
}

size_t ModelFacts::numberOf(const Operand& operand) const {
    const auto found = std::lower_bound(
            mNumbered->begin(), mNumbered->end(), &operand,
            [](const Numbered& a, const Operand* b) { return std::less<>()(a.operand, b); });
    return found->number;
}

bool ModelFacts::hasUnknown(std::vector<CachedBool>& cache, size_t i,
                            std::vector<uint32_t> Model::Subgraph::*list) {
    cache.resize(mModel.referenced.size(), CachedBool::UNKNOWN);
    if (cache[i] == CachedBool::UNKNOWN) {
        const Model::Subgraph& graph = mModel.referenced[i];
        const auto isUnknown = [&](uint32_t index) {
            return index < graph.operands.size() && ops::hasUnknownSize(graph.operands[index]);
        };
        const std::vector<uint32_t>& indexes = graph.*list;
        cache[i] = std::any_of(indexes.begin(), indexes.end(), isUnknown) ? CachedBool::YES
                                                                          : CachedBool::NO;
    }
    return cache[i] == CachedBool::YES;
}

void checkControlFlow(const Operation& operation, const Model::Subgraph& subgraph,
                      const Model& model, ModelFacts& facts, const Place& place, Report& report) {
    report.requireVersion(place, operationTypeInfo(operation.type)->since,
                          operationTypeInfo(operation.type)->name);
    Checker checker(subgraph, facts, place, report);
    ops::specOf(operation.type)->graphRules({operation, subgraph, model, checker});
}

}  // namespace nn
