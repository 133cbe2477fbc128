// Tables of cases for one operation, and the expectations on every row of each kind of table.
//
//   expectNeeds(SOFTMAX, {{"Float", In{f32({2, 3}), real(1)}, Out{f32({2, 3})}, V1_0}});
//
// Rows are for exceptional cases. Ordinary values and shapes of each operation are compared with
// test vectors (tests/acceptance) and, at random, with a second implementation (tests/oracle).
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "ops/op_test.h"

namespace nn::ops {

// The operands and dimensions of a row.
using In = std::vector<Arg>;
using Out = std::vector<Arg>;
using Shapes = std::vector<std::vector<uint32_t>>;

// The same inputs with some replaced.
using Changes = std::map<size_t, Arg>;
inline std::vector<Arg> with(std::vector<Arg> inputs, const Changes& changes) {
    for (const auto& [index, arg] : changes) inputs[index] = arg;
    return inputs;
}

// By default, the operation has one output, of floats with unknown dimensions.
template <class Expected>
struct Row {
    Row(const char* of, In in, Expected is) : Row(of, std::move(in), {f32({})}, std::move(is)) {}
    Row(const char* of, In in, Out out, Expected is)
        : name(of), inputs(std::move(in)), outputs(std::move(out)), expected(std::move(is)) {}

    const char* name;
    In inputs;
    Out outputs;
    Expected expected;
};
using LegalRow = Row<Version>;
using BrokenRow = Row<const char*>;  // the whole message, without the name of the operation
using ShapeRow = Row<Shapes>;        // 0 is unknown

struct ValueRow {
    const char* name;
    In inputs;
    Out outputs;  // with the expected dimensions and values
};

inline void expectNeeds(OperationType type, const std::vector<LegalRow>& rows) {
    for (const LegalRow& row : rows) {
        SCOPED_TRACE(toString(type) + " " + row.name);
        EXPECT_THAT(check(type, row.inputs, row.outputs), Needs(row.expected));
    }
}

using Stage = Outcome (*)(OperationType, const std::vector<Arg>&, const std::vector<Arg>&);

// Rejected by the validator (check), during preparation (infer) or in execution (run).
inline void expectFails(Stage stage, OperationType type, const std::vector<BrokenRow>& rows) {
    for (const BrokenRow& row : rows) {
        SCOPED_TRACE(toString(type) + " " + row.name);
        const std::string message = toString(type) + ": " + row.expected;
        EXPECT_THAT(stage(type, row.inputs, row.outputs), Fails(message));
    }
}

inline void expectShapes(OperationType type, const std::vector<ShapeRow>& rows) {
    for (const ShapeRow& row : rows) {
        SCOPED_TRACE(toString(type) + " " + row.name);
        const Outcome outcome = infer(type, row.inputs, row.outputs);
        Shapes dimensions;
        for (const Arg& output : outcome.outputs) dimensions.push_back(output.dimensions);
        EXPECT_EQ(outcome.error, "");
        EXPECT_EQ(dimensions, row.expected);
    }
}

// The outputs are declared with unknown dimensions.
inline void expectComputes(OperationType type, const std::vector<ValueRow>& rows) {
    for (const ValueRow& row : rows) {
        SCOPED_TRACE(toString(type) + " " + row.name);
        std::vector<Arg> declared = row.outputs;
        for (Arg& output : declared) {
            output.data.clear();
            output.dimensions.clear();
        }
        const Outcome outcome = run(type, row.inputs, declared);
        for (size_t i = 0; i < row.outputs.size(); ++i) {
            EXPECT_THAT(outcome, GivesAt(i, row.outputs[i])) << "output " << i;
        }
    }
}

}  // namespace nn::ops
