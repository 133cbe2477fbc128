#include "nnapi/passes.h"

#include <absl/algorithm/container.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <span>

#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"
#include "types/constants.h"
#include "validate/operation_check.h"

namespace nn {
namespace {

using LifeTime = Operand::LifeTime;
using ops::Param;

constexpr Place kMain{nullptr, "main"};

Place placeIn(const Place& parent, std::string_view field, size_t i) {
    return {&parent, field, static_cast<int64_t>(i)};
}

template <class T>
std::vector<uint32_t> identity(const std::vector<T>& elements) {
    std::vector<uint32_t> indexes(elements.size());
    std::iota(indexes.begin(), indexes.end(), uint32_t{0});
    return indexes;
}

GraphOrigin identity(const Model::Subgraph& graph, size_t index) {
    return {.graph = static_cast<uint32_t>(index),
            .operands = identity(graph.operands),
            .operations = identity(graph.operations)};
}

// ---- trailing defaults

// True if the bytes of a scalar are the default of the parameter.
bool isFallback(const Param& param, std::span<const uint8_t> bytes) {
    if (param.type.fixed == OperandType::BOOL) {
        return bytes.size() == 1 && (bytes[0] != 0) == (param.fallback == "true");
    }
    int32_t value = 0, fallback = 0;  // every type but BOOL is INT32
    if (bytes.size() != sizeof(value)) return false;
    std::memcpy(&value, bytes.data(), sizeof(value));
    std::from_chars(param.fallback.data(), param.fallback.data() + param.fallback.size(), fallback);
    return value == fallback;
}

// Removes trailing defaults from the operations of a graph.
class DefaultsPass {
   public:
    DefaultsPass(const Model& model, std::vector<Removal>& removed)
        : mConstants(model), mRemoved(removed) {}

    void run(Model::Subgraph& graph, const Place& place) {
        for (size_t i = 0; i < graph.operations.size(); ++i) {
            Operation& operation = graph.operations[i];
            if (!hasDefaults(operation.type)) continue;
            if (const ops::Form* form = formOf(graph, operation)) {
                shorten(graph, operation, form, placeIn(place, "operations", i));
            }
        }
    }

   private:
    static bool hasDefaults(OperationType type) {
        const ops::OperationSpec* spec = ops::specOf(type);
        return spec != nullptr && absl::c_any_of(spec->forms, [](const ops::Form& form) {
                   return absl::c_any_of(form.inputs, std::mem_fn(&Param::mayBeLeftOut));
               });
    }

    void shorten(const Model::Subgraph& graph, Operation& operation, const ops::Form* form,
                 const Place& place) {
        while (const size_t count = defaultsAtEnd(graph, operation, form->inputs)) {
            const std::vector<uint32_t> before = operation.inputs;
            operation.inputs.resize(before.size() - count);
            // coverage: off, no operation today reads fewer operands as another form, but a new one
            // could
            if (formOf(graph, operation) != form) {
                operation.inputs = before;
                return;
            }
            // coverage: on
            for (size_t i = operation.inputs.size(); i < before.size(); ++i) {
                const Param& param = *ops::paramAt(form->inputs, i, before.size());
                mRemoved.push_back({.path = placeIn(place, "inputs", i).path(),
                                    .why = fmt::format("{} is {}, which is the default", param.name,
                                                       param.fallback)});
            }
        }
    }

    // The form that fits the operands; null if no version allows them.
    const ops::Form* formOf(const Model::Subgraph& graph, const Operation& operation) {
        if (!mDeclared.take(operation, graph)) return nullptr;
        Report report;
        const ops::Form* form = checkOperation(operation.type, mDeclared.inputs(),
                                               mDeclared.outputs(), Place{}, report);
        return report.ok() ? form : nullptr;
    }

    // The smallest number of inputs at the end that can be removed together and are all defaults; 0
    // if there is none.
    size_t defaultsAtEnd(const Model::Subgraph& graph, const Operation& operation,
                         std::span<const Param> params) {
        const size_t size = operation.inputs.size();
        for (size_t count = 1;; ++count) {  // ends: some input has no default
            const size_t i = size - count;
            const Param& param = *ops::paramAt(params, i, size);
            const Operand& operand = graph.operands[operation.inputs[i]];
            if (!param.mayBeLeftOut() || !isFallback(param, mConstants.bytesOf(operand))) return 0;
            if (ops::acceptsCount(params, i)) return count;
        }
    }

    ConstantReader mConstants;
    std::vector<Removal>& mRemoved;
    DeclaredOperands mDeclared;  // of one operation
};

// ---- dead parts

// The elements of a list that a pass keeps, with their new indexes.
class KeptElements {
   public:
    explicit KeptElements(size_t size) : mKept(size, false) {}

    void keep(uint32_t index) {
        if (index < mKept.size()) mKept[index] = true;
    }
    bool has(size_t index) const { return mKept[index]; }
    bool all() const { return absl::c_find(mKept, false) == mKept.end(); }

    // The old index of each element that stays.
    std::vector<uint32_t> origins() const {
        std::vector<uint32_t> origins;
        for (size_t i = 0; i < mKept.size(); ++i) {
            if (mKept[i]) origins.push_back(static_cast<uint32_t>(i));
        }
        return origins;
    }

    template <class T>
    void apply(std::vector<T>& elements) const {
        size_t end = 0;
        for (size_t i = 0; i < elements.size(); ++i) {
            if (!mKept[i]) continue;
            if (end != i) elements[end] = std::move(elements[i]);
            ++end;
        }
        elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(end), elements.end());
    }

    // Replaces an old index by the new one; an index that never existed stays, and stays out of
    // range.
    void renumber(uint32_t& index) {
        if (mNew.empty()) {
            mNew.resize(mKept.size());
            uint32_t next = 0;
            for (size_t i = 0; i < mKept.size(); ++i) {
                mNew[i] = next;
                next += mKept[i] ? 1 : 0;
            }
        }
        if (index < mNew.size()) index = mNew[index];
    }

   private:
    std::vector<bool> mKept;
    std::vector<uint32_t> mNew;
};

class DeadPartsPass {
   public:
    DeadPartsPass(Model& model, Minimized& result)
        : mModel(model),
          mResult(result),
          mGraphs(model.referenced.size()),
          mPools(model.pools.size()) {}

    void run() {
        findLive();
        removeOperands();
        removeGraphs();
        removePools();
        removeValues();
        removeExtensionNames();
    }

   private:
    Model::Subgraph& graph(size_t i) { return i == 0 ? mModel.main : mModel.referenced[i - 1]; }
    static Place placeOf(size_t i) { return i == 0 ? kMain : placeOfReferenced(i - 1); }

    void recordRemoval(const Place& place, std::string why) {
        mResult.removed.push_back({.path = place.path(), .why = std::move(why)});
    }

    // Calls f for every graph that is kept, main first, with its number (0 for main).
    template <class F>
    void forEachGraph(F&& f) {
        f(size_t{0});
        for (size_t i = 0; i < mModel.referenced.size(); ++i) {
            if (mGraphs.has(i)) f(i + 1);
        }
    }

    void findLive() {
        for (size_t i = 0; i <= mModel.referenced.size(); ++i) {
            mOperands.emplace_back(graph(i).operands.size());
        }
        std::vector<size_t> toDo = {0};
        while (!toDo.empty()) {
            const size_t i = toDo.back();
            toDo.pop_back();
            keepOperands(graph(i), mOperands[i]);
            for (size_t o = 0; o < graph(i).operands.size(); ++o) {
                const Operand& operand = graph(i).operands[o];
                const uint32_t target = operand.location.offset;
                if (operand.lifetime == LifeTime::SUBGRAPH && mOperands[i].has(o) &&
                    target < mModel.referenced.size() && !mGraphs.has(target)) {
                    mGraphs.keep(target);
                    toDo.push_back(size_t{target} + 1);
                }
            }
        }
    }

    static void keepOperands(const Model::Subgraph& graph, KeptElements& kept) {
        const auto keepAll = [&](const std::vector<uint32_t>& indexes) {
            for (const uint32_t index : indexes) kept.keep(index);
        };
        for (const Operation& operation : graph.operations) {
            keepAll(operation.inputs);
            keepAll(operation.outputs);
        }
        keepAll(graph.inputIndexes);
        keepAll(graph.outputIndexes);
    }

    void removeOperands() {
        forEachGraph([&](size_t i) {
            Model::Subgraph& subgraph = graph(i);
            KeptElements& kept = mOperands[i];
            GraphOrigin& origin = i == 0 ? mResult.origin.main : mResult.origin.referenced[i - 1];
            origin.operands = kept.origins();
            if (kept.all()) return;
            const Place place = placeOf(i);
            for (size_t o = 0; o < subgraph.operands.size(); ++o) {
                if (kept.has(o)) continue;
                recordRemoval(placeIn(place, "operands", o),
                              "no operation, input or output refers to it");
            }
            kept.apply(subgraph.operands);
            const auto renumber = [&](std::vector<uint32_t>& indexes) {
                for (uint32_t& index : indexes) kept.renumber(index);
            };
            for (Operation& operation : subgraph.operations) {
                renumber(operation.inputs);
                renumber(operation.outputs);
            }
            renumber(subgraph.inputIndexes);
            renumber(subgraph.outputIndexes);
        });
    }

    void removeGraphs() {
        if (mGraphs.all()) return;
        for (size_t i = 0; i < mModel.referenced.size(); ++i) {
            if (!mGraphs.has(i)) recordRemoval(placeOfReferenced(i), "no operand refers to it");
        }
        forEachGraph([&](size_t i) {
            for (Operand& operand : graph(i).operands) {
                if (operand.lifetime == LifeTime::SUBGRAPH) {
                    mGraphs.renumber(operand.location.offset);
                }
            }
        });
        mGraphs.apply(mModel.referenced);
        mGraphs.apply(mResult.origin.referenced);
    }

    // From here on, the model has only graphs that are kept.
    template <class F>
    void forEachOperand(LifeTime lifetime, F&& f) {
        for (size_t i = 0; i <= mModel.referenced.size(); ++i) {
            for (Operand& operand : graph(i).operands) {
                if (operand.lifetime == lifetime) f(operand);
            }
        }
    }

    void removePools() {
        forEachOperand(LifeTime::CONSTANT_REFERENCE,
                       [&](const Operand& operand) { mPools.keep(operand.location.poolIndex); });
        mResult.origin.pools = mPools.origins();
        if (mPools.all()) return;
        for (size_t i = 0; i < mModel.pools.size(); ++i) {
            if (!mPools.has(i))
                recordRemoval(Place{nullptr, "pools", static_cast<int64_t>(i)},
                              "no operand refers to it");
        }
        forEachOperand(LifeTime::CONSTANT_REFERENCE,
                       [&](Operand& operand) { mPools.renumber(operand.location.poolIndex); });
        mPools.apply(mModel.pools);
    }

    // Bytes that stay move towards the start by whole multiples of the alignment.
    void removeValues() {
        const size_t size = mModel.operandValues.size();
        std::vector<DataLocation*> live;
        bool allFit = true;
        forEachOperand(LifeTime::CONSTANT_COPY, [&](Operand& operand) {
            allFit = allFit && fits(operand.location.offset, operand.location.length, size);
            live.push_back(&operand.location);
        });
        if (!allFit) return;
        absl::c_sort(live, [](const DataLocation* a, const DataLocation* b) {
            return a->offset < b->offset;
        });

        std::vector<uint8_t> bytes = std::move(mModel.operandValues).bytes();
        const auto move = [&](size_t begin, size_t end, size_t by) {
            if (by != 0)
                std::copy(bytes.begin() + begin, bytes.begin() + end, bytes.begin() + begin - by);
        };
        size_t removed = 0;  // before `moved`
        size_t moved = 0;    // all bytes before are at their new place
        for (DataLocation* location : live) {
            const size_t begin = location->offset;
            const size_t end = begin + location->length;
            if (begin > moved) {
                const size_t gap = begin - moved;
                const size_t kept = gap % kMinMemoryAlignment;
                removed += gap - kept;
                moved = begin - kept;
            }
            if (end > moved) {
                move(moved, end, removed);
                moved = end;
            }
            location->offset -= static_cast<uint32_t>(removed);
        }
        removed += size - moved;
        bytes.resize(size - removed);
        mModel.operandValues = Model::OperandValues(std::move(bytes));
        if (removed == 0) return;
        recordRemoval({nullptr, "operandValues"},
                      fmt::format("no operand refers to {} of {}", removed, Plural{size, "bytes"}));
    }

    void removeExtensionNames() {
        auto& names = mModel.extensionNameToPrefix;
        if (names.empty()) return;
        std::vector<bool> used(size_t{1} << kExtensionPrefixBits);
        for (size_t i = 0; i <= mModel.referenced.size(); ++i) {
            for (const Operand& operand : graph(i).operands) {
                used[getExtensionPrefix(static_cast<uint32_t>(operand.type))] = true;
            }
            for (const Operation& operation : graph(i).operations) {
                used[getExtensionPrefix(static_cast<uint32_t>(operation.type))] = true;
            }
        }
        KeptElements kept(names.size());
        for (size_t i = 0; i < names.size(); ++i) {
            if (used[names[i].prefix]) {
                kept.keep(static_cast<uint32_t>(i));
            } else {
                recordRemoval(Place{nullptr, "extensionNameToPrefix", static_cast<int64_t>(i)},
                              fmt::format("no type has prefix {}", names[i].prefix));
            }
        }
        kept.apply(names);
    }

    Model& mModel;
    Minimized& mResult;
    std::vector<KeptElements> mOperands;  // of main, then of the referenced graphs
    KeptElements mGraphs;
    KeptElements mPools;
};

}  // namespace

std::string toString(const Removal& removal) {
    return fmt::format("{}: {}", removal.path, removal.why);
}

ModelOrigin unchangedOrigin(const Model& model) {
    ModelOrigin origin{.main = identity(model.main, 0), .pools = identity(model.pools)};
    for (size_t i = 0; i < model.referenced.size(); ++i) {
        origin.referenced.push_back(identity(model.referenced[i], i));
    }
    return origin;
}

Minimized withoutTrailingDefaults(Model model) {
    Minimized result{.model = std::move(model)};
    result.origin = unchangedOrigin(result.model);
    DefaultsPass pass(result.model, result.removed);
    pass.run(result.model.main, kMain);
    for (size_t i = 0; i < result.model.referenced.size(); ++i) {
        pass.run(result.model.referenced[i], placeOfReferenced(i));
    }
    return result;
}

Minimized withoutDeadParts(Model model) {
    Minimized result{.model = std::move(model)};
    result.origin = unchangedOrigin(result.model);
    DeadPartsPass(result.model, result).run();
    return result;
}

Minimized minimize(Model model) {
    Minimized shortened = withoutTrailingDefaults(std::move(model));
    Minimized result = withoutDeadParts(std::move(shortened.model));
    result.removed.insert(result.removed.begin(),
                          std::make_move_iterator(shortened.removed.begin()),
                          std::make_move_iterator(shortened.removed.end()));
    return result;
}

}  // namespace nn
