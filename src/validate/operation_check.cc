#include "validate/operation_check.h"

#include <absl/algorithm/container.h>

#include <set>
#include <string>
#include <vector>

#include "base/limits.h"
#include "types/operation_count.h"
#include "validate/checks.h"

namespace nn {
namespace {

using ops::Form;
using ops::OperationSpec;
using ops::Param;
using ops::Types;
using ops::TypeSpec;
using ops::Value;

// The operands of one call in order, inputs first.
struct Call {
    std::span<const Value> inputs;
    std::span<const Value> outputs;

    size_t size() const { return inputs.size() + outputs.size(); }
    const Value& value(size_t i) const {
        return i < inputs.size() ? inputs[i] : outputs[i - inputs.size()];
    }
    const Param& param(const Form& form, size_t i) const {
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): the form has so many
        return i < inputs.size() ? *paramAt(form.inputs, i, inputs.size())
                                 : *paramAt(form.outputs, i - inputs.size(), outputs.size());
    }
    std::string name(const Form& form, size_t i) const {
        const bool isInput = i < inputs.size();
        return fmt::format("{} {} '{}' (operand {})", isInput ? "input" : "output",
                           isInput ? i : i - inputs.size(), param(form, i).name, value(i).operand);
    }
};

// Iterates over the parameters of a list of `count` operands. (paramAt counts from the first one,
// which would be quadratic.)
class ParamCursor {
   public:
    ParamCursor(std::span<const Param> params, size_t count)
        : mNext(params.data()), mRepeats(count + 1 - params.size()) {}

    const Param& next() {
        if (mNext->presence == Param::Presence::REPEATED) {
            if (mRepeats-- != 0) return *mNext;
            ++mNext;  // the only one that repeats
        }
        return *mNext++;
    }

   private:
    const Param* mNext;
    size_t mRepeats;  // operands left for the repeated parameter, if there is one
};

// "7, 8 or 10"; "2 or more" if there is no upper bound.
std::string countList(std::span<const Form> forms, std::span<const Param> Form::*list) {
    std::set<size_t> counts;
    for (const Form& form : forms) {
        const ops::Counts bounds = ops::countsOf(form.*list);
        if (bounds.most == ops::Counts::kUnlimited) return fmt::format("{} or more", bounds.least);
        for (size_t n = bounds.least; n <= bounds.most; ++n) {
            if (ops::acceptsCount(form.*list, n)) counts.insert(n);
        }
    }
    std::string text;
    for (auto count = counts.begin(); count != counts.end(); ++count) {
        if (count != counts.begin()) text += std::next(count) == counts.end() ? " or " : ", ";
        text += std::to_string(*count);
    }
    return text;
}

// Reports that no form has this number of inputs and outputs.
void failCount(std::span<const Form> forms, size_t inputs, size_t outputs, std::string_view stem,
               const Place& place, Report& report) {
    const auto takesInputs = [&](const Form& form) { return acceptsCount(form.inputs, inputs); };
    if (absl::c_none_of(forms, takesInputs)) {
        report.fail(place, fmt::format("{}.inputs", stem),
                    fmt::format("has {}, allowed {}", Plural{inputs, "inputs"},
                                countList(forms, &Form::inputs)));
    } else {
        report.fail(place, fmt::format("{}.outputs", stem),
                    fmt::format("has {}, allowed {}", Plural{outputs, "outputs"},
                                countList(forms, &Form::outputs)));
    }
}

// Without a row, only the types that the form itself fixes count.
bool fitsType(const TypeSpec& spec, const Types* row, OperandType type) {
    if (spec.kind == TypeSpec::Kind::FIXED) return spec.fixed == type;
    return spec.kind == TypeSpec::Kind::ANY || row == nullptr || row->columns[spec.column] == type;
}

// The number of leading operands that match a row. `counts` are those of `params`.
size_t typePrefix(std::span<const Param> params, const ops::Counts& counts, const Types* row,
                  std::span<const Value> values) {
    size_t i = 0;
    if (counts.most != ops::Counts::kUnlimited) {  // none is repeated
        while (i < values.size() && fitsType(params[i].type, row, values[i].type)) ++i;
        return i;
    }
    ParamCursor cursor(params, values.size());
    while (i < values.size() && fitsType(cursor.next().type, row, values[i].type)) ++i;
    return i;
}

// The same of a call.
size_t typePrefix(const Form& form, const Types* row, const Call& call) {
    const size_t fits = typePrefix(form.inputs, form.inputCounts, row, call.inputs);
    if (fits < call.inputs.size()) return fits;
    return fits + typePrefix(form.outputs, form.outputCounts, row, call.outputs);
}

// "FLOAT32 when input 0 is TENSOR_FLOAT32": the types that the best matching rows allow at an
// operand.
std::string allowedTypes(const OperationSpec& spec, const Form& form, const Call& call, size_t at) {
    const TypeSpec& type = call.param(form, at).type;
    if (type.kind == TypeSpec::Kind::FIXED) return toString(type.fixed);
    std::vector<OperandType> allowed;
    for (const Types& row : spec.types) {
        const OperandType candidate = row.columns[type.column];
        if (typePrefix(form, &row, call) >= at &&
            absl::c_find(allowed, candidate) == allowed.end()) {
            allowed.push_back(candidate);
        }
    }
    std::string text;
    for (size_t i = 0; i < allowed.size(); ++i) {
        if (i != 0) text += i + 1 == allowed.size() ? " or " : ", ";
        text += toString(allowed[i]);
    }
    // the input that the choice depends on: the first variable one
    for (size_t i = 0; i < at; ++i) {
        if (call.param(form, i).type.kind == TypeSpec::Kind::COLUMN) {
            return text + fmt::format(" when input {} is {}", i, toString(call.value(i).type));
        }
    }
    return text;
}

// Of the forms with these numbers of operands, the one with the longest match.
const Form* findForm(std::span<const Form> forms, const Call& call) {
    const Form* found = nullptr;
    std::optional<size_t> reach;  // of the one found, once there is another
    for (const Form& form : forms) {
        if (!form.acceptsCount(call.inputs.size(), call.outputs.size())) continue;
        if (found == nullptr) {
            found = &form;
            continue;
        }
        if (!reach) reach = typePrefix(*found, nullptr, call);
        if (*reach == call.size()) break;
        const size_t other = typePrefix(form, nullptr, call);
        if (other <= *reach) continue;
        found = &form;
        reach = other;
    }
    return found;
}

// Looks at all, since one seldom is.
bool omitsAny(std::span<const Value> values) {
    bool any = false;
    for (const Value& value : values) any |= value.omitted;
    return any;
}

// The form and types that fit the operands' number, presence and types, after reporting the
// versions that have the optional ones; no form after an error.
Fit findFit(const OperationSpec& spec, std::string_view stem, const Call& call, const Place& place,
            Report& report, PlainCalls* plain) {
    const auto& [inputs, outputs] = call;
    if (plain != nullptr) {
        if (const Fit known = plain->find(spec.type, inputs, outputs); known.form != nullptr)
            return known;
    }
    const Form* form = findForm(spec.forms, call);
    if (form == nullptr) {
        failCount(spec.forms, inputs.size(), outputs.size(), stem, place, report);
        return {};
    }

    // The first row that matches all operands, else the one with the longest match.
    const Types* row = nullptr;
    size_t reach = spec.types.empty() ? typePrefix(*form, nullptr, call) : 0;
    for (const Types& candidate : spec.types) {
        const size_t fits = typePrefix(*form, &candidate, call);
        if (fits > reach) {
            row = &candidate;
            reach = fits;
        }
        if (reach == call.size()) break;
    }
    if (reach < call.size()) [[unlikely]] {
        report.fail(place, fmt::format("{}.types", stem),
                    fmt::format("{} is {}, allowed {}", call.name(*form, reach),
                                toString(call.value(reach).type),
                                allowedTypes(spec, *form, call, reach)));
        return {};
    }

    const auto areGiven = [&](std::span<const Param> params, std::span<const Value> values,
                              size_t first) {
        ParamCursor cursor(params, values.size());
        for (size_t i = 0; i < values.size(); ++i) {
            const Param& param = cursor.next();
            if (values[i].omitted && param.presence != Param::Presence::OMITTED) [[unlikely]] {
                report.fail(place, fmt::format("{}.omitted", stem),
                            fmt::format("{} has no value, allowed only for optional operands",
                                        call.name(*form, first + i)));
                return false;
            }
            report.requireVersion(place, param.since, param.name);
        }
        return true;
    };
    if (inputs.size() > form->unversionedInputs || outputs.size() > form->unversionedOutputs ||
        omitsAny(inputs) || omitsAny(outputs)) {
        if (!areGiven(form->inputs, inputs, 0) || !areGiven(form->outputs, outputs, inputs.size()))
            return {};
    } else if (plain != nullptr) {
        plain->add(spec.type, inputs, outputs, {form, row});
    }
    return {form, row};
}

// The type of a row that is as new as the row itself; else the first one, which is new for the
// operation.
std::string_view typeThatNeeds(Version since, const ops::Columns& columns) {
    for (size_t i = 0; i < columns.size(); ++i) {
        const OperandTypeInfo* info = operandTypeInfo(columns[i]);
        if (info != nullptr && info->since == since) return info->name;
    }
    return operandTypeInfo(columns[0])->name;
}

// The form that fits, after reporting the version that the operands need; null after an error.
const Form* checkSignature(const OperationSpec& spec, const OperationTypeInfo& info,
                           const Call& call, const Place& place, Report& report,
                           PlainCalls* plain) {
    const auto [form, row] = findFit(spec, info.stem, call, place, report, plain);
    if (form == nullptr) return nullptr;
    report.requireVersion(place, form->since, form->name);
    if (row != nullptr && row->since != info.since) {
        report.requireVersion(place, row->since, typeThatNeeds(row->since, row->columns));
    }
    return form;
}

void checkType(OperationType type, const OperationTypeInfo* info, const Place& place,
               Report& report) {
    if (info != nullptr) {
        report.requireVersion(place, info->since, info->name);
    } else if (isExtension(type)) {
        report.requireVersion(place, kVersionFeatureLevel3, "an extension operation");
    } else {
        report.fail(place, "operation.type",
                    fmt::format("type is {}, allowed 0 to {}, 10000 and extension types",
                                static_cast<int32_t>(type), kOperationCount - 1));
    }
}

// Forwards the reports of rules.
class RulesSink : public ops::Sink {
   public:
    RulesSink(const Place& place, Report& report, bool isWarning)
        : mPlace(place), mReport(report), mIsWarning(isWarning) {}

    void requireVersion(Version version, std::string_view what) override {
        mReport.requireVersion(mPlace, version, what);
    }
    void fail(std::string_view rule, std::string message) override {
        if (mIsWarning) {
            mReport.warn(mPlace, rule, std::move(message));
        } else {
            mReport.fail(mPlace, rule, std::move(message));
        }
    }

   private:
    const Place& mPlace;
    Report& mReport;
    bool mIsWarning;
};

}  // namespace

bool DeclaredOperands::take(const Operation& operation, const Model::Subgraph& subgraph) {
    mInputs = mOutputs = 0;
    const size_t count = operation.inputs.size() + operation.outputs.size();
    if (mValues.size() < count) mValues.resize(count);
    const std::span<const Operand> operands = subgraph.operands;
    Value* value = mValues.data();
    for (const auto* indexes : {&operation.inputs, &operation.outputs}) {
        for (const uint32_t i : *indexes) {
            if (i >= operands.size()) return false;
            declare(operands[i], i, *value++);
        }
    }
    mInputs = operation.inputs.size();
    mOutputs = operation.outputs.size();
    return true;
}

Fit PlainCalls::find(OperationType type, std::span<const Value> inputs,
                     std::span<const Value> outputs) const {
    const PlainCall& last = mLast[placeOf(type)];
    if (last.type != type || last.inputs != inputs.size() || last.outputs != outputs.size()) {
        return {};
    }
    // Without a branch for each: one seldom differs.
    bool differs = false;
    const OperandType* expected = last.types.data();
    for (const Value& input : inputs) differs |= input.type != *expected++ || input.omitted;
    for (const Value& output : outputs) differs |= output.type != *expected++ || output.omitted;
    return differs ? Fit{} : last.fit;
}

void PlainCalls::add(OperationType type, std::span<const Value> inputs,
                     std::span<const Value> outputs, const Fit& fit) {
    PlainCall& last = mLast[placeOf(type)];
    if (inputs.size() + outputs.size() > last.types.size()) return;
    last = {.type = type,
            .fit = fit,
            .inputs = static_cast<uint32_t>(inputs.size()),
            .outputs = static_cast<uint32_t>(outputs.size())};
    OperandType* next = last.types.data();
    for (const Value& input : inputs) *next++ = input.type;
    for (const Value& output : outputs) *next++ = output.type;
}

void check(const OperationType& type, const Place& place, Report& report) {
    checkType(type, operationTypeInfo(type), place, report);
}

const Form* checkOperation(OperationType type, std::span<const Value> inputs,
                           std::span<const Value> outputs, const Place& place, Report& report,
                           PlainCalls* plain) {
    const OperationTypeInfo* info = operationTypeInfo(type);
    checkType(type, info, place, report);
    if (info == nullptr || type == OperationType::OEM_OPERATION) return nullptr;
    const OperationSpec& spec = *ops::specOf(type);
    const Call call{{inputs.data(), inputs.size()}, {outputs.data(), outputs.size()}};
    const Form* form = checkSignature(spec, *info, call, place, report, plain);
    if (form != nullptr && spec.rules != nullptr) {
        RulesSink sink(place, report, /*isWarning=*/false);
        spec.rules(ops::OpView(type, inputs, outputs, form, sink));
    }
    return form;
}

bool requireRanks(std::span<const ops::Shape> shapes, const Limits& limits, ops::Sink& sink) {
    for (size_t i = 0; i < shapes.size(); ++i) {
        if (!shapes[i] || shapes[i]->size() <= limits.rank) continue;
        const Diagnostic why = exceeded(&Limits::rank, shapes[i]->size(), limits.rank, "");
        sink.fail(why.rule, fmt::format("output {} {}", i, why.message));
        return false;
    }
    return true;
}

const Form* formOf(OperationType type, std::span<const Value> inputs,
                   std::span<const Value> outputs) {
    Report ignored;
    if (const Form* form = checkOperation(type, inputs, outputs, Place{}, ignored)) return form;
    return formByCount(type, inputs.size(), outputs.size());
}

const Form* formByCount(OperationType type, size_t inputs, size_t outputs) {
    const OperationSpec* spec = ops::specOf(type);
    if (spec == nullptr) return nullptr;
    const auto form = absl::c_find_if(spec->forms, [&](const Form& candidate) {
        return candidate.acceptsCount(inputs, outputs);
    });
    return form == spec->forms.end() ? nullptr : &*form;
}

bool inferOutputShapes(OperationType type, std::span<const Value> inputs,
                       std::span<const Value> outputs, const Form* form, const Place& place,
                       Report& report, std::span<ops::Shape> shapes) {
    RulesSink sink(place, report, /*isWarning=*/true);
    return ops::specOf(type)->inferShapes(ops::OpView(type, inputs, outputs, form, sink), shapes) &&
           requireRanks(shapes, report.limits(), sink);
}

}  // namespace nn
