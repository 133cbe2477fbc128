// nnapi/types.h -- the canonical types: one set for all versions of the interface.
//
//   nn::Operand input{.type = nn::OperandType::TENSOR_FLOAT32,
//                     .dimensions = {1, 224, 224, 3},
//                     .lifetime = nn::Operand::LifeTime::SUBGRAPH_INPUT};
//
// Plain values with equality; nothing here validates (nnapi/validate.h does), converts
// (nnapi/convert.h) or prints structs (nnapi/print.h). A value may hold anything, and every
// function of the library accepts it. Distinct objects may be used from distinct threads; shared
// memory is reached through std::shared_ptr<const ...> and is never changed.
//
// Names and numeric values are those of the HAL (neuralnetworks/1.0 to 1.3 types.hal); a comment
// marks what exists only here (POINTER data, DEAD_OBJECT, DeviceType::UNKNOWN ...).
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
#include "nnapi/version.h"

namespace nn {

// ---------------------------------------------------------------------------------------------
// Constants

inline constexpr uint32_t kByteSizeOfCacheToken = 32;
inline constexpr uint32_t kMaxNumberOfCacheFiles = 32;

// An extension type or operation is (prefix << kExtensionTypeBits) | type within the extension.
inline constexpr uint8_t kExtensionTypeBits = 16;
inline constexpr uint8_t kExtensionPrefixBits = 16;
inline constexpr uint32_t kTypeWithinExtensionMask = 0xFFFF;

// What a request buffer is aligned and padded to when the peer states no preference, in bytes.
inline constexpr uint32_t kDefaultRequestMemoryAlignment = 64;
inline constexpr uint32_t kDefaultRequestMemoryPadding = 64;
inline constexpr uint32_t kMinMemoryAlignment = alignof(std::max_align_t);
inline constexpr uint32_t kMinMemoryPadding = 1;

inline constexpr std::chrono::nanoseconds kLoopTimeoutDefault = std::chrono::seconds(2);
inline constexpr std::chrono::nanoseconds kLoopTimeoutMaximum = std::chrono::seconds(15);

// ---------------------------------------------------------------------------------------------
// Time

using Duration = std::chrono::nanoseconds;
using OptionalDuration = std::optional<Duration>;

// Counts from boot and goes on while the machine is suspended (CLOCK_BOOTTIME).
struct Clock {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Clock>;
    static constexpr bool is_steady = true;
    static time_point now();
};

using TimePoint = Clock::time_point;
using OptionalTimePoint = std::optional<TimePoint>;

// The time after this duration from now; the last of all where the clock does not count so far.
TimePoint makeDeadline(Duration duration);
// True from the deadline on; never without one.
bool hasDeadlinePassed(const OptionalTimePoint& deadline);

// How long an execution took; an absent member was not measured.
struct Timing {
    OptionalDuration timeOnDevice{};
    OptionalDuration timeInDriver{};
    bool operator==(const Timing&) const = default;
};
NNAPI_FIELDS(Timing, timeOnDevice, timeInDriver)

// ---------------------------------------------------------------------------------------------
// Handles and memory

// Owns one file descriptor. -1 owns none.
class UniqueFd {
   public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : mFd(fd) {}
    UniqueFd(UniqueFd&& other) noexcept : mFd(other.release()) {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        reset(other.release());
        return *this;
    }
    ~UniqueFd() { reset(); }

    int get() const { return mFd; }
    bool ok() const { return mFd >= 0; }
    int release() { return std::exchange(mFd, -1); }
    void reset(int fd = -1);

    // Equal: both empty, or both open on the same file (so that a duplicate equals its original).
    friend bool operator==(const UniqueFd& a, const UniqueFd& b) { return sameFile(a.mFd, b.mFd); }

    // True when a == b, or both descriptors are open on one file.
    static bool sameFile(int a, int b);

   private:
    int mFd = -1;
};

// A new descriptor for the same open file; empty when fd is not open or the process has no
// descriptor left.
UniqueFd duplicate(int fd);

// One file descriptor handed between processes, as a fence or a cache file.
using Handle = UniqueFd;
using SharedHandle = std::shared_ptr<const Handle>;

// Equal when both are null, or both are open on the same file.
bool operator==(const SharedHandle& a, const SharedHandle& b);

template <class T>
class Result;  // nnapi/result.h

// A fence that is signalled once; without a descriptor it is signalled already.
class SyncFence {
   public:
    enum class FenceState { ACTIVE, SIGNALED, ERROR, UNKNOWN };

    SyncFence() = default;
    explicit SyncFence(SharedHandle handle) : mHandle(std::move(handle)) {}

    static SyncFence createAsSignaled() { return {}; }
    static SyncFence create(UniqueFd fd) {
        return SyncFence(std::make_shared<const Handle>(std::move(fd)));
    }
    // Fails for a handle without an open descriptor.
    static Result<SyncFence> create(SharedHandle handle);

    const SharedHandle& getSharedHandle() const { return mHandle; }
    bool hasFd() const { return mHandle != nullptr && mHandle->ok(); }
    int getFd() const { return mHandle == nullptr ? -1 : mHandle->get(); }

    // Waits until the descriptor is readable, which is SIGNALED, or the timeout passes; without a
    // timeout, for ever. ERROR where the other end was closed and never signalled, UNKNOWN for what
    // is not an open descriptor.
    FenceState syncWait(OptionalDuration timeout) const;

    friend bool operator==(const SyncFence& a, const SyncFence& b) {
        return UniqueFd::sameFile(a.getFd(), b.getFd());
    }

   private:
    SharedHandle mHandle;
};

// File descriptors and integers as a native handle carries them.
struct NativeHandle {
    std::vector<UniqueFd> fds{};
    std::vector<int> ints{};
    bool operator==(const NativeHandle&) const = default;
};

// The kinds of memory.
namespace memory {

// Anonymous shared memory (memfd or ashmem), always readable and writable from offset 0.
struct Ashmem {
    UniqueFd fd{};
    size_t size = 0;
    bool operator==(const Ashmem&) const = default;
};

// A part of a mappable file. prot: PROT_READ | PROT_WRITE bits; offset: bytes, page aligned.
struct Fd {
    size_t size = 0;
    int prot = 0;
    UniqueFd fd{};
    size_t offset = 0;
    bool operator==(const Fd&) const = default;
};

// An AHardwareBuffer, opaque on a host: its handle and, in BLOB format, its width in bytes. Cannot
// be mapped here.
struct HardwareBuffer {
    // What AIDL says of a buffer and HIDL does not: all 0 where it is not known. Known, it agrees
    // with the rest: format is kBlob exactly where isBlob is true, and then width is the size.
    struct Description {
        static constexpr int32_t kBlob = 0x21;  // AHARDWAREBUFFER_FORMAT_BLOB

        uint32_t width = 0;   // pixels
        uint32_t height = 0;  // pixels
        uint32_t layers = 0;
        int32_t format = 0;   // of the pixels, graphics/common/PixelFormat.aidl
        int64_t usage = 0;    // bits of graphics/common/BufferUsage.aidl
        uint32_t stride = 0;  // pixels
        bool operator==(const Description&) const = default;
    };

    NativeHandle handle{};
    size_t size = 0;
    bool isBlob = true;
    Description description{};
    bool operator==(const HardwareBuffer&) const = default;
};

// Anything else, kept as it came: its HIDL name, handle and size.
struct Unknown {
    NativeHandle handle{};
    size_t size = 0;
    std::string name{};
    bool operator==(const Unknown&) const = default;
};

}  // namespace memory

// A region that can be shared with another process. The object is immutable, its bytes are not.
struct Memory {
    using Ashmem = memory::Ashmem;
    using Fd = memory::Fd;
    using NativeHandle = nn::NativeHandle;
    using HardwareBuffer = memory::HardwareBuffer;
    using Unknown = memory::Unknown;

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

using SharedMemory = std::shared_ptr<const Memory>;

// Equal when both are null, or both are the same kind over the same file and range.
bool operator==(const SharedMemory& a, const SharedMemory& b);

// Size of a region in bytes; 0 for null and for a hardware buffer that is not a blob.
size_t size(const SharedMemory& memory);

// ---------------------------------------------------------------------------------------------
// Model

// Where the value of an operand lies.
struct DataLocation {
    // Operand or argument lifetime POINTER only: the data itself, owned by the caller.
    std::variant<const void*, void*> pointer{};
    uint32_t poolIndex = 0;
    uint32_t offset = 0;   // bytes
    uint32_t length = 0;   // bytes
    uint32_t padding = 0;  // bytes after length that may be touched; requests only
    bool operator==(const DataLocation&) const = default;
};
NNAPI_FIELDS(DataLocation, pointer, poolIndex, offset, length, padding)

// True when the location points at caller-owned memory.
bool hasPointer(const DataLocation& location);

struct Operand {
    enum class LifeTime : int32_t {
#define NNAPI_OPERAND_LIFE_TIME(name, code, ...) name = code,
#include "nnapi/enumerations.def"
        POINTER = 7,  // canonical only: the value lies in caller-owned memory
    };

    // Scales of a TENSOR_QUANT8_SYMM_PER_CHANNEL: one for each index of dimension channelDim.
    struct SymmPerChannelQuantParams {
        std::vector<float> scales{};
        uint32_t channelDim = 0;
        bool operator==(const SymmPerChannelQuantParams&) const = default;
    };

    using NoParams = std::monostate;
    using ExtensionParams = std::vector<uint8_t>;
    using ExtraParams = std::variant<NoParams, SymmPerChannelQuantParams, ExtensionParams>;

    OperandType type = OperandType::FLOAT32;
    std::vector<uint32_t>
            dimensions{};  // 0: unknown dimension; empty tensor dimensions: unknown rank
    float scale = 0.0f;
    int32_t zeroPoint = 0;
    LifeTime lifetime = LifeTime::TEMPORARY_VARIABLE;
    DataLocation location{};
    ExtraParams extraParams{};

    bool operator==(const Operand&) const = default;
};
NNAPI_FIELDS(Operand::SymmPerChannelQuantParams, scales, channelDim)
NNAPI_FIELDS(Operand, type, dimensions, scale, zeroPoint, lifetime, location, extraParams)

std::string toString(Operand::LifeTime value);

struct Operation {
    OperationType type = OperationType::ADD;
    std::vector<uint32_t> inputs{};   // operand indexes
    std::vector<uint32_t> outputs{};  // operand indexes
    bool operator==(const Operation&) const = default;
};
NNAPI_FIELDS(Operation, type, inputs, outputs)

// Binds the numeric prefix of extension types in one model to the name of the extension.
struct ExtensionNameAndPrefix {
    std::string name{};  // reverse domain, "com.example.my_extension"
    uint16_t prefix = 0;
    bool operator==(const ExtensionNameAndPrefix&) const = default;
};
NNAPI_FIELDS(ExtensionNameAndPrefix, name, prefix)

struct Model {
    struct Subgraph {
        std::vector<Operand> operands{};
        std::vector<Operation> operations{};  // in execution order
        std::vector<uint32_t> inputIndexes{};
        std::vector<uint32_t> outputIndexes{};
        bool operator==(const Subgraph&) const = default;
    };

    // The bytes of all CONSTANT_COPY operands.
    class OperandValues {
       public:
        OperandValues() = default;
        explicit OperandValues(std::vector<uint8_t> bytes) : mBytes(std::move(bytes)) {}

        // Appends a copy of length bytes, aligned for their width (1, 2 or 4 bytes), and returns
        // where they lie; empty when all would take more than 2^32 bytes.
        std::optional<DataLocation> append(const void* data, size_t length);

        const uint8_t* data() const { return mBytes.data(); }
        size_t size() const { return mBytes.size(); }
        const std::vector<uint8_t>& bytes() const& { return mBytes; }
        std::vector<uint8_t>&& bytes() && { return std::move(mBytes); }
        bool operator==(const OperandValues&) const = default;

       private:
        std::vector<uint8_t> mBytes;
    };

    Subgraph main{};
    std::vector<Subgraph> referenced{};  // by operands of type SUBGRAPH, whose offset is the index
    OperandValues operandValues{};
    std::vector<SharedMemory> pools{};
    bool relaxComputationFloat32toFloat16 = false;
    std::vector<ExtensionNameAndPrefix> extensionNameToPrefix{};

    bool operator==(const Model&) const = default;
};
NNAPI_FIELDS(Model::Subgraph, operands, operations, inputIndexes, outputIndexes)
NNAPI_FIELDS(Model, main, referenced, operandValues, pools, relaxComputationFloat32toFloat16,
             extensionNameToPrefix)

// ---------------------------------------------------------------------------------------------
// Request

class IBuffer;
using SharedBuffer = std::shared_ptr<const IBuffer>;

// Names a buffer that a driver allocated; 0 names none.
enum class MemoryDomainToken : uint32_t {};

// Of a tensor; 0 is unknown, and so are all where there are none.
using Dimensions = std::vector<uint32_t>;

struct Request {
    struct Argument {
        enum class LifeTime : int32_t {
            POOL = 0,
            NO_VALUE = 1,
            POINTER = 2,  // canonical only
        };

        LifeTime lifetime = LifeTime::POOL;
        DataLocation location{};
        std::vector<uint32_t> dimensions{};  // what the model left unknown; empty: as in the model
        bool operator==(const Argument&) const = default;
    };

    using MemoryDomainToken = nn::MemoryDomainToken;
    using MemoryPool = std::variant<SharedMemory, MemoryDomainToken, SharedBuffer>;

    std::vector<Argument> inputs{};
    std::vector<Argument> outputs{};
    std::vector<MemoryPool> pools{};

    bool operator==(const Request&) const = default;
};
NNAPI_FIELDS(Request::Argument, lifetime, location, dimensions)
NNAPI_FIELDS(Request, inputs, outputs, pools)

std::string toString(Request::Argument::LifeTime value);

// What an execution reports of one output.
struct OutputShape {
    std::vector<uint32_t> dimensions{};
    bool isSufficient = false;  // the buffer was large enough
    bool operator==(const OutputShape&) const = default;
};
NNAPI_FIELDS(OutputShape, dimensions, isSufficient)

// ---------------------------------------------------------------------------------------------
// Devices

struct Capabilities {
    // Relative to the CPU of the same device; lower is better.
    struct PerformanceInfo {
        float execTime = kUnknownPerformance;
        float powerUsage = kUnknownPerformance;
        bool operator==(const PerformanceInfo&) const = default;
    };

    struct OperandPerformance {
        OperandType type = OperandType::FLOAT32;
        PerformanceInfo info{};
        bool operator==(const OperandPerformance&) const = default;
    };

    // Performance by operand type, ascending and unique by type.
    class OperandPerformanceTable {
       public:
        OperandPerformanceTable() = default;

        // Empty when the entries are not strictly ascending by type.
        static std::optional<OperandPerformanceTable> create(
                std::vector<OperandPerformance> sorted);

        // The entry of a type; the unknown performance where it has none.
        PerformanceInfo lookup(OperandType type) const;

        // Sets the entry of a type, inserting it where it has none.
        void update(OperandType type, PerformanceInfo info);

        const std::vector<OperandPerformance>& asVector() const { return mSorted; }
        bool operator==(const OperandPerformanceTable&) const = default;

       private:
        std::vector<OperandPerformance> mSorted;
    };

    static constexpr float kUnknownPerformance = 3.40282346638528859812e+38f;  // largest float

    PerformanceInfo relaxedFloat32toFloat16PerformanceScalar{};
    PerformanceInfo relaxedFloat32toFloat16PerformanceTensor{};
    OperandPerformanceTable operandPerformance{};
    PerformanceInfo ifPerformance{};
    PerformanceInfo whilePerformance{};
    bool operator==(const Capabilities&) const = default;
};
NNAPI_FIELDS(Capabilities::PerformanceInfo, execTime, powerUsage)
NNAPI_FIELDS(Capabilities::OperandPerformance, type, info)
NNAPI_FIELDS(Capabilities, relaxedFloat32toFloat16PerformanceScalar,
             relaxedFloat32toFloat16PerformanceTensor, operandPerformance, ifPerformance,
             whilePerformance)

// The same performance for every operand type of that version that is not an extension's and not
// SUBGRAPH, which has ifPerformance and whilePerformance instead.
Capabilities::OperandPerformanceTable nonExtensionOperandPerformance(
        HalVersion version, Capabilities::PerformanceInfo info);

// A vendor extension that a device supports.
struct Extension {
    struct OperandTypeInformation {
        uint16_t type = 0;  // within the extension
        bool isTensor = false;
        uint32_t byteSize = 0;  // of the scalar, or of one element
        bool operator==(const OperandTypeInformation&) const = default;
    };

    std::string name{};
    std::vector<OperandTypeInformation> operandTypes{};
    bool operator==(const Extension&) const = default;
};
NNAPI_FIELDS(Extension::OperandTypeInformation, type, isTensor, byteSize)
NNAPI_FIELDS(Extension, name, operandTypes)

struct BufferDesc {
    std::vector<uint32_t> dimensions{};
    bool operator==(const BufferDesc&) const = default;
};
NNAPI_FIELDS(BufferDesc, dimensions)

struct BufferRole {
    uint32_t modelIndex = 0;
    uint32_t ioIndex = 0;
    float probability = 0.0f;  // in (0, 1]; the HIDL interface calls it frequency
    bool operator==(const BufferRole&) const = default;
};
NNAPI_FIELDS(BufferRole, modelIndex, ioIndex, probability)

using CacheToken = std::array<uint8_t, kByteSizeOfCacheToken>;

// A vendor hint (feature level 8).
struct TokenValuePair {
    int32_t token = 0;
    std::vector<uint8_t> value{};
    bool operator==(const TokenValuePair&) const = default;
};
NNAPI_FIELDS(TokenValuePair, token, value)

// How a request is executed, apart from deadlines. Older interfaces take its parts one by one.
struct ExecutionConfig {
    MeasureTiming measureTiming = MeasureTiming::NO;
    OptionalDuration loopTimeoutDuration{};
    std::vector<TokenValuePair> executionHints{};
    std::vector<ExtensionNameAndPrefix> extensionNameToPrefix{};  // of the tokens of the hints
    bool operator==(const ExecutionConfig&) const = default;
};
NNAPI_FIELDS(ExecutionConfig, measureTiming, loopTimeoutDuration, executionHints,
             extensionNameToPrefix)

// How a model is prepared.
struct PrepareModelConfig {
    ExecutionPreference preference = ExecutionPreference::DEFAULT;
    Priority priority = Priority::DEFAULT;
    OptionalTimePoint deadline{};
    std::vector<SharedHandle> modelCache{};
    std::vector<SharedHandle> dataCache{};
    CacheToken cacheToken{};
    std::vector<TokenValuePair> compilationHints{};
    std::vector<ExtensionNameAndPrefix> extensionNameToPrefix{};  // of the tokens of the hints
    bool operator==(const PrepareModelConfig&) const = default;
};
NNAPI_FIELDS(PrepareModelConfig, preference, priority, deadline, modelCache, dataCache, cacheToken,
             compilationHints, extensionNameToPrefix)

}  // namespace nn
