// nnapi/slice.h -- the part of a model that an older version can carry.
//
// An adapter around a driver of HAL 1.1 asks it about the operations that HAL 1.1 can express:
//
//   NNAPI_ASSIGN_OR_RETURN(slice, nn::sliceForVersion(model, nn::HalVersion::V1_1));
//   NNAPI_ASSIGN_OR_RETURN(versioned, nn::V1_1::utils::convert(slice.model));
//   const std::vector<bool> answer = ...;                     // of the driver, for the slice
//   return slice.supportedOperations(answer);                 // for the whole model
//
// and the reasons are in nn::nonCompliantOperations(model, version).
//
// Cost is linear in the graph and independent of the size of constants, apart from copying those
// that are part of the model. Thread-safe, no I/O, no global state; never throws and never aborts.
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

// One operation of a model.
struct OperationIndex {
    std::optional<uint32_t> graph{};  // in Model::referenced; empty: the main graph
    uint32_t operation = 0;
    bool operator==(const OperationIndex&) const = default;
    std::strong_ordering operator<=>(const OperationIndex& other) const {
        if (graph != other.graph) {
            return graph < other.graph ? std::strong_ordering::less : std::strong_ordering::greater;
        }
        return operation <=> other.operation;
    }
};

// The operations that a version cannot carry: those that need a later one by themselves or by one
// of their operands, whose types and memory pools count too, and an IF or a WHILE over a graph with
// such an operation. An operation that no version can carry is among them, and for AIDL those with
// types of OEMs, prefixes above 32767, dimensions above 2147483647 or memory of unknown kind, which
// it does not have.
std::set<OperationIndex> nonCompliantOperations(const Model& model, HalVersion version);
std::set<OperationIndex> nonCompliantOperations(const CheckedModel& model, HalVersion version);

struct Slice {
    // Legal in the version; without operations where none complies.
    Model model{};

    // The graph, operands, operations and pools of the original.
    ModelOrigin origin{};

    // How many operations the main graph of the original has.
    size_t operationCount = 0;

    // For each operation of the original main graph: is it in the slice, and does the driver
    // support it there? `ofSlice` is its answer for the slice; a missing entry means no.
    std::vector<bool> supportedOperations(const std::vector<bool>& ofSlice) const;
};

// The compliant operations of the main graph, in their order, with the operands and graphs they
// need. An operand that they read and that a left-out operation writes becomes an input, one that
// they write and that a left-out operation reads becomes an output; both come after the inputs and
// outputs that the slice shares with the original. A model that the version can carry is its own
// slice. Fails where the model is illegal in all versions.
Result<Slice> sliceForVersion(const Model& model, HalVersion version);
Result<Slice> sliceForVersion(const CheckedModel& model, HalVersion version);

// Which of the operands that a slice writes are its outputs.
enum class SliceOutputs {
    NEEDED,  // those that the original has as outputs, or that left-out operations read
    ALL,     // all, so that an execution shows what each operation computes
};

// The same for operations by choice: those of the main graph whose entry is true. Fails also where
// there is not one entry for each operation, or where none is true.
Result<Slice> sliceOfOperations(const CheckedModel& model, const std::vector<bool>& operations,
                                SliceOutputs outputs = SliceOutputs::NEEDED);

}  // namespace nn
