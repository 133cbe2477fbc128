// nnapi/forward.h -- Declares the canonical types, for headers that only name them.
//
//   nn::Result<nn::PreparedModel> compile(const nn::Model& model);
//
// It includes nothing; nnapi/types.h, result.h and others define the types.
#pragma once

namespace nn {

struct BufferDesc;
struct BufferRole;
struct Capabilities;
struct DataLocation;
struct Diagnostic;
struct Extension;
struct ExtensionNameAndPrefix;
struct Loss;
struct Memory;
struct Model;
struct NativeHandle;
struct Operand;
struct Operation;
struct OutputShape;
struct Request;
struct Tensor;
struct Timing;
struct Version;
class IBuffer;
class IBurst;
class IDevice;
class IExecution;
class IPreparedModel;
class PreparedModel;
class SubgraphBuilder;
class SyncFence;
class ValidatedModel;
template <class T>
class Result;

}  // namespace nn
