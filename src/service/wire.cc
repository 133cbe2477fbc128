#include "service/wire.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/printable.h"
#include "nnapi/checked_math.h"
#include "nnapi/validate.h"

namespace nn::service {
namespace {

void write(const Capabilities::PerformanceInfo& info, rpc::Performance::Builder to) {
    to.setExecTime(info.execTime);
    to.setPowerUsage(info.powerUsage);
}

Capabilities::PerformanceInfo performanceOf(rpc::Performance::Reader from) {
    return {.execTime = from.getExecTime(), .powerUsage = from.getPowerUsage()};
}

void write(const std::vector<OutputShape>& shapes, capnp::List<rpc::OutputShape>::Builder to) {
    for (unsigned i = 0; i < to.size(); ++i) {
        const auto& dimensions = shapes[i].dimensions;
        writeNumbers(to[i].initDimensions(static_cast<unsigned>(dimensions.size())), dimensions);
        to[i].setIsSufficient(shapes[i].isSufficient);
    }
}

std::vector<OutputShape> shapesOf(capnp::List<rpc::OutputShape>::Reader from) {
    std::vector<OutputShape> shapes;
    for (const auto shape : from) {
        shapes.push_back({.dimensions = numbersOf<uint32_t>(shape.getDimensions()),
                          .isSufficient = shape.getIsSufficient()});
    }
    return shapes;
}

OptionalDuration measured(int64_t nanoseconds) {
    return nanoseconds < 0 ? OptionalDuration() : Duration(nanoseconds);
}

Status wrong(std::string_view what, int64_t found, std::string_view allowed) {
    return error() << "the server's " << what << " is " << found << ", allowed " << allowed;
}

}  // namespace

// ---- times

void write(const OptionalDuration& duration, rpc::OptionalTime::Builder to) {
    if (duration) {
        to.setNanoseconds(duration->count());
    } else {
        to.setNone();
    }
}

OptionalDuration durationOf(rpc::OptionalTime::Reader from) {
    if (!from.isNanoseconds()) return {};
    return Duration(from.getNanoseconds());
}

void writeDeadline(const OptionalTimePoint& deadline, rpc::OptionalTime::Builder to) {
    if (!deadline || *deadline == TimePoint::max()) {
        write(deadline ? OptionalDuration(Duration::max()) : std::nullopt, to);
        return;
    }
    const auto left = checkedSub<int64_t>(deadline->time_since_epoch().count(),
                                          Clock::now().time_since_epoch().count());
    write(Duration(left.value_or(Duration::min().count())), to);
}

OptionalTimePoint deadlineOf(rpc::OptionalTime::Reader from) {
    const OptionalDuration left = durationOf(from);
    if (!left) return {};
    return makeDeadline(*left);
}

void write(const Timing& timing, rpc::Timing::Builder to) {
    if (timing.timeOnDevice) to.setOnDevice(timing.timeOnDevice->count());
    if (timing.timeInDriver) to.setInDriver(timing.timeInDriver->count());
}

Timing timingOf(rpc::Timing::Reader from) {
    return {.timeOnDevice = measured(from.getOnDevice()),
            .timeInDriver = measured(from.getInDriver())};
}

// ---- results of calls

void write(const Status& status, rpc::Failure::Builder to) {
    if (status.ok()) return;
    to.setCode(static_cast<int32_t>(errorStatus(status)));
    // A driver's message may have any length.
    const std::string message(status.message().substr(0, rpc::MOST_MESSAGE_BYTES));
    to.setMessage(textFrom(message));
}

void write(const ExecutionResult<Executed>& executed, rpc::Executed::Builder to) {
    if (!executed.has_value()) {
        write(executed.status(), to.initFailure());
        const auto shapes = executed.error().outputShapes;
        write(shapes, to.getFailure().initOutputShapes(static_cast<unsigned>(shapes.size())));
        return;
    }
    const auto& [shapes, timing] = *executed;
    if (!shapes.empty()) {
        write(shapes, to.initOutputShapes(static_cast<unsigned>(shapes.size())));
    }
    if (timing != Timing()) write(timing, to.initTiming());
}

Status statusOf(rpc::Failure::Reader from) {
    const auto code = static_cast<ErrorStatus>(from.getCode());
    if (code == ErrorStatus::NONE) return {};
    const std::string message = textOf(from.getMessage());
    if (!validate(code).ok()) {
        return error() << "the server reports code " << from.getCode()
                       << ", which none has: " << printable(message);
    }
    return makeError(code, message);
}

ExecutionResult<Executed> executedOf(rpc::Executed::Reader from) {
    if (Status status = statusOf(from.getFailure()); !status.ok()) {
        return {std::move(status), shapesOf(from.getFailure().getOutputShapes())};
    }
    return Executed{shapesOf(from.getOutputShapes()), timingOf(from.getTiming())};
}

// ---- arguments

void write(const std::vector<TokenValuePair>& hints, capnp::List<rpc::Hint>::Builder to) {
    for (unsigned i = 0; i < to.size(); ++i) {
        to[i].setToken(hints[i].token);
        to[i].setValue(bytesOf(hints[i].value));
    }
}

std::vector<TokenValuePair> hintsOf(capnp::List<rpc::Hint>::Reader from) {
    std::vector<TokenValuePair> hints;
    for (const auto hint : from) {
        const auto value = hint.getValue();
        hints.push_back({.token = hint.getToken(), .value = {value.begin(), value.end()}});
    }
    return hints;
}

void write(const std::vector<ExtensionNameAndPrefix>& prefixes,
           capnp::List<rpc::Prefix>::Builder to) {
    for (unsigned i = 0; i < to.size(); ++i) {
        to[i].setName(textFrom(prefixes[i].name));
        to[i].setPrefix(prefixes[i].prefix);
    }
}

std::vector<ExtensionNameAndPrefix> prefixesOf(capnp::List<rpc::Prefix>::Reader from) {
    std::vector<ExtensionNameAndPrefix> prefixes;
    for (const auto prefix : from) {
        prefixes.push_back({.name = textOf(prefix.getName()), .prefix = prefix.getPrefix()});
    }
    return prefixes;
}

void write(const std::vector<BufferRole>& roles, capnp::List<rpc::Role>::Builder to) {
    for (unsigned i = 0; i < to.size(); ++i) {
        to[i].setModelIndex(roles[i].modelIndex);
        to[i].setIoIndex(roles[i].ioIndex);
        to[i].setProbability(roles[i].probability);
    }
}

std::vector<BufferRole> rolesOf(capnp::List<rpc::Role>::Reader from) {
    std::vector<BufferRole> roles;
    for (const auto role : from) {
        roles.push_back({.modelIndex = role.getModelIndex(),
                         .ioIndex = role.getIoIndex(),
                         .probability = role.getProbability()});
    }
    return roles;
}

void write(const std::vector<Request::Argument>& arguments,
           capnp::List<rpc::Request::Argument>::Builder to) {
    for (unsigned i = 0; i < to.size(); ++i) {
        const Request::Argument& argument = arguments[i];
        auto out = to[i];
        out.setLifetime(static_cast<int32_t>(argument.lifetime));
        out.setPoolIndex(argument.location.poolIndex);
        out.setOffset(argument.location.offset);
        out.setLength(argument.location.length);
        out.setPadding(argument.location.padding);
        writeNumbers(out.initDimensions(static_cast<unsigned>(argument.dimensions.size())),
                     argument.dimensions);
    }
}

std::vector<Request::Argument> argumentsOf(capnp::List<rpc::Request::Argument>::Reader from) {
    std::vector<Request::Argument> arguments;
    arguments.reserve(from.size());
    for (const auto argument : from) {
        arguments.push_back(
                {.lifetime = static_cast<Request::Argument::LifeTime>(argument.getLifetime()),
                 .location = {.poolIndex = argument.getPoolIndex(),
                              .offset = argument.getOffset(),
                              .length = argument.getLength(),
                              .padding = argument.getPadding()},
                 .dimensions = numbersOf<uint32_t>(argument.getDimensions())});
    }
    return arguments;
}

// ---- devices

void write(const IDevice& device, rpc::DeviceInfo::Builder to) {
    to.setName(textFrom(device.getName()));
    to.setVersionString(textFrom(device.getVersionString()));
    to.setFeatureLevel(static_cast<uint8_t>(device.getFeatureLevel().level));
    to.setRuntimeOnlyFeatures(device.getFeatureLevel().runtimeOnlyFeatures);
    to.setType(static_cast<int32_t>(device.getType()));
    const auto& extensions = device.getSupportedExtensions();
    auto extensionList = to.initExtensions(static_cast<unsigned>(extensions.size()));
    for (unsigned i = 0; i < extensionList.size(); ++i) {
        extensionList[i].setName(textFrom(extensions[i].name));
        const auto& types = extensions[i].operandTypes;
        auto typeList = extensionList[i].initOperandTypes(static_cast<unsigned>(types.size()));
        for (unsigned j = 0; j < typeList.size(); ++j) {
            typeList[j].setType(types[j].type);
            typeList[j].setIsTensor(types[j].isTensor);
            typeList[j].setByteSize(types[j].byteSize);
        }
    }
    const Capabilities& capabilities = device.getCapabilities();
    auto out = to.initCapabilities();
    write(capabilities.relaxedFloat32toFloat16PerformanceScalar, out.initRelaxedScalar());
    write(capabilities.relaxedFloat32toFloat16PerformanceTensor, out.initRelaxedTensor());
    write(capabilities.ifPerformance, out.initIfPerformance());
    write(capabilities.whilePerformance, out.initWhilePerformance());
    const auto& operands = capabilities.operandPerformance.asVector();
    auto operandList = out.initOperands(static_cast<unsigned>(operands.size()));
    for (unsigned i = 0; i < operandList.size(); ++i) {
        operandList[i].setType(static_cast<int32_t>(operands[i].type));
        write(operands[i].info, operandList[i].initInfo());
    }
    const auto [model, data] = device.getNumberOfCacheFilesNeeded();
    to.setModelCacheFiles(model);
    to.setDataCacheFiles(data);
}

Result<DeviceInfo> deviceInfoOf(rpc::DeviceInfo::Reader from) {
    DeviceInfo info{.name = textOf(from.getName()),
                    .versionString = textOf(from.getVersionString()),
                    .featureLevel = {},
                    .type = static_cast<DeviceType>(from.getType()),
                    .extensions = {},
                    .capabilities = {},
                    .cacheFiles = {from.getModelCacheFiles(), from.getDataCacheFiles()}};
    if (info.name.empty()) return Status(error() << "a device of the server has no name");
    if (info.versionString.empty()) {
        return Status(error() << "the server's device " << printable(info.name)
                              << " has an empty version string");
    }
    const int newest = featureLevel(kNewestVersion);
    if (from.getFeatureLevel() < 1) return wrong("feature level", 0, "1 and above");
    // A newer server is used as the newest version known here.
    info.featureLevel = {
            .level = static_cast<Version::Level>(std::min<int>(from.getFeatureLevel(), newest)),
            .runtimeOnlyFeatures = from.getRuntimeOnlyFeatures()};
    if (from.getType() < 0 || from.getType() > static_cast<int32_t>(DeviceType::ACCELERATOR)) {
        return wrong("device type", from.getType(), "0 to 4");
    }
    for (const uint32_t files : {info.cacheFiles.first, info.cacheFiles.second}) {
        if (files > kMaxNumberOfCacheFiles) {
            return wrong("number of cache files", files, "at most 32");
        }
    }
    for (const auto extension : from.getExtensions()) {
        Extension& added = info.extensions.emplace_back();
        added.name = textOf(extension.getName());
        for (const auto type : extension.getOperandTypes()) {
            added.operandTypes.push_back({.type = type.getType(),
                                          .isTensor = type.getIsTensor(),
                                          .byteSize = type.getByteSize()});
        }
    }
    const auto capabilities = from.getCapabilities();
    info.capabilities.relaxedFloat32toFloat16PerformanceScalar =
            performanceOf(capabilities.getRelaxedScalar());
    info.capabilities.relaxedFloat32toFloat16PerformanceTensor =
            performanceOf(capabilities.getRelaxedTensor());
    info.capabilities.ifPerformance = performanceOf(capabilities.getIfPerformance());
    info.capabilities.whilePerformance = performanceOf(capabilities.getWhilePerformance());
    std::vector<Capabilities::OperandPerformance> operands;
    for (const auto operand : capabilities.getOperands()) {
        operands.push_back({.type = static_cast<OperandType>(operand.getType()),
                            .info = performanceOf(operand.getInfo())});
    }
    auto table = Capabilities::OperandPerformanceTable::create(std::move(operands));
    if (!table) return Status(error() << "the server's capabilities are not sorted by type");
    info.capabilities.operandPerformance = *std::move(table);
    return info;
}

// ---- memory

namespace {

using Description = Memory::HardwareBuffer::Description;

void write(const Description& description, rpc::MemoryInfo::Description::Builder to) {
    to.setWidth(description.width);
    to.setHeight(description.height);
    to.setLayers(description.layers);
    to.setFormat(description.format);
    to.setUsage(description.usage);
    to.setStride(description.stride);
}

Description descriptionOf(rpc::MemoryInfo::Description::Reader from) {
    return {.width = from.getWidth(),
            .height = from.getHeight(),
            .layers = from.getLayers(),
            .format = from.getFormat(),
            .usage = from.getUsage(),
            .stride = from.getStride()};
}

}  // namespace

void write(const Memory& memory, rpc::MemoryInfo::Builder to) {
    using Kind = rpc::MemoryInfo::Kind;
    std::visit(
            [&]<class M>(const M& kind) {
                to.setSize(kind.size);
                if constexpr (std::same_as<M, Memory::Ashmem>) {
                    to.setKind(Kind::ASHMEM);
                } else if constexpr (std::same_as<M, Memory::Fd>) {
                    to.setKind(Kind::FILE);
                    to.setProt(kind.prot);
                    to.setOffset(kind.offset);
                } else {
                    const auto& ints = kind.handle.ints;
                    writeNumbers(to.initIntegers(static_cast<unsigned>(ints.size())), ints);
                    if constexpr (std::same_as<M, Memory::HardwareBuffer>) {
                        to.setKind(Kind::HARDWARE_BUFFER);
                        to.setIsBlob(kind.isBlob);
                        if (kind.description != Description{}) {
                            write(kind.description, to.initDescription());
                        }
                    } else {
                        to.setKind(Kind::UNKNOWN);
                        to.setName(textFrom(kind.name));
                    }
                }
            },
            memory.handle);
}

std::vector<int> descriptorsOf(const Memory& memory) {
    return std::visit(
            []<class M>(const M& kind) {
                std::vector<int> fds;
                if constexpr (std::same_as<M, Memory::Ashmem> || std::same_as<M, Memory::Fd>) {
                    fds.push_back(kind.fd.get());
                } else {
                    for (const UniqueFd& fd : kind.handle.fds) fds.push_back(fd.get());
                }
                return fds;
            },
            memory.handle);
}

Result<SharedMemory> memoryOf(rpc::MemoryInfo::Reader from, std::vector<UniqueFd> descriptors) {
    using Kind = rpc::MemoryInfo::Kind;
    const auto make = [](auto kind) -> Result<SharedMemory> {
        return SharedMemory(std::make_shared<const Memory>(Memory{std::move(kind)}));
    };
    const auto size = checkedCast<size_t>(from.getSize());
    const auto offset = checkedCast<size_t>(from.getOffset());
    if (!size || !offset) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT) << "a memory is too large");
    }
    const Kind kind = from.getKind();
    if ((kind == Kind::ASHMEM || kind == Kind::FILE) && descriptors.size() != 1) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << "a memory has " << descriptors.size() << " descriptors, allowed 1");
    }
    switch (kind) {
        case Kind::ASHMEM:
            return make(Memory::Ashmem{.fd = std::move(descriptors[0]), .size = *size});
        case Kind::FILE:
            return make(Memory::Fd{.size = *size,
                                   .prot = from.getProt(),
                                   .fd = std::move(descriptors[0]),
                                   .offset = *offset});
        case Kind::HARDWARE_BUFFER:
            return make(
                    Memory::HardwareBuffer{.handle = {.fds = std::move(descriptors),
                                                      .ints = numbersOf<int>(from.getIntegers())},
                                           .size = *size,
                                           .isBlob = from.getIsBlob(),
                                           .description = descriptionOf(from.getDescription())});
        case Kind::UNKNOWN:
            return make(Memory::Unknown{.handle = {.fds = std::move(descriptors),
                                                   .ints = numbersOf<int>(from.getIntegers())},
                                        .size = *size,
                                        .name = textOf(from.getName())});
    }
    return Status(error(ErrorStatus::INVALID_ARGUMENT) << "a memory of an unknown kind");
}

}  // namespace nn::service
