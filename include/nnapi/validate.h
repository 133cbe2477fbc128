// nnapi/validate.h -- Checks objects against the rules of the HAL and finds the lowest version that
// they need.
//
//   nn::Result<nn::Version> needed = nn::validate(model);
//   if (!needed.ok()) return needed.status();   // with the path, the value and the allowed values
//
//   nn::Findings all = nn::validateAll(model, {.target = nn::toVersion(nn::HalVersion::V1_2)});
//   for (const nn::Diagnostic& error : all.errors) puts(nn::toString(error).c_str());
//
// validate() returns the lowest version that can represent the object, or the first reason why none
// can: INVALID_ARGUMENT with a Diagnostic whose rule is documented in docs/rules/. Cost is linear
// in the contents (n log n where names or parameters are compared), even if many parts refer to the
// same one, and independent of the size of constants. Thread-safe, no I/O, no global state; never
// throws and never aborts on bad input.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/stop_condition.h"
#include "nnapi/types.h"

namespace nn {

// Single objects. Sources: types.hal of 1.0 to 1.3, docs/rules/structure.md.
Result<Version> validate(const DeviceStatus& deviceStatus);
Result<Version> validate(const ExecutionPreference& preference);
Result<Version> validate(const DeviceType& deviceType);
Result<Version> validate(const MeasureTiming& measureTiming);
Result<Version> validate(const Priority& priority);
Result<Version> validate(const ErrorStatus& errorStatus);
Result<Version> validate(const FusedActivationFunc& activation);
Result<Version> validate(const OperandType& type);
Result<Version> validate(const OperationType& type);
Result<Version> validate(const OutputShape& outputShape);
Result<Version> validate(const Timing& timing);
Result<Version> validate(const Capabilities& capabilities);
Result<Version> validate(const Extension& extension);
Result<Version> validate(const ExtensionNameAndPrefix& nameAndPrefix);
Result<Version> validate(const BufferDesc& bufferDesc);
Result<Version> validate(const BufferRole& bufferRole);
Result<Version> validate(const OptionalTimePoint& timePoint);
Result<Version> validate(const OptionalDuration& duration);
Result<Version> validate(const CacheToken& token);
Result<Version> validate(const SyncFence& fence);
Result<Version> validate(const SharedHandle& handle);
Result<Version> validate(const SharedMemory& memory);
Result<Version> validate(const TokenValuePair& tokenValuePair);
Result<Version> validate(const NumberOfCacheFiles& files);
Result<Version> validate(const Executed& executed);

// Hints do not raise the version: an interface without hints may drop them.
Result<Version> validate(const ExecutionConfig& config);
Result<Version> validate(const PrepareModelConfig& config);

// Each element, and the list as a whole: extension names, prefixes and tokens are unique.
Result<Version> validate(const std::vector<OutputShape>& outputShapes);
Result<Version> validate(const std::vector<Extension>& extensions);
Result<Version> validate(const std::vector<ExtensionNameAndPrefix>& namesAndPrefixes);
Result<Version> validate(const std::vector<SharedHandle>& handles);
Result<Version> validate(const std::vector<SyncFence>& fences);
Result<Version> validate(const std::vector<BufferRole>& bufferRoles);
Result<Version> validate(const std::vector<TokenValuePair>& tokenValuePairs);

// Models and requests. The work on a model ends early if `until` requests it or Limits::time has
// passed; a model beyond another limit fails with RESOURCE_EXHAUSTED_PERSISTENT.
Result<Version> validate(const Model& model, const Limits& limits = {},
                         const StopCondition& until = {});
Result<Version> validate(const Request& request);

// Validates a request and checks that it matches the model: numbers of arguments, dimensions, and
// lengths that match the dimensions. Outputs may leave dimensions unknown if allowUnspecifiedOutput
// is true.
Result<Version> validateRequestForModel(const Request& request, const Model& model,
                                        bool allowUnspecifiedOutput = true);

// Alignment and padding that a driver prefers for request buffers, in bytes: powers of two. A legal
// value may be below what applications use (kMinMemoryAlignment, kMinMemoryPadding).
Status validateMemoryPreference(uint32_t alignment, uint32_t padding);

// Numbers of cache files that a driver requests (IDevice::getNumberOfCacheFilesNeeded of HAL 1.2):
// at most kMaxNumberOfCacheFiles of each kind; 0 and 0 for a driver without caching.
Status validateNumberOfCacheFiles(uint32_t modelCache, uint32_t dataCache);

// Cache files of one kind, as passed to a preparation: none, or as many open files as the driver
// requests. They need HAL 1.2.
Result<Version> validateCacheFiles(const std::vector<SharedHandle>& files, uint32_t wanted);

// A device buffer and its roles (inputs and outputs of prepared models). All roles must have the
// same type and quantization, and dimensions that agree with the description.
//     models  one for each prepared model, indexed by the roles: distinct models for distinct
//             prepared models, null for one that is not the driver's own
// Returns the operand that the roles have in common, with all known dimensions. Needs HAL 1.3.
Result<Operand> validateMemoryDesc(const BufferDesc& desc, std::span<const Model* const> models,
                                   std::span<const BufferRole> inputRoles,
                                   std::span<const BufferRole> outputRoles);

// Parts of a model, for callers that slice models; the rest may be illegal. An operand is checked
// together with the subgraph that it refers to, an operation together with its operands. The order
// of execution is not checked.
Result<Version> validateOperand(const Operand& operand, const Model& model);
Result<Version> validateOperation(const Operation& operation, const Model::Subgraph& subgraph,
                                  const Model& model);

// Checks only the operation's type and whether its operands match the signature, not the operands
// themselves.
Result<Version> validateOperationButNotOperands(const Operation& operation,
                                                const Model::Subgraph& subgraph,
                                                const Model& model);

// For model builders, which know an operand's type before its lifetime: checks type, dimensions,
// scale and zeroPoint, and ignores all other fields. More lenient than the check of a model's
// operand, since applications rely on it: TENSOR_INT32 and OEM types may have any scale and
// zeroPoint. A tensor of known size has at most 2^32 - 1 bytes.
//     extensionInfo  the extension's description of the type; given exactly for extension types
//     allowPartial   allows an unknown rank and unknown dimensions of a tensor
Result<Version> validateOperandType(const Operand& operand,
                                    const Extension::OperandTypeInformation* extensionInfo,
                                    bool allowPartial);

// For model builders: checks that a TENSOR_QUANT8_SYMM_PER_CHANNEL operand has channel parameters
// that match its dimensions.
Status validateOperandSymmPerChannelQuantParams(const Operand& operand);

// For model builders: checks that every index is below the number of operands.
Status validateOperandList(std::span<const uint32_t> operands, size_t operandCount);

// Options of validateAll().
struct ValidateOptions {
    // If set, everything that needs a later version is an error.
    std::optional<Version> target{};

    // Largest number of errors and of warnings that are collected.
    size_t maxDiagnostics = 1000;

    // Makes a prefix of an extension type without an entry in extensionNameToPrefix an error. The
    // HAL demands the entry, but existing drivers accept models without it, so it is a warning by
    // default.
    bool requireDeclaredPrefixes = false;

    // Validation ends at the first limit that is exceeded.
    Limits limits{};

    // If validation ends early, an additional error reports that the findings are incomplete.
    StopCondition until{};
};

// A part of an object that needs a later version than HAL 1.0.
struct Cause {
    Version version{};
    std::string path{};       // "main.operations[4]"
    std::string operation{};  // "SOFTMAX"; empty if the place is not an operation
    std::string what{};       // "TENSOR_FLOAT16"
    bool operator==(const Cause&) const = default;
};

// "main.operations[4] SOFTMAX: TENSOR_FLOAT16 needs HAL 1.2"
std::string toString(const Cause& cause);

// All findings in an object.
struct Findings {
    Version version{};                 // the lowest version that can represent its legal parts
    std::vector<Cause> causes{};       // the parts that need this version; empty for HAL 1.0
    std::vector<Diagnostic> errors{};  // empty: the object is legal
    // Legal, but a peer may reject it, or preparing or executing it will fail.
    std::vector<Diagnostic> warnings{};

    // True if the object is legal.
    bool valid() const { return errors.empty(); }
};

// Collects all errors, warnings and causes of a model. Throws std::bad_alloc, since it has no
// status to return.
Findings validateAll(const Model& model, const ValidateOptions& options = {});

// Success if the model is legal and needs no later version than `target`; otherwise the first
// reason.
Status validateFor(const Model& model, Version target, const Limits& limits = {},
                   const StopCondition& until = {});

}  // namespace nn
