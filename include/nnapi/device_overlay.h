// nnapi/device_overlay.h -- what a device supports, beyond or below the specification.
//
//   nn::DeviceOverlay device{.version = nn::kVersionFeatureLevel3};
//   device.operations.push_back({.type = nn::OperationType::CONV_2D,
//                                .operands = {{.name = "filter",
//                                              .mustBeConstant = true,
//                                              .mostDimensions = {0, 5, 5, 0}}}});
//   nn::Result<nn::DeviceSupport> support = nn::supportedOperations(model, device);
//   for (const nn::OperationSupport& operation : support->operations) ...
//
// Plain data, from which getSupportedOperations is computed with the reason of every refusal; files
// of it are read by nnapi/io.h. docs/devices.md explains the fields. Thread-safe, no global state;
// any model and any overlay is answered.
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
    // What one operand of an operation must be. Every field that is left as it is demands nothing.
    struct Operand {
        std::string name{};                // as in the signature: "filter"
        std::vector<OperandType> types{};  // one of these
        std::optional<uint32_t> leastRank{};
        std::optional<uint32_t> mostRank{};
        bool mustBeConstant = false;

        // By dimension; 0 is no limit. Dimensions behind the last one have no limit.
        std::vector<uint32_t> mostDimensions{};

        // Bounds of the value of a scalar, or of every element of a TENSOR_INT32, and what it may
        // be between them. The value must be a constant of the model.
        std::optional<double> leastValue{};
        std::optional<double> mostValue{};
        std::vector<double> values{};

        bool operator==(const Operand&) const = default;
    };

    // One way in which the device supports an operation. Several for the same operation are
    // alternatives.
    struct Operation {
        OperationType type{};  // of the specification; not looked at for an extension's

        // An operation of a vendor's extension, which the specification says nothing of.
        std::string extension{};
        uint16_t typeWithinExtension = 0;

        std::vector<Operand> operands{};

        // Rules of this operation that the device does without: "softmax.rank". Models that only
        // break these are legal for it.
        std::vector<std::string> liftedRules{};

        bool operator==(const Operation&) const = default;
    };

    std::string name{};
    Version version = kNewestVersion;  // that the device implements
    bool supportsOthers = false;       // operations without an entry, as specified

    // Refuses also what nn::prepare (nnapi/interpreter.h) refuses of a legal model without
    // executing it: values of parameters and shapes that no execution can bring about, with its
    // reasons. Of limits only Limits::rank counts here.
    bool isStrict = false;
    std::vector<Operation> operations{};

    bool operator==(const DeviceOverlay&) const = default;
};

struct OperationSupport {
    bool isSupported() const { return reasons.empty(); }

    // Why not; in the alternative with the fewest reasons.
    std::vector<Diagnostic> reasons{};
};

struct DeviceSupport {
    // For each operation of the main graph. IF and WHILE are supported when all operations of the
    // graphs that they name are; else the first reasons of each graph, 16 at the most, are theirs.
    std::vector<OperationSupport> operations{};

    // Why the model cannot be prepared whichever operations are left to others: what stands in it
    // that no operation of the main graph reaches. Only of a strict device.
    std::vector<Diagnostic> reasons{};

    // All operations, and nothing speaks against the model.
    bool all() const;
};

struct SupportOptions {
    Limits limits{};  // of the model

    // What a strict device knows of vendors' operations that it has no entry for, as prepare does.
    std::vector<std::shared_ptr<const ExtensionOperations>> extensions{};
};

// Names operands that the operations have, and rules that are the operations' own.
Status validate(const DeviceOverlay& device);

// INVALID_ARGUMENT with the first reason where the overlay, the model or an extension is not legal.
// A strict device reads parameters also from pools; nothing else reads files.
//
//   nn::supportedOperations(model, {.supportsOthers = true, .isStrict = true})->all()
//
// is true exactly where nn::prepare(model) succeeds, unless that takes more than its limits allow.
Result<DeviceSupport> supportedOperations(const Model& model, const DeviceOverlay& device,
                                          const SupportOptions& options = {});

// The same for a model that is known to be legal.
Result<DeviceSupport> supportedOperations(const CheckedModel& model, const DeviceOverlay& device,
                                          const SupportOptions& options = {});

}  // namespace nn
