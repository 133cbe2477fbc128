// nnapi/device_overlay.h -- what a device supports: more or less than the specification.
//
//   nn::DeviceOverlay device{.version = nn::kVersionFeatureLevel3};
//   device.operations.push_back({.type = nn::OperationType::CONV_2D,
//                                .operands = {{.name = "filter",
//                                              .mustBeConstant = true,
//                                              .mostDimensions = {0, 5, 5, 0}}}});
//   nn::Result<nn::DeviceSupport> support = nn::supportedOperations(model, device);
//   for (const nn::OperationSupport& operation : support->operations) ...
//
// Plain data. supportedOperations() computes from it what a driver answers to
// getSupportedOperations, with the reason of every refusal. nnapi/io.h reads files of it,
// docs/devices.md explains the fields. Thread-safe, no global state; any model and any overlay gets
// an answer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nnapi/checked_model.h"
#include "nnapi/extension_operations.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

struct DeviceOverlay {
    // What one operand of an operation must be. A field that keeps its default demands nothing.
    struct Operand {
        std::string name{};                // as in the signature: "filter"
        std::vector<OperandType> types{};  // one of these
        std::optional<uint32_t> leastRank{};
        std::optional<uint32_t> mostRank{};
        bool mustBeConstant = false;

        // The largest size of each dimension; 0 means no limit. Further dimensions have no limit.
        std::vector<uint32_t> mostDimensions{};

        // Bounds of the value of a scalar, or of every element of a TENSOR_INT32, and the values
        // that are allowed between them. The value must be a constant of the model.
        std::optional<double> leastValue{};
        std::optional<double> mostValue{};
        std::vector<double> values{};

        bool operator==(const Operand&) const = default;
    };

    // One way in which the device supports an operation. Several entries for one operation are
    // alternatives.
    struct Operation {
        OperationType type{};  // of the specification; ignored where extension is set

        // An operation of a vendor's extension, which the specification does not describe.
        std::string extension{};
        uint16_t typeWithinExtension = 0;

        std::vector<Operand> operands{};

        // Rules of this operation that the device does not demand: "softmax.rank". A model that
        // breaks only these is legal for it.
        std::vector<std::string> liftedRules{};

        bool operator==(const Operation&) const = default;
    };

    std::string name{};
    Version version = kNewestVersion;  // that the device implements
    bool supportsOthers = false;       // operations without an entry, as specified

    // Also refuses what nn::prepare (nnapi/interpreter.h) refuses in a legal model, with its
    // reasons: values of parameters, and shapes that no execution can produce. Of the limits only
    // Limits::rank counts here.
    bool isStrict = false;
    std::vector<Operation> operations{};

    bool operator==(const DeviceOverlay&) const = default;
};

struct OperationSupport {
    bool isSupported() const { return reasons.empty(); }

    // Why the operation is refused; those of the alternative with the fewest reasons.
    std::vector<Diagnostic> reasons{};
};

struct DeviceSupport {
    // For each operation of the main graph. An IF or a WHILE is supported when all operations of
    // its graphs are; otherwise it has the first reasons of each graph, at most 16.
    std::vector<OperationSupport> operations{};

    // Why the model cannot be prepared whichever operations are left to other devices: faults in
    // parts that no operation of the main graph reaches. Only a strict device has such reasons.
    std::vector<Diagnostic> reasons{};

    // True where all operations are supported and the model has no reasons of its own.
    bool all() const;
    // As drivers answer it, one for each operation; none where the model has reasons of its own.
    std::vector<bool> byOperation() const;
};

struct SupportOptions {
    Limits limits{};  // of the model

    // Vendors' operations that a strict device knows without an entry, as prepare does.
    std::vector<std::shared_ptr<const ExtensionOperations>> extensions{};
};

// Success when the overlay names only operands and rules that its operations have.
Status validate(const DeviceOverlay& device);

// INVALID_ARGUMENT with the first reason where the overlay, the model or an extension is not legal.
// A strict device reads parameters also from pools; nothing else reads files.
//
//   nn::supportedOperations(model, {.supportsOthers = true, .isStrict = true})->all()
//
// is true exactly where nn::prepare(model) succeeds, apart from the limits of prepare.
Result<DeviceSupport> supportedOperations(const Model& model, const DeviceOverlay& device,
                                          const SupportOptions& options = {});

// The same for a model that is known to be legal.
Result<DeviceSupport> supportedOperations(const CheckedModel& model, const DeviceOverlay& device,
                                          const SupportOptions& options = {});

}  // namespace nn
