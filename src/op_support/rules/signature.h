// The notation for signatures of operations: data, not control flow.
//
//   // src/ops/softmax/signature.h
//   inline constexpr Types kTypes[] = {
//       // since  T                           S
//       {V1_0, {TENSOR_FLOAT32,             FLOAT32}},
//       {V1_0, {TENSOR_QUANT8_ASYMM,        FLOAT32}},
//       {V1_2, {TENSOR_FLOAT16,             FLOAT16}},
//       {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, FLOAT32}},
//   };
//   inline constexpr Param kInputs[] = {
//       {"input", T}, {"beta", S}, optional("axis", INT32, V1_2, "-1")};
//   inline constexpr Param kOutputs[] = {{"output", T}};
//   inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
//
// An operation has type rows and forms. A form lists parameters in operand order; each has a fixed
// type, or a type variable (T, S, U, ...) whose type is in the row. A model is legal when one form
// fits the number and the fixed types of the operands and one row fits all variables. The
// validator, the generator of models, the pages of docs/ops and `nnapi ops` read these tables.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

#include "nnapi/types.h"
#include "nnapi/version.h"

namespace nn::ops {

// The spellings that tables use: V1_0 to V1_3, AIDL1 and so on.
#define NNAPI_HAL_VERSION(name, level, text, title, family) \
    inline constexpr Version name = toVersion(HalVersion::name);
#include "nnapi/hal_versions.def"
using enum OperandType;

// A type variable: a column of the type rows.
struct Column {
    uint8_t index;
};
inline constexpr Column T{0}, S{1}, U{2}, W{3}, X{4}, Y{5}, Z{6};
inline constexpr size_t kMaxColumns = 7;

// The type that an operand must have: one type, that of a column, or any.
struct TypeSpec {
    enum class Kind : uint8_t { FIXED, COLUMN, ANY };
    Kind kind = Kind::ANY;
    uint8_t column = 0;
    OperandType fixed = FLOAT32;

    constexpr TypeSpec(OperandType type) : kind(Kind::FIXED), fixed(type) {}
    constexpr TypeSpec(Column variable) : kind(Kind::COLUMN), column(variable.index) {}
    constexpr explicit TypeSpec(Kind other) : kind(other) {}
};
inline constexpr TypeSpec kAny{TypeSpec::Kind::ANY};

// One operand of a form.
struct Param {
    enum class Presence : uint8_t {
        REQUIRED,       // must be given
        OMITTED,        // must be listed, but may have no value (lifetime NO_VALUE)
        OPTIONAL,       // may be left out together with all that follow
        WITH_PREVIOUS,  // left out or given together with the one before
        REPEATED,       // occurs `least` times or more; at most one in a list
    };

    std::string_view name;
    TypeSpec type;
    Presence presence = Presence::REQUIRED;
    Version since = V1_0;         // OPTIONAL, WITH_PREVIOUS: first version that has the operand
    std::string_view fallback{};  // OPTIONAL, WITH_PREVIOUS: the value that leaving it out means
    uint8_t least = 1;            // REPEATED

    constexpr bool mayBeLeftOut() const {
        return presence == Presence::OPTIONAL || presence == Presence::WITH_PREVIOUS;
    }
};

consteval Param omittable(std::string_view name, TypeSpec type) {
    return {name, type, Param::Presence::OMITTED};
}
consteval Param optional(std::string_view name, TypeSpec type, Version since,
                         std::string_view fallback) {
    return {name, type, Param::Presence::OPTIONAL, since, fallback};
}
consteval Param joined(std::string_view name, TypeSpec type, Version since,
                       std::string_view fallback) {
    return {name, type, Param::Presence::WITH_PREVIOUS, since, fallback};
}
consteval Param repeated(std::string_view name, TypeSpec type, uint8_t least) {
    return {name, type, Param::Presence::REPEATED, V1_0, "", least};
}

// A list of parts that several signatures share:
//   inline constexpr auto kInputs = params(kImage, kStrides, kFused);
template <size_t... kSizes>
consteval auto params(const Param (&... parts)[kSizes]) {
    const std::span<const Param> all[] = {parts...};
    const auto paramAt = [&](size_t i) {
        size_t part = 0;
        for (; i >= all[part].size(); ++part) i -= all[part].size();
        return all[part][i];
    };
    return [&]<size_t... kIndexes>(std::index_sequence<kIndexes...>) {
        return std::array{paramAt(kIndexes)...};
    }
    (std::make_index_sequence<(kSizes + ...)>());
}

// The types of one row.
class Columns {
   public:
    constexpr Columns(std::initializer_list<OperandType> types) : mSize(types.size()) {
        std::copy(types.begin(), types.end(), mTypes.begin());
    }
    constexpr size_t size() const { return mSize; }
    constexpr OperandType operator[](size_t i) const { return mTypes[i]; }

   private:
    std::array<OperandType, kMaxColumns> mTypes{};
    size_t mSize;
};

// One row: the types of the columns T, S, U ..., and the first version that has them.
struct Types {
    Version since;
    Columns columns;
};

// The numbers of operands that a parameter list accepts: minimum and maximum. See acceptsCount()
// for those between.
struct Counts {
    size_t least = 0;
    size_t most = 0;
    static constexpr size_t kUnlimited = SIZE_MAX;
};

constexpr Counts countsOf(std::span<const Param> params) {
    Counts counts;
    bool unlimited = false;
    for (const Param& param : params) {
        const size_t least = param.presence == Param::Presence::REPEATED ? param.least : 1;
        if (!param.mayBeLeftOut()) counts.least += least;
        counts.most += least;
        unlimited = unlimited || param.presence == Param::Presence::REPEATED;
    }
    if (unlimited) counts.most = Counts::kUnlimited;
    return counts;
}

// True if a list may have that many operands: it must not end within a group of WITH_PREVIOUS ones.
// `counts` are those of `params`.
constexpr bool acceptsCount(std::span<const Param> params, const Counts& counts, size_t count) {
    if (count < counts.least || count > counts.most) return false;
    if (counts.most == Counts::kUnlimited) return true;
    return count == params.size() || params[count].presence != Param::Presence::WITH_PREVIOUS;
}
constexpr bool acceptsCount(std::span<const Param> params, size_t count) {
    return acceptsCount(params, countsOf(params), count);
}

// The number of leading operands that exist since the first version.
constexpr size_t unversioned(std::span<const Param> params) {
    size_t count = 0;
    for (const Param& param : params) {
        if (param.since != V1_0) return count;
        count += param.presence == Param::Presence::REPEATED ? param.least : 1;
    }
    return SIZE_MAX;
}

// True if one of a list may have no value.
constexpr bool mayOmitAny(std::span<const Param> params) {
    for (const Param& param : params) {
        if (param.presence == Param::Presence::OMITTED) return true;
    }
    return false;
}

// One way to call the operation.
struct Form {
    std::string_view name;  // "implicit padding"; empty if there is only one
    std::span<const Param> inputs;
    std::span<const Param> outputs;
    Version since = V1_0;
    Counts inputCounts = countsOf(inputs);  // counted once, by the compiler
    Counts outputCounts = countsOf(outputs);
    size_t unversionedInputs = unversioned(inputs);
    size_t unversionedOutputs = unversioned(outputs);
    bool mayOmitInputs = mayOmitAny(inputs);

    constexpr bool acceptsCount(size_t inputCount, size_t outputCount) const {
        return ops::acceptsCount(inputs, inputCounts, inputCount) &&
               ops::acceptsCount(outputs, outputCounts, outputCount);
    }
};

// The parameter of the i-th of `count` operands. Operands after a repeated parameter are shifted by
// its extent.
constexpr const Param* paramAt(std::span<const Param> params, size_t i, size_t count) {
    for (size_t p = 0; p < params.size(); ++p) {
        if (params[p].presence != Param::Presence::REPEATED) {
            if (i == 0) return &params[p];
            --i;
            --count;
            continue;
        }
        const size_t after = params.size() - p - 1;
        const size_t extent = count > after ? count - after : 0;
        if (i < extent) return &params[p];
        i -= extent;
        count -= extent;
    }
    return nullptr;
}

// ---- texts

// The meaning of an operand in a few words, which `nnapi ops` shows. Named "SOFTMAX.beta" if the
// operand means something else in other operations of the folder; op_support/rules/operand_texts.h
// has the texts that several folders share.
struct OperandText {
    std::string_view name;
    std::string_view meaning;
};

// A rule: its id, which is stable, and one sentence that docs/ and `nnapi rules` show.
struct RuleText {
    std::string_view id;
    std::string_view sentence;
};

// ---- positions

// The position of the parameter of that name in a list; kNoInput if there is none.
inline constexpr size_t kNoInput = SIZE_MAX;
consteval size_t find(std::span<const Param> params, std::string_view name) {
    for (size_t i = 0; i < params.size(); ++i) {
        if (params[i].name == name) return i;
    }
    return kNoInput;
}

// Neither is defined: a call at compile time is an error, whose message shows the name.
size_t noParameterIsCalledSo();
size_t formsHaveItAtDifferentPositions();

// The same for a parameter that the list must have.
consteval size_t at(std::span<const Param> params, std::string_view name) {
    const size_t i = find(params, name);
    return i != kNoInput ? i : noParameterIsCalledSo();
}

// The position of an input that is the same in every form that has it.
consteval size_t inputAt(std::span<const Form> forms, std::string_view name) {
    size_t all = kNoInput;
    for (const Form& form : forms) {
        const size_t i = find(form.inputs, name);
        if (i == kNoInput) continue;
        if (all != kNoInput && i != all) return formsHaveItAtDifferentPositions();
        all = i;
    }
    return all != kNoInput ? all : noParameterIsCalledSo();
}

// A value for each form of one operation: kActivation[op.form()].
inline constexpr size_t kMaxForms = 2;
template <class What>
struct PerForm {
    const Form* forms = nullptr;
    std::array<What, kMaxForms> of{};

    // For null, or a form of another operation, returns the value of the first form.
    constexpr const What& operator[](const Form* form) const {
        for (size_t i = 1; i < of.size(); ++i) {
            if (form == forms + i) return of[i];
        }
        return of[0];
    }
};

// The position in each form of an input that all forms have.
template <size_t kForms>
consteval PerForm<size_t> inputsAt(const Form (&forms)[kForms], std::string_view name) {
    static_assert(kForms == kMaxForms);
    return {forms, {at(forms[0].inputs, name), at(forms[1].inputs, name)}};
}

// ---- checks of a signature

// Optional parameters come after all others, not before version `since`, and have a fallback; a
// joined one follows an optional one; all have a name.
consteval bool wellFormed(std::span<const Param> params, Version since) {
    bool optionalSeen = false;
    size_t repeated = 0;
    for (const Param& param : params) {
        const bool isJoined = param.presence == Param::Presence::WITH_PREVIOUS;
        if (param.name.empty() || (isJoined && !optionalSeen)) return false;
        if (optionalSeen && !param.mayBeLeftOut()) return false;
        if (param.mayBeLeftOut() &&
            (param.fallback.empty() || !isCompliantVersion(since, param.since))) {
            return false;
        }
        optionalSeen = optionalSeen || param.mayBeLeftOut();
        repeated += param.presence == Param::Presence::REPEATED ? 1 : 0;
    }
    return repeated <= 1;
}

// The number of columns that parameters use, up to the last one in use.
consteval size_t columnsOf(std::span<const Param> params) {
    size_t columns = 0;
    for (const Param& param : params) {
        if (param.type.kind != TypeSpec::Kind::COLUMN) continue;
        columns = std::max<size_t>(columns, param.type.column + 1u);
    }
    return columns;
}

// All forms are well-formed, and every row has a type for exactly the columns that they use.
consteval bool wellFormed(std::span<const Form> forms, std::span<const Types> types = {}) {
    Version since = types.empty() ? V1_0 : types.front().since;
    for (const Types& row : types) {
        if (isCompliantVersion(row.since, since)) since = row.since;
    }
    size_t columns = 0;
    for (const Form& form : forms) {
        if (!wellFormed(form.inputs, since) || !wellFormed(form.outputs, since)) return false;
        columns = std::max({columns, columnsOf(form.inputs), columnsOf(form.outputs)});
    }
    for (const Types& row : types) {
        if (row.columns.size() != columns) return false;
    }
    return !forms.empty() && (columns == 0) == types.empty();
}

}  // namespace nn::ops
