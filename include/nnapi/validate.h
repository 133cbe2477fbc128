// nnapi/validate.h -- is this object legal, and from which version on?
//
//   nn::Result<nn::Version> needed = nn::validate(model);
//   if (!needed.ok()) return needed.status();   // says where, what was found, what is allowed
//
//   nn::Findings all = nn::validateAll(model, {.target = nn::toVersion(nn::HalVersion::V1_2)});
//   for (const nn::Diagnostic& error : all.errors) puts(nn::toString(error).c_str());
//
// validate answers with the least version that can carry the object, or with the first reason why
// none can. Cost is linear in what the model holds (n log n where names or parameters are
// compared), even where many parts refer to one, and independent of the size of constants.
// Thread-safe, no I/O, no global state; never throws and never aborts on bad input.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nnapi/answers.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/types.h"
#include "nnapi/until.h"

namespace nn {

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

// The hints count for nothing in the version: one that has none may leave them out.
Result<Version> validate(const ExecutionConfig& config);
Result<Version> validate(const PrepareModelConfig& config);

// Each element, and what must hold between them: extension names, prefixes and tokens are unique.
Result<Version> validate(const std::vector<OutputShape>& outputShapes);
Result<Version> validate(const std::vector<Extension>& extensions);
Result<Version> validate(const std::vector<ExtensionNameAndPrefix>& namesAndPrefixes);
Result<Version> validate(const std::vector<SharedHandle>& handles);
Result<Version> validate(const std::vector<SyncFence>& fences);
Result<Version> validate(const std::vector<BufferRole>& bufferRoles);
Result<Version> validate(const std::vector<TokenValuePair>& tokenValuePairs);

// Ends early where `until` says so, and where it takes longer than Limits::time.
Result<Version> validate(const Model& model, const Limits& limits = {}, const Until& until = {});
Result<Version> validate(const Request& request);

// The request itself, and whether it fits the model: it has as many arguments as the model has
// inputs and outputs, dimensions that fit the model's, and lengths that fit the dimensions. Outputs
// may leave dimensions unknown where allowUnspecifiedOutput is true.
Result<Version> validateRequestForModel(const Request& request, const Model& model,
                                        bool allowUnspecifiedOutput = true);

// The alignment and padding that a driver prefers for the buffers of requests, in bytes. A legal
// value may still be below what applications use, kMinMemoryAlignment and kMinMemoryPadding.
Status validateMemoryPreference(uint32_t alignment, uint32_t padding);

// How many files a driver wants for the cache of a compilation
// (IDevice::getNumberOfCacheFilesNeeded of HAL 1.2): at most kMaxNumberOfCacheFiles of either kind,
// and 0 of both where it caches nothing.
Status validateNumberOfCacheFiles(uint32_t modelCache, uint32_t dataCache);

// The cache files of one kind that a model is prepared with: none, or as many open files as the
// driver wants. They need HAL 1.2.
Result<Version> validateCacheFiles(const std::vector<SharedHandle>& files, uint32_t wanted);

// A buffer that a driver is asked to allocate, and its roles: the first input of one model, the
// second output of another. All roles must have the same type and quantisation, and their
// dimensions must fit those of the description.
//   models  one for each prepared model, which roles index: distinct models for distinct prepared
//           models, null for one that is not the driver's own
// Returns the operand that all roles share, with the known dimensions of all of them. It needs HAL
// 1.3.
Result<Operand> validateMemoryDesc(const BufferDesc& desc, std::span<const Model* const> models,
                                   std::span<const BufferRole> inputRoles,
                                   std::span<const BufferRole> outputRoles);

// Parts of a model, for callers who cut models into slices; the whole model may be illegal. An
// operand is checked together with the subgraph that it names, an operation together with its
// operands. The order of execution is not checked.
Result<Version> validateOperand(const Operand& operand, const Model& model);
Result<Version> validateOperation(const Operation& operation, const Model::Subgraph& subgraph,
                                  const Model& model);

// The operation without its operands: only its type, and whether its operands fit it.
Result<Version> validateOperationButNotOperands(const Operation& operation,
                                                const Model::Subgraph& subgraph,
                                                const Model& model);

// For builders, which know an operand's type before its lifetime: type, dimensions, scale and
// zeroPoint; all other fields are ignored. More lenient than for a model's operand, because
// applications rely on it: TENSOR_INT32 and the OEM types may have any scale and zeroPoint. A
// tensor of known size has at most 2^32 - 1 bytes.
//   extensionInfo  how the extension describes the type; given exactly for extension types
//   allowPartial   a tensor may have an unknown rank and unknown dimensions
Result<Version> validateOperandType(const Operand& operand,
                                    const Extension::OperandTypeInformation* extensionInfo,
                                    bool allowPartial);

// For builders: a TENSOR_QUANT8_SYMM_PER_CHANNEL operand has its extra parameters, and they fit its
// dimensions.
Status validateOperandSymmPerChannelQuantParams(const Operand& operand);

// For builders: every index of a list of operands is below the number of operands.
Status validateOperandList(std::span<const uint32_t> operands, size_t operandCount);

struct ValidateOptions {
    // Whatever needs a later version is an error. Empty: every version is allowed.
    std::optional<Version> target{};

    // The most errors and warnings that are collected.
    size_t mostDiagnostics = 1000;

    // Every prefix of an extension type must stand in extensionNameToPrefix. The HAL demands it,
    // but existing drivers accept models without it. If false, a missing prefix is only a warning.
    bool requireDeclaredPrefixes = false;

    // Limits of the whole model and of each of its parts. Checking ends at the first one exceeded.
    Limits limits{};

    // When checking ends early, the findings so far get an error that says why they are not all.
    Until until{};
};

// One reason why an object needs a version.
struct Cause {
    Version version{};
    std::string path{};       // "main.operations[4]"
    std::string operation{};  // "SOFTMAX"; empty where the place is not an operation
    std::string what{};       // "TENSOR_FLOAT16"
    bool operator==(const Cause&) const = default;
};

// "main.operations[4] SOFTMAX: TENSOR_FLOAT16 needs HAL 1.2"
std::string toString(const Cause& cause);

// All that validation finds in an object.
struct Findings {
    Version version{};                 // the least version that carries its legal parts
    std::vector<Cause> causes{};       // what needs exactly that version; empty for HAL 1.0
    std::vector<Diagnostic> errors{};  // why it is refused; empty: it is legal
    // Legal, but a peer may refuse it, or preparing or executing it will fail.
    std::vector<Diagnostic> warnings{};
    bool valid() const { return errors.empty(); }
};

Findings validateAll(const Model& model, const ValidateOptions& options = {});

// Success when the model is legal and needs no more than the version; else the first reason.
Status validateFor(const Model& model, Version target, const Limits& limits = {},
                   const Until& until = {});

}  // namespace nn
