// nnapi/types.h -- Canonical NNAPI types: one set for all HAL versions.
//
//   nn::Operand input{.type = nn::OperandType::TENSOR_FLOAT32,
//                     .dimensions = {1, 224, 224, 3},
//                     .lifetime = nn::Operand::LifeTime::SUBGRAPH_INPUT};
//
// Plain values with equality. They do not validate (nnapi/validate.h), convert (nnapi/convert.h) or
// print themselves (nnapi/print.h). An object may hold any value, and every function of the library
// accepts it. Distinct objects may be used from distinct threads; shared memory is held by
// std::shared_ptr<const ...> and never changes.
//
// Names and numeric values are those of the HAL (neuralnetworks/1.0 to 1.3, types.hal). A comment
// marks values that exist only here (POINTER, DEAD_OBJECT, DeviceType::UNKNOWN ...).
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "nnapi/enumerations.h"
#include "nnapi/fields.h"
#include "nnapi/unique_fd.h"
#include "nnapi/version.h"

namespace nn {

// ---------------------------------------------------------------------------------------------
// Constants

// Size of a cache token in bytes, and the most cache files of each kind (1.2 IDevice.hal).
inline constexpr uint32_t kByteSizeOfCacheToken = 32;
inline constexpr uint32_t kMaxNumberOfCacheFiles = 32;

// The value of an extension type or operation is (prefix << kExtensionTypeBits) | type within the
// extension (1.2 types.hal, Model::extensionNameToPrefix).
inline constexpr uint8_t kExtensionTypeBits = 16;
inline constexpr uint8_t kExtensionPrefixBits = 16;
inline constexpr uint32_t kTypeWithinExtensionMask = 0xFFFF;

// Alignment and padding of request buffers in bytes, when the driver states no preference, and the
// least values that applications use.
inline constexpr uint32_t kDefaultRequestMemoryAlignment = 64;
inline constexpr uint32_t kDefaultRequestMemoryPadding = 64;
inline constexpr uint32_t kMinMemoryAlignment = alignof(std::max_align_t);
inline constexpr uint32_t kMinMemoryPadding = 1;

// Time limit of one WHILE: without a limit in the call, and the largest that counts (1.3
// IPreparedModel.hal).
inline constexpr std::chrono::nanoseconds kLoopTimeoutDefault = std::chrono::seconds(2);
inline constexpr std::chrono::nanoseconds kLoopTimeoutMaximum = std::chrono::seconds(15);

// ---------------------------------------------------------------------------------------------
// Time

// A length of time; without a value it is unlimited, or was not measured.
using Duration = std::chrono::nanoseconds;
using OptionalDuration = std::optional<Duration>;

// Counts from boot, including the time that the machine is suspended (CLOCK_BOOTTIME).
struct Clock {
    // What std::chrono requires of a clock.
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Clock>;
    static constexpr bool is_steady = true;
    // The time since boot, suspends included.
    static time_point now();
};

// A moment of that clock, for deadlines; without a value there is none.
using TimePoint = Clock::time_point;
using OptionalTimePoint = std::optional<TimePoint>;

// The time point `duration` from now; saturates at the largest time point.
TimePoint makeDeadline(Duration duration);
// True once the deadline has been reached; always false without a deadline.
bool hasDeadlinePassed(const OptionalTimePoint& deadline);

// Duration of an execution; an absent member was not measured (1.2 types.hal, Timing).
struct Timing {
    OptionalDuration timeOnDevice{};  // computing on the hardware
    OptionalDuration timeInDriver{};  // in the driver, timeOnDevice included
    bool operator==(const Timing&) const = default;
};
NNAPI_FIELDS(Timing, timeOnDevice, timeInDriver)

// ---------------------------------------------------------------------------------------------
// Handles and memory

// A file descriptor that is passed between processes: a fence or a cache file.
using Handle = UniqueFd;
using SharedHandle = std::shared_ptr<const Handle>;

// Equal when both are null or both are open on the same file.
bool operator==(const SharedHandle& a, const SharedHandle& b);

template <class T>
class Result;  // nnapi/result.h

// A fence that is signaled at most once. A fence without a descriptor is already signaled.
class SyncFence {
   public:
    // Results of syncWait().
    enum class FenceState { ACTIVE, SIGNALED, ERROR, UNKNOWN };

    SyncFence() = default;
    // Shares the handle, without checking it: null, or one without a descriptor, is a signaled
    // fence.
    explicit SyncFence(SharedHandle handle) : mHandle(std::move(handle)) {}

    // A fence without a descriptor.
    static SyncFence createAsSignaled() { return {}; }
    // Takes ownership of the descriptor, without checking it.
    static SyncFence create(UniqueFd fd) {
        return SyncFence(std::make_shared<const Handle>(std::move(fd)));
    }
    // INVALID_ARGUMENT for null and for a handle without an open descriptor.
    static Result<SyncFence> create(SharedHandle handle);

    // The handle; null for a fence that was made without one.
    const SharedHandle& getSharedHandle() const { return mHandle; }
    // False for a fence that is signaled because it has no descriptor.
    bool hasFd() const { return mHandle != nullptr && mHandle->ok(); }
    // The descriptor, which stays the fence's; -1 without one.
    int getFd() const { return mHandle == nullptr ? -1 : mHandle->get(); }

    // Waits until the descriptor is readable (SIGNALED) or the timeout has passed (ACTIVE); without
    // a timeout, indefinitely. ERROR if the other end was closed without signaling, UNKNOWN if the
    // descriptor is not open.
    FenceState syncWait(OptionalDuration timeout) const;

    friend bool operator==(const SyncFence& a, const SyncFence& b) {
        return UniqueFd::sameFile(a.getFd(), b.getFd());
    }

   private:
    SharedHandle mHandle;
};

// File descriptors and integers of a native handle (cutils/native_handle.h).
struct NativeHandle {
    std::vector<UniqueFd> fds{};  // owned
    std::vector<int> ints{};      // meaning defined by the kind of memory
    bool operator==(const NativeHandle&) const = default;
};

// Kinds of shared memory.
namespace memory {

// Anonymous shared memory (memfd or ashmem) of `size` bytes, readable and writable, from offset 0.
struct Ashmem {
    UniqueFd fd{};  // of the memory; empty: the memory is illegal
    size_t size = 0;
    bool operator==(const Ashmem&) const = default;
};

// `size` bytes of a file that can be mapped, from `offset` (bytes, page-aligned). prot: PROT_READ,
// PROT_WRITE or both.
struct Fd {
    size_t size = 0;
    int prot = 0;
    UniqueFd fd{};  // of the file; empty: the memory is illegal
    size_t offset = 0;
    bool operator==(const Fd&) const = default;
};

// An AHardwareBuffer: its handle and, if its format is BLOB, its width in bytes. The first
// descriptor of a blob's handle is a file of at least so many bytes, which can be mapped; images
// are opaque on a host.
struct HardwareBuffer {
    // The description that AIDL carries and HIDL does not; all 0 if unknown. If known, format is
    // kBlob exactly when isBlob is true, and width is then the size in bytes.
    struct Description {
        static constexpr int32_t kBlob = 0x21;  // AHARDWAREBUFFER_FORMAT_BLOB

        uint32_t width = 0;   // pixels
        uint32_t height = 0;  // pixels
        uint32_t layers = 0;  // images, 1 unless it is an array
        int32_t format = 0;   // of the pixels, graphics/common/PixelFormat.aidl
        int64_t usage = 0;    // bits of graphics/common/BufferUsage.aidl
        uint32_t stride = 0;  // pixels
        bool operator==(const Description&) const = default;
    };

    NativeHandle handle{};
    size_t size = 0;     // bytes, if it is a blob
    bool isBlob = true;  // its format is BLOB

    // Compared like all other fields, so an object that came through HIDL lacks it.
    Description description{};
    bool operator==(const HardwareBuffer&) const = default;
};

// Memory of any other kind: its HIDL name, handle and size, unchanged.
struct Unknown {
    NativeHandle handle{};
    size_t size = 0;
    std::string name{};
    bool operator==(const Unknown&) const = default;
};

}  // namespace memory

// Memory that can be shared with another process. The object is immutable, its bytes are not.
struct Memory {
    // The kinds under the names of Android's canonical types.
    using Ashmem = memory::Ashmem;
    using Fd = memory::Fd;
    using NativeHandle = nn::NativeHandle;
    using HardwareBuffer = memory::HardwareBuffer;
    using Unknown = memory::Unknown;

    // The memory by its kind.
    std::variant<Ashmem, Fd, HardwareBuffer, Unknown> handle{};
    bool operator==(const Memory&) const = default;
};
NNAPI_FIELDS(NativeHandle, fds, ints)
namespace memory {
NNAPI_FIELDS(Ashmem, fd, size)
NNAPI_FIELDS(Fd, size, prot, fd, offset)
NNAPI_FIELDS(HardwareBuffer::Description, width, height, layers, format, usage, stride)
NNAPI_FIELDS(HardwareBuffer, handle, size, isBlob, description)
NNAPI_FIELDS(Unknown, handle, size, name)
}  // namespace memory
NNAPI_FIELDS(Memory, handle)

// Null is no memory; validation refuses it.
using SharedMemory = std::shared_ptr<const Memory>;

// Equal when both are null or both are the same kind over the same file and range.
bool operator==(const SharedMemory& a, const SharedMemory& b);

// Size in bytes; 0 for null and for a hardware buffer that is not a blob.
size_t size(const SharedMemory& memory);

// ---------------------------------------------------------------------------------------------
// Model

// Location of the value of an operand or of a request's argument.
struct DataLocation {
    // Only for lifetime POINTER: the data itself, owned by the caller.
    std::variant<const void*, void*> pointer{};
    uint32_t poolIndex = 0;  // in Model::pools or Request::pools
    uint32_t offset = 0;     // bytes; the index of the graph for lifetime SUBGRAPH
    uint32_t length = 0;     // bytes
    uint32_t padding = 0;    // bytes after length that may be accessed; requests only
    bool operator==(const DataLocation&) const = default;
};
NNAPI_FIELDS(DataLocation, pointer, poolIndex, offset, length, padding)

// True if the location points to caller-owned memory.
bool hasPointer(const DataLocation& location);

// A value of a graph: its type, and where its data is (1.0 to 1.3 types.hal, Operand).
struct Operand {
    // Where the value of an operand is, or who writes it (1.3 types.hal, OperandLifeTime).
    enum class LifeTime : int32_t {
#define NNAPI_OPERAND_LIFE_TIME(name, code, ...) name = code,
#include "nnapi/enumerations.def"
        POINTER = 7,  // canonical only: the value is in caller-owned memory
    };

    // Parameters of a TENSOR_QUANT8_SYMM_PER_CHANNEL: one scale for each index of dimension
    // channelDim.
    struct SymmPerChannelQuantParams {
        std::vector<float> scales{};  // each above 0, as many as dimensions[channelDim]
        uint32_t channelDim = 0;      // index in Operand::dimensions
        bool operator==(const SymmPerChannelQuantParams&) const = default;
    };

    // What extraParams holds: nothing, scales for TENSOR_QUANT8_SYMM_PER_CHANNEL, or bytes whose
    // meaning the extension of the type defines.
    using NoParams = std::monostate;
    using ExtensionParams = std::vector<uint8_t>;
    using ExtraParams = std::variant<NoParams, SymmPerChannelQuantParams, ExtensionParams>;

    OperandType type = OperandType::FLOAT32;  // of the HAL, or of an extension (see isExtension)
    // 0 is an unknown dimension. For a tensor, an empty list is an unknown rank; scalars have none.
    std::vector<uint32_t> dimensions{};
    // A quantized element stands for (stored - zeroPoint) * scale.
    float scale = 0.0f;
    int32_t zeroPoint = 0;

    // Who provides the value, and where it is: location counts only for constants and SUBGRAPH.
    LifeTime lifetime = LifeTime::TEMPORARY_VARIABLE;
    DataLocation location{};
    ExtraParams extraParams{};  // as the type requires

    bool operator==(const Operand&) const = default;
};
NNAPI_FIELDS(Operand::SymmPerChannelQuantParams, scales, channelDim)
NNAPI_FIELDS(Operand, type, dimensions, scale, zeroPoint, lifetime, location, extraParams)

// "CONSTANT_COPY"; "Operand::LifeTime(77)" for a value without an enumerator.
std::string toString(Operand::LifeTime value);

// One operation of a graph. Its operands' order and types: docs/ops.
struct Operation {
    OperationType type = OperationType::ADD;  // of the HAL, or of an extension
    std::vector<uint32_t> inputs{};           // operand indexes
    std::vector<uint32_t> outputs{};          // operand indexes
    bool operator==(const Operation&) const = default;
};
NNAPI_FIELDS(Operation, type, inputs, outputs)

// Gives an extension its prefix in one model.
struct ExtensionNameAndPrefix {
    std::string name{};   // reverse domain, "com.example.my_extension"
    uint16_t prefix = 0;  // upper bits of its types: 1 to 32767, unique in the model
    bool operator==(const ExtensionNameAndPrefix&) const = default;
};
NNAPI_FIELDS(ExtensionNameAndPrefix, name, prefix)

// A main graph, the graphs that IF and WHILE refer to, and their constants (1.3 types.hal, Model).
struct Model {
    // A graph: the main one, or one that an operand of lifetime SUBGRAPH names.
    struct Subgraph {
        std::vector<Operand> operands{};        // named by their indexes
        std::vector<Operation> operations{};    // in execution order
        std::vector<uint32_t> inputIndexes{};   // of operands
        std::vector<uint32_t> outputIndexes{};  // of operands
        bool operator==(const Subgraph&) const = default;
    };

    // Storage of all CONSTANT_COPY operands.
    class OperandValues {
       public:
        OperandValues() = default;
        // Takes bytes that are laid out already: locations refer to them by offset.
        explicit OperandValues(std::vector<uint8_t> bytes) : mBytes(std::move(bytes)) {}

        // Empty if the total would exceed 2^32 - 1 bytes. Converts to a location, as Android's
        // append() returns one.
        struct Appended : std::optional<DataLocation> {
            using std::optional<DataLocation>::optional;
            // The location; one without bytes if it is empty.
            operator DataLocation() const { return value_or(DataLocation{}); }
        };

        // Appends a copy of `length` bytes, aligned for their width (1, 2 or 4 bytes), and returns
        // its location.
        Appended append(const void* data, size_t length);

        // All values, with the gaps that alignment leaves; valid until the object changes.
        const uint8_t* data() const { return mBytes.data(); }
        size_t size() const { return mBytes.size(); }
        // The same as a vector, to read or to take.
        const std::vector<uint8_t>& bytes() const& { return mBytes; }
        std::vector<uint8_t>&& bytes() && { return std::move(mBytes); }
        bool operator==(const OperandValues&) const = default;

       private:
        std::vector<uint8_t> mBytes;
    };

    // Its inputs and outputs are those of the model.
    Subgraph main{};

    // Graphs that operands of type SUBGRAPH refer to, by location.offset.
    std::vector<Subgraph> referenced{};

    // Constants of lifetime CONSTANT_COPY, by location.offset.
    OperandValues operandValues{};
    // Constants of lifetime CONSTANT_REFERENCE, by location.poolIndex and location.offset.
    std::vector<SharedMemory> pools{};
    // Allows TENSOR_FLOAT32 to be computed with the range and precision of float16.
    bool relaxComputationFloat32toFloat16 = false;
    // Extensions of the model's types and operations, each once.
    std::vector<ExtensionNameAndPrefix> extensionNameToPrefix{};

    bool operator==(const Model&) const = default;
};
NNAPI_FIELDS(Model::Subgraph, operands, operations, inputIndexes, outputIndexes)
NNAPI_FIELDS(Model, main, referenced, operandValues, pools, relaxComputationFloat32toFloat16,
             extensionNameToPrefix)

// ---------------------------------------------------------------------------------------------
// Request

class IBuffer;
// A buffer of a device (nnapi/driver/interfaces.h).
using SharedBuffer = std::shared_ptr<const IBuffer>;

// Names a buffer allocated by a driver; 0 names none.
enum class MemoryDomainToken : uint32_t {};

// Dimensions of a tensor. 0 is an unknown dimension; an empty list means that none is known.
using Dimensions = std::vector<uint32_t>;

// Inputs and outputs of one execution, in the order of the model's main graph (1.3 types.hal,
// Request).
struct Request {
    struct Argument {
        // Where the bytes of an argument are. HIDL has the flag hasNoValue in its place.
        enum class LifeTime : int32_t {
            POOL = 0,
            NO_VALUE = 1,
            POINTER = 2,  // canonical only
        };

        LifeTime lifetime = LifeTime::POOL;  // NO_VALUE: an omitted optional argument
        DataLocation location{};             // all 0 for NO_VALUE
        // Dimensions that the model leaves unknown; empty: as in the model.
        std::vector<uint32_t> dimensions{};
        bool operator==(const Argument&) const = default;
    };

    // A pool: memory that both sides map, a device buffer by its token, or by its object, which
    // only the process that allocated it can name.
    using MemoryDomainToken = nn::MemoryDomainToken;
    using MemoryPool = std::variant<SharedMemory, MemoryDomainToken, SharedBuffer>;

    std::vector<Argument> inputs{};   // one for each input of the main graph
    std::vector<Argument> outputs{};  // one for each output of the main graph
    std::vector<MemoryPool> pools{};  // named by location.poolIndex

    bool operator==(const Request&) const = default;
};
NNAPI_FIELDS(Request::Argument, lifetime, location, dimensions)
NNAPI_FIELDS(Request, inputs, outputs, pools)

// "POOL"; "Request::Argument::LifeTime(77)" for a value without an enumerator.
std::string toString(Request::Argument::LifeTime value);

// Shape of one output, as reported by an execution.
struct OutputShape {
    std::vector<uint32_t> dimensions{};  // 0 or empty where the device does not know them
    bool isSufficient = false;           // the output's buffer was large enough
    bool operator==(const OutputShape&) const = default;
};
NNAPI_FIELDS(OutputShape, dimensions, isSufficient)

// ---------------------------------------------------------------------------------------------
// Devices

// Declared performance of a device (1.3 types.hal, Capabilities).
struct Capabilities {
    // Time and power relative to the CPU of the same machine; lower is better.
    struct PerformanceInfo {
        float execTime = kUnknownPerformance;    // above 0
        float powerUsage = kUnknownPerformance;  // above 0
        bool operator==(const PerformanceInfo&) const = default;
    };

    // Performance of operations whose first input has a type.
    struct OperandPerformance {
        OperandType type = OperandType::FLOAT32;  // listed, or of an extension
        PerformanceInfo info{};                   // of those operations
        bool operator==(const OperandPerformance&) const = default;
    };

    // Performance by operand type, sorted, at most one entry for a type.
    class OperandPerformanceTable {
       public:
        OperandPerformanceTable() = default;

        // Empty unless the entries are strictly ascending by type.
        static std::optional<OperandPerformanceTable> create(
                std::vector<OperandPerformance> sorted);

        // The entry of a type; kUnknownPerformance if there is none.
        PerformanceInfo lookup(OperandType type) const;

        // Sets the entry of a type; inserts it if there is none.
        void update(OperandType type, PerformanceInfo info);

        // The entries, strictly ascending by type; valid until the table changes.
        const std::vector<OperandPerformance>& asVector() const { return mSorted; }
        bool operator==(const OperandPerformanceTable&) const = default;

       private:
        std::vector<OperandPerformance> mSorted;
    };

    static constexpr float kUnknownPerformance = 3.40282346638528859812e+38f;  // largest float

    // Of FLOAT32 and TENSOR_FLOAT32 in models with relaxComputationFloat32toFloat16. HAL 1.1 has
    // one value for both.
    PerformanceInfo relaxedFloat32toFloat16PerformanceScalar{};
    PerformanceInfo relaxedFloat32toFloat16PerformanceTensor{};

    // Of all other operations.
    OperandPerformanceTable operandPerformance{};

    // Of an IF or WHILE itself, without the operations of its graphs.
    PerformanceInfo ifPerformance{};
    PerformanceInfo whilePerformance{};
    bool operator==(const Capabilities&) const = default;
};
NNAPI_FIELDS(Capabilities::PerformanceInfo, execTime, powerUsage)
NNAPI_FIELDS(Capabilities::OperandPerformance, type, info)
NNAPI_FIELDS(Capabilities, relaxedFloat32toFloat16PerformanceScalar,
             relaxedFloat32toFloat16PerformanceTensor, operandPerformance, ifPerformance,
             whilePerformance)

// A table with the same performance for every operand type of a version, except extension types and
// SUBGRAPH (for which ifPerformance and whilePerformance stand).
Capabilities::OperandPerformanceTable nonExtensionOperandPerformance(
        HalVersion version, Capabilities::PerformanceInfo info);

// A vendor extension that a device supports (1.2 types.hal, Extension).
struct Extension {
    // A type of the extension.
    struct OperandTypeInformation {
        uint16_t type = 0;      // within the extension
        bool isTensor = false;  // false: a scalar
        uint32_t byteSize = 0;  // of the scalar or of one element
        bool operator==(const OperandTypeInformation&) const = default;
    };

    std::string name{};  // reverse domain, "com.example.my_extension"
    std::vector<OperandTypeInformation> operandTypes{};  // each type once
    bool operator==(const Extension&) const = default;
};
NNAPI_FIELDS(Extension::OperandTypeInformation, type, isTensor, byteSize)
NNAPI_FIELDS(Extension, name, operandTypes)

// Dimensions of a device buffer; empty if its roles give them (1.3 types.hal, BufferDesc).
struct BufferDesc {
    std::vector<uint32_t> dimensions{};  // 0 for each that is unknown
    bool operator==(const BufferDesc&) const = default;
};
NNAPI_FIELDS(BufferDesc, dimensions)

// An input or output that a device buffer will be (1.3 types.hal, BufferRole).
struct BufferRole {
    uint32_t modelIndex = 0;   // in the prepared models given to allocate()
    uint32_t ioIndex = 0;      // among the inputs or outputs of that model
    float probability = 0.0f;  // in (0, 1]; HIDL calls it frequency
    bool operator==(const BufferRole&) const = default;
};
NNAPI_FIELDS(BufferRole, modelIndex, ioIndex, probability)

// Identifies a model in a compilation cache; chosen by the client.
using CacheToken = std::array<uint8_t, kByteSizeOfCacheToken>;

// A vendor-specific hint (AIDL 4). The token has an extension's prefix in its upper 16 bits.
struct TokenValuePair {
    int32_t token = 0;             // upper 16 bits: prefix of an extension
    std::vector<uint8_t> value{};  // meaning defined by the extension
    bool operator==(const TokenValuePair&) const = default;
};
NNAPI_FIELDS(TokenValuePair, token, value)

// Options of an execution, without deadlines. Interfaces before AIDL 4 take them as single
// arguments.
struct ExecutionConfig {
    MeasureTiming measureTiming = MeasureTiming::NO;  // YES: report Timing
    OptionalDuration loopTimeoutDuration{};           // of one WHILE; empty: kLoopTimeoutDefault
    std::vector<TokenValuePair> executionHints{};     // a device ignores those it does not know
    std::vector<ExtensionNameAndPrefix> extensionNameToPrefix{};  // prefixes of the hints' tokens
    bool operator==(const ExecutionConfig&) const = default;
};
NNAPI_FIELDS(ExecutionConfig, measureTiming, loopTimeoutDuration, executionHints,
             extensionNameToPrefix)

// Options of a preparation. Interfaces before AIDL 4 take them as single arguments.
struct PrepareModelConfig {
    ExecutionPreference preference = ExecutionPreference::DEFAULT;  // what to optimize
    Priority priority = Priority::DEFAULT;           // among the models of one client
    OptionalTimePoint deadline{};                    // of the preparation
    std::vector<SharedHandle> modelCache{};          // files to write; none: not cached
    std::vector<SharedHandle> dataCache{};           // likewise
    CacheToken cacheToken{};                         // ignored without cache files
    std::vector<TokenValuePair> compilationHints{};  // a device ignores those it does not know
    std::vector<ExtensionNameAndPrefix> extensionNameToPrefix{};  // prefixes of the hints' tokens
    bool operator==(const PrepareModelConfig&) const = default;
};
NNAPI_FIELDS(PrepareModelConfig, preference, priority, deadline, modelCache, dataCache, cacheToken,
             compilationHints, extensionNameToPrefix)

// Number of model cache files and of data cache files.
using NumberOfCacheFiles = std::pair<uint32_t, uint32_t>;

// Result of an execution: the shapes of all outputs (empty if model and request determine them),
// and the timing, if it was requested.
using Executed = std::pair<std::vector<OutputShape>, Timing>;

}  // namespace nn
