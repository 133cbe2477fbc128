#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "device_profile/drawing_text.h"
#include "nnapi/drawing.h"
#include "nnapi/validate.h"

namespace nn {
namespace {

using LifeTime = Operand::LifeTime;

// Calls f for each graph that an operation names.
template <class F>
void forEachNamed(const Model& model, const Model::Subgraph& graph, const Operation& operation,
                  F function) {
    for (const uint32_t i : operation.inputs) {
        if (i >= graph.operands.size()) continue;
        const Operand& operand = graph.operands[i];
        const uint32_t named = operand.location.offset;
        if (operand.lifetime == LifeTime::SUBGRAPH && named < model.referenced.size()) {
            function(size_t{named} + 1);
        }
    }
}

// Reasons by the part of the model that they are about, "main.operands[3]".
class Reasons {
   public:
    void add(const Diagnostic& reason) {
        // "main.operands[3].dimensions[1]": the path behind the operand or operation is detail.
        const size_t part = reason.path.find(".oper");
        if (part == std::string::npos) return;
        if (!mSeen.emplace(reason.path, reason.message).second) return;
        // The caption names the target.
        constexpr size_t kMaxShown = 300;
        const size_t end = reason.since ? reason.message.find(", target is") : kMaxShown;
        mFound[reason.path.substr(0, reason.path.find(']', part) + 1)].add(
                std::string(beginningOf(reason.message, std::min(end, kMaxShown))));
    }

    // Why an operation is highlighted; empty if it is not.
    std::optional<std::string> of(const Model::Subgraph& graph, size_t index,
                                  const std::string& path) const {
        Found all;
        const auto append = [&](const std::string& part, std::string_view prefix) {
            const auto found = mFound.find(path + part);
            if (found == mFound.end()) return;
            for (const std::string& text : found->second.first) {
                // An operation often has the reason of its operand.
                if (prefix.empty() || !all.has(text)) all.add(std::string(prefix) + text);
            }
            all.count += found->second.count - found->second.first.size();
        };
        append(fmt::format(".operations[{}]", index), "");
        const Operation& operation = graph.operations[index];
        std::set<uint32_t> operands(operation.inputs.begin(), operation.inputs.end());
        operands.insert(operation.outputs.begin(), operation.outputs.end());
        for (const uint32_t i : operands) {
            append(fmt::format(".operands[{}]", i), fmt::format("operand {}: ", i));
        }
        if (all.count == 0) return std::nullopt;
        const std::string why = fmt::format("{}", fmt::join(all.first, "; "));
        const size_t more = all.count - all.first.size();
        return more == 0 ? why : fmt::format("{}; and {} more", why, more);
    }

   private:
    struct Found {
        static constexpr size_t kMaxShown = 3;
        std::vector<std::string> first{};
        size_t count = 0;

        void add(std::string text) {
            if (count++ < kMaxShown) first.push_back(std::move(text));
        }
        bool has(const std::string& text) const {
            return std::find(first.begin(), first.end(), text) != first.end();
        }
    };
    std::unordered_map<std::string, Found> mFound;  // by part
    std::set<std::pair<std::string, std::string>> mSeen;
};

DrawingMarks marksOf(const Model& model, const Reasons& reasons) {
    DrawingMarks marks;
    for (size_t g = 0; g <= model.referenced.size(); ++g) {
        const Model::Subgraph& graph = graphAt(model, g);
        const std::string path = pathOf(g);
        for (size_t i = 0; i < graph.operations.size(); ++i) {
            if (auto why = reasons.of(graph, i, path)) {
                marks[pathOf(g, i)] = {.color = DrawingMark::Color::RED, .why = *std::move(why)};
            }
        }
    }
    return marks;
}

struct PlaceOfOperation {
    size_t graph;
    size_t operation;
};

// By graph, the operations that refer to it; only operations of graphs reachable from main.
std::vector<std::vector<PlaceOfOperation>> usersOfGraphs(const Model& model,
                                                         std::vector<bool>& isReached) {
    std::vector<std::vector<PlaceOfOperation>> users(isReached.size());
    std::vector<size_t> open = {0};
    isReached[0] = true;
    while (!open.empty()) {
        const size_t g = open.back();
        open.pop_back();
        const Model::Subgraph& graph = graphAt(model, g);
        for (size_t i = 0; i < graph.operations.size(); ++i) {
            forEachNamed(model, graph, graph.operations[i], [&](size_t named) {
                users[named].push_back({.graph = g, .operation = i});
                if (isReached[named]) return;
                isReached[named] = true;
                open.push_back(named);
            });
        }
    }
    return users;
}

}  // namespace

DrawingMarks marksForVersion(const Model& model, Version target) {
    const Findings findings = validateAll(
            model, {.target = target, .maxDiagnostics = std::numeric_limits<size_t>::max()});
    Reasons reasons;
    for (const Diagnostic& error : findings.errors) reasons.add(error);
    return marksOf(model, reasons);
}

Result<DrawingMarks> marksForDevice(const Model& model, const DeviceProfile& device) {
    NNAPI_ASSIGN_OR_RETURN(support, supportedOperations(model, device));
    return marksForSupport(model, support);
}

DrawingMarks marksForSupport(const Model& model, const DeviceSupport& support) {
    Reasons reasons;
    for (const OperationSupport& operation : support.operations) {
        for (const Diagnostic& reason : operation.reasons) reasons.add(reason);
    }
    DrawingMarks marks = marksOf(model, reasons);

    // An operation is not supported if one of its graphs has an operation that is not supported.
    std::vector<bool> isReached(model.referenced.size() + 1, false);
    const auto users = usersOfGraphs(model, isReached);
    std::vector<bool> isRefused(isReached.size(), false);
    std::vector<size_t> refused;
    for (size_t g = 0; g < isReached.size(); ++g) {
        for (size_t i = 0; i < graphAt(model, g).operations.size(); ++i) {
            if (isReached[g] && !isRefused[g] && marks.count(pathOf(g, i)) != 0) {
                isRefused[g] = true;
                refused.push_back(g);
            }
        }
    }
    while (!refused.empty()) {
        const size_t g = refused.back();
        refused.pop_back();
        for (const PlaceOfOperation& user : users[g]) {
            marks.try_emplace(pathOf(user.graph, user.operation),
                              DrawingMark{.color = DrawingMark::Color::RED,
                                          .why = pathOf(g) + " is not supported as a whole"});
            if (!isRefused[user.graph]) refused.push_back(user.graph);
            isRefused[user.graph] = true;
        }
    }
    for (size_t g = 0; g < isReached.size(); ++g) {
        for (size_t i = 0; isReached[g] && i < graphAt(model, g).operations.size(); ++i) {
            marks.try_emplace(pathOf(g, i), DrawingMark{.color = DrawingMark::Color::GREEN});
        }
    }
    return marks;
}

}  // namespace nn
