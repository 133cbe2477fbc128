// nnapi/import/imported_model.h -- A file of another format as models, with the result for each
// operator.
//
//   nn::Result<nn::Import> imported = nn::importTflite(bytes);   // fails only if it cannot be read
//   const nn::Status refused = nn::preparationErrors(*imported);    // lists every refused operator
//   if (!refused.ok()) return refused;
//   const nn::Model& model = imported->parts.front().model;
//
// The readers are nnapi/import/tflite.h and nnapi/import/onnx.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/limits.h"
#include "nnapi/losses.h"
#include "nnapi/result.h"
#include "nnapi/slice.h"
#include "nnapi/types.h"
#include "nnapi/version.h"

namespace nn {

// Options of all importers.
struct ImportOptions {
    // Dimensions of inputs by name, instead of those in the file.
    std::map<std::string, Dimensions> shapes{};

    // The version that the model must fit: operations of later versions are composed of earlier
    // ones where possible.
    Version target = kNewestVersion;

    // Imports the largest parts of a file that has unsupported operators.
    bool partial = false;

    // Of the file and of each model.
    Limits limits{};
};

// One reason why an operator cannot become operations.
struct ImportRefusal {
    std::string tensor{};            // its name or number; empty if the reason is no tensor
    std::string found{};             // "is INT16 with a zero point"
    std::string allowed{};           // "FLOAT32, UINT8, INT8"; empty if nothing is
    std::optional<Version> since{};  // the version from which it is allowed, if there is one
    bool operator==(const ImportRefusal&) const = default;
};

// "tensor \"x\" is INT16 with a zero point, allowed FLOAT32, UINT8, INT8"
std::string toString(const ImportRefusal& refusal);

// An operation of a part, or, without parts, of the model that the file would become.
struct ImportedOperation {
    uint32_t part = 0;       // in Import::parts
    OperationIndex index{};  // in the part's model
    OperationType type{};    // of the operation at that index
    bool operator==(const ImportedOperation&) const = default;
};

// One operator of the file. It has neither operations nor refusals if it was folded into a constant
// or into another operator, if it only renames a tensor, if no output depends on it, or if it is
// composite: the operators of its graph follow then.
struct ImportedOperator {
    std::string graph{};                          // name of its graph; empty for the main graph
    uint32_t index = 0;                           // in the graph
    std::string type{};                           // "CONV_2D"
    std::string name{};                           // of the operator, or of its first output
    int32_t version = 1;                          // of the operator; of its operator set in ONNX
    std::vector<ImportedOperation> operations{};  // its operations, in their order
    Version since{};                              // the lowest version that has these operations
    std::vector<ImportRefusal> refusals{};        // why it cannot be imported; empty: it can
    bool operator==(const ImportedOperator&) const = default;
};

// "operator 4 CONV_2D (version 1, 'conv/Relu6')", with "graph 'body', " in front if it has a name
std::string toString(const ImportedOperator& op);

// A value that the file keeps between executions: the output is the input of the next execution.
struct ImportedState {
    uint32_t input = 0;   // of Model::main.inputIndexes
    uint32_t output = 0;  // of Model::main.outputIndexes
    bool operator==(const ImportedState&) const = default;
};

// A model, with the names that the file has for its operands.
struct ImportedPart {
    // For the version ImportOptions::target.
    Model model{};
    // Names in the file, one for each of main.operands; empty if the importer added the operand.
    std::vector<std::string> operandNames{};
    // Values that the caller has to pass from one execution to the next.
    std::vector<ImportedState> states{};

    // Names of inputs and outputs, in their order.
    std::vector<std::string> inputNames() const;
    std::vector<std::string> outputNames() const;
};

// The result of an import.
struct Import {
    // All operators, graph by graph.
    std::vector<ImportedOperator> operators{};
    // One model if all operators are supported. Otherwise none, or with ImportOptions::partial the
    // parts between unsupported operators, in the order of execution.
    std::vector<ImportedPart> parts{};
    // Differences between the computations of the parts and of the file.
    Losses losses{};
};

// Success if all operators are supported. Otherwise an error that lists all reasons, one on each
// line.
Status preparationErrors(const Import& imported);

// The model of the whole file, or the error of preparationErrors().
Result<Model> wholeModelOf(Import imported);

}  // namespace nn
