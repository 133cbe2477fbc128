// nnapi/device_profile.h -- Describes the operations and operands that a device supports.
//
//   nn::DeviceProfile device{.version = nn::kVersionFeatureLevel3};
//   device.operations.push_back({.type = nn::OperationType::CONV_2D,
//                                .operands = {{.name = "filter",
//                                              .mustBeConstant = true,
//                                              .maxDimensions = {0, 5, 5, 0}}}});
//   nn::Result<nn::DeviceSupport> support = nn::supportedOperations(model, device);
//   for (const nn::OperationSupport& operation : support->operations) ...
//
// Plain data. supportedOperations() computes the result of getSupportedOperations, and a reason for
// each operation that is not supported. nnapi/io.h reads descriptions from files; docs/devices.md
// explains the fields. Thread-safe, no global state; accepts any model and any description.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nnapi/extension_operations.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/stop_condition.h"
#include "nnapi/types.h"
#include "nnapi/validated_model.h"

namespace nn {

// Description of a device.
struct DeviceProfile {
    // Requirements on an operand. A field with its default requires nothing.
    struct Operand {
        std::string name{};                 // as in the signature: "filter"
        std::vector<OperandType> types{};   // one of these
        std::optional<uint32_t> minRank{};  // number of dimensions, inclusive
        std::optional<uint32_t> maxRank{};  // likewise
        bool mustBeConstant = false;        // a value that is part of the model

        // Largest size of each dimension; 0 and missing entries mean no limit.
        std::vector<uint32_t> maxDimensions{};

        // Bounds of the value of a scalar or of every element of a TENSOR_INT32, and the values
        // allowed within them. The value must be a constant of the model.
        std::optional<double> minValue{};
        std::optional<double> maxValue{};
        std::vector<double> values{};

        bool operator==(const Operand&) const = default;
    };

    // Conditions under which the device supports an operation. Several entries for one operation
    // are alternatives.
    struct Operation {
        OperationType type{};  // ignored if extension is set

        // Operation of a vendor extension.
        std::string extension{};
        uint16_t typeWithinExtension = 0;

        // Requirements on inputs, by name; others have none.
        std::vector<Operand> operands{};

        // Rules of this operation that the device does not require: "softmax.rank". A model that
        // breaks only these is legal for the device.
        std::vector<std::string> liftedRules{};

        bool operator==(const Operation&) const = default;
    };

    std::string name{};                // of the device; no requirement
    Version version = kNewestVersion;  // implemented by the device
    bool supportsOthers = false;       // supports operations without an entry, as specified

    // Also rejects legal models that nn::prepare (nnapi/interpreter.h) rejects, with the same
    // reasons: parameter values, and shapes that no execution can produce. Of the limits only
    // Limits::rank applies.
    bool isStrict = false;

    // The supported operations and their conditions.
    std::vector<Operation> operations{};

    bool operator==(const DeviceProfile&) const = default;
};

// Support of one operation.
struct OperationSupport {
    // True if there are no reasons against it.
    bool isSupported() const { return reasons.empty(); }

    // The reasons why the operation is not supported: those of the alternative with the fewest.
    std::vector<Diagnostic> reasons{};
};

// Support of a model.
struct DeviceSupport {
    // One entry for each operation of the main graph. An IF or WHILE is supported if all operations
    // of its graphs are; otherwise it has the first reasons of each graph, at most 16.
    std::vector<OperationSupport> operations{};

    // Why the model cannot be prepared, independent of how its operations are divided: faults in
    // parts that no operation of the main graph reaches. Only for a strict device.
    std::vector<Diagnostic> reasons{};

    // True if all operations are supported and `reasons` is empty.
    bool all() const;
    // The result of getSupportedOperations: one entry for each operation; all false if `reasons` is
    // not empty.
    std::vector<bool> byOperation() const;
};

// Options of supportedOperations().
struct SupportOptions {
    Limits limits{};  // of the model

    // Extension operations that a strict device accepts without an entry, as nn::prepare does.
    std::vector<std::shared_ptr<const ExtensionOperations>> extensions{};

    StopCondition until{};  // when it ends early, apart from its time in limits
};

// Success if the description names only operands and rules that its operations have, each operand
// once, and its bounds and types can be met.
Status validate(const DeviceProfile& device);

// Computes the support of each operation. INVALID_ARGUMENT with the first reason if the
// description, the model or an extension is illegal. A strict device also reads parameters from
// pools; nothing else reads memory.
//
//   nn::supportedOperations(model, {.supportsOthers = true, .isStrict = true})->all()
//
// is true if and only if nn::prepare(model) succeeds, apart from the limits of prepare.
Result<DeviceSupport> supportedOperations(const Model& model, const DeviceProfile& device,
                                          const SupportOptions& options = {});

// The same for a validated model.
Result<DeviceSupport> supportedOperations(const ValidatedModel& model, const DeviceProfile& device,
                                          const SupportOptions& options = {});

}  // namespace nn
