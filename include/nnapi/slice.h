// nnapi/slice.h -- Extracts the part of a model that an older version can represent.
//
// A wrapper of a HAL 1.1 driver queries it for the operations that HAL 1.1 can express:
//
//   NNAPI_ASSIGN_OR_RETURN(slice, nn::sliceForVersion(model, nn::HalVersion::V1_1));
//   NNAPI_ASSIGN_OR_RETURN(versioned, nn::V1_1::utils::convert(slice.model));
//   const std::vector<bool> supported = ...;                  // by the driver, for the slice
//   return slice.supportedOperations(supported);              // for the whole model
//
// nn::nonCompliantOperations(model, version) lists the operations that are left out.
//
// Cost is linear in the graph and independent of the size of constants in pools. Thread-safe, no
// I/O, no global state; never throws and never aborts on bad input.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "nnapi/passes.h"
#include "nnapi/result.h"
#include "nnapi/types.h"
#include "nnapi/version.h"

namespace nn {

// Identifies an operation of a model.
struct OperationIndex {
    std::optional<uint32_t> graph{};  // index in Model::referenced; empty: the main graph
    uint32_t operation = 0;           // index in the graph
    bool operator==(const OperationIndex&) const = default;
    std::strong_ordering operator<=>(const OperationIndex& other) const {
        if (graph != other.graph) {
            return graph < other.graph ? std::strong_ordering::less : std::strong_ordering::greater;
        }
        return operation <=> other.operation;
    }
};

// Operations that a version cannot represent: those that need a later version, those with an
// operand that does (including its type and memory pool), and an IF or WHILE over a graph with such
// an operation. Includes operations that no version can represent, and for AIDL also those with OEM
// types, prefixes above 32767, dimensions above 2147483647 or memory of unknown kind.
std::set<OperationIndex> nonCompliantOperations(const Model& model, HalVersion version);
std::set<OperationIndex> nonCompliantOperations(const ValidatedModel& model, HalVersion version);

// Part of a model, with the mapping to the original.
struct Slice {
    // Legal in the version. Without operations if none complies.
    Model model{};

    // Indexes in the original.
    ModelOrigin origin{};

    // Number of operations in the original's main graph.
    size_t operationCount = 0;

    // Maps the driver's result for the slice to the operations of the original main graph: true if
    // an operation is in the slice and supported there. Missing entries of `ofSlice` count as
    // false.
    std::vector<bool> supportedOperations(const std::vector<bool>& ofSlice) const;
};

// Extracts the compliant operations of the main graph, in their order, with the operands and graphs
// that they need. An operand written by an omitted operation becomes an input, one read by an
// omitted operation becomes an output; both follow the inputs and outputs shared with the original.
// A model that complies is its own slice. Fails if the model is illegal in all versions.
Result<Slice> sliceForVersion(const Model& model, HalVersion version);
Result<Slice> sliceForVersion(const ValidatedModel& model, HalVersion version);

// Selects the outputs of a slice.
enum class SliceOutputs {
    NEEDED,  // outputs of the original, and operands that omitted operations read
    ALL,     // every operand that is written, so that an execution shows each result
};

// The same for chosen operations: those of the main graph whose entry is true. Also fails if the
// number of entries is not the number of operations, or if none is true.
Result<Slice> sliceOfOperations(const ValidatedModel& model, const std::vector<bool>& operations,
                                SliceOutputs outputs = SliceOutputs::NEEDED);

}  // namespace nn
