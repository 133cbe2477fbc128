// Checks of small types: enumerations, times, handles, memory, capabilities.
#include <sys/mman.h>

#include <bit>

#include "base/no_throw.h"
#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"
#include "validate/checks.h"

namespace nn {
namespace {

// One of the values from 0 to `last`.
template <class E>
bool checkEnumerator(std::string_view enumeration, E value, E last, const Place& place,
                     Report& report) {
    const auto code = static_cast<int32_t>(value);
    const auto max = static_cast<int32_t>(last);
    return report.require(code >= 0 && code <= max, place, "enumeration.value",
                          "{} is {}, allowed 0 to {}", enumeration, code, max);
}

void checkPerformance(const Capabilities::PerformanceInfo& info, const Place& place,
                      Report& report) {
    // Written so that NaN fails.
    report.require(info.execTime > 0, place, "capabilities.performance",
                   "execTime is {}, allowed above 0", info.execTime);
    report.require(info.powerUsage > 0, place, "capabilities.performance",
                   "powerUsage is {}, allowed above 0", info.powerUsage);
}

bool isNegative(const OptionalDuration& duration) { return duration && duration->count() < 0; }

void checkFd(const UniqueFd& fd, const Place& place, Report& report) {
    report.require(fd.ok(), place, "memory.fd", "file descriptor is {}, allowed 0 or more",
                   fd.get());
}

void checkFds(const std::vector<UniqueFd>& fds, const Place& place, Report& report) {
    for (size_t i = 0; i < fds.size() && !report.done(); ++i) {
        checkFd(fds[i], Place{&place, "fds", static_cast<int64_t>(i)}, report);
    }
}

void checkKind(const Memory::Ashmem& memory, const Place& place, Report& report) {
    checkFd(memory.fd, place, report);
    report.require(memory.size != 0, place, "memory.size", "size is 0, allowed 1 or more");
}

void checkKind(const Memory::Fd& memory, const Place& place, Report& report) {
    checkFd(memory.fd, place, report);
    report.require(memory.size != 0, place, "memory.size", "size is 0, allowed 1 or more");
    report.require((memory.prot & ~(PROT_READ | PROT_WRITE)) == 0, place, "memory.prot",
                   "prot is {:#x}, allowed the bits of PROT_READ | PROT_WRITE",
                   static_cast<unsigned>(memory.prot));
    report.require(checkedAdd<size_t>(memory.offset, memory.size).has_value(), place, "memory.size",
                   "offset {} + size {} is more than size_t holds", memory.offset, memory.size);
}

void checkKind(const Memory::HardwareBuffer& memory, const Place& place, Report& report) {
    report.requireVersion(place, kVersionFeatureLevel3, "a hardware buffer");
    checkFds(memory.handle.fds, place, report);
}

void checkKind(const Memory::Unknown& memory, const Place& place, Report& report) {
    report.requireVersion(place, kVersionFeatureLevel3, "a memory of unknown kind");
    checkFds(memory.handle.fds, place, report);
}

}  // namespace

void check(const DeviceStatus& value, const Place& place, Report& report) {
    checkEnumerator("DeviceStatus", value, DeviceStatus::UNKNOWN, place, report);
}

void check(const ExecutionPreference& value, const Place& place, Report& report) {
    const auto last = ExecutionPreference::SUSTAINED_SPEED;
    if (checkEnumerator("ExecutionPreference", value, last, place, report) &&
        value != ExecutionPreference::FAST_SINGLE_ANSWER) {
        report.requireVersion(place, kVersionFeatureLevel2, toString(value));
    }
}

void check(const DeviceType& value, const Place& place, Report& report) {
    if (checkEnumerator("DeviceType", value, DeviceType::ACCELERATOR, place, report) &&
        value != DeviceType::UNKNOWN) {
        report.requireVersion(place, kVersionFeatureLevel3, toString(value));
    }
}

void check(const MeasureTiming& value, const Place& place, Report& report) {
    if (checkEnumerator("MeasureTiming", value, MeasureTiming::YES, place, report) &&
        value != MeasureTiming::NO) {
        report.requireVersion(place, kVersionFeatureLevel3, "measuring time");
    }
}

void check(const Priority& value, const Place& place, Report& report) {
    if (checkEnumerator("Priority", value, Priority::HIGH, place, report) &&
        value != Priority::MEDIUM) {
        report.requireVersion(place, kVersionFeatureLevel4, "a priority other than MEDIUM");
    }
}

void check(const ErrorStatus& value, const Place& place, Report& report) {
    const auto code = static_cast<int32_t>(value);
    const auto last = static_cast<int32_t>(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
    report.require((code >= 0 && code <= last) || value == ErrorStatus::DEAD_OBJECT, place,
                   "enumeration.value", "ErrorStatus is {}, allowed 0 to {} and {}", code, last,
                   static_cast<int32_t>(ErrorStatus::DEAD_OBJECT));
}

void check(const FusedActivationFunc& value, const Place& place, Report& report) {
    checkEnumerator("FusedActivationFunc", value, FusedActivationFunc::RELU6, place, report);
}

void check(const OutputShape&, const Place& place, Report& report) {
    report.requireVersion(place, kVersionFeatureLevel3, "an output shape");
}

void check(const Timing& timing, const Place& place, Report& report) {
    const auto& [onDevice, inDriver] = timing;
    if (!onDevice && !inDriver) return;
    report.requireVersion(place, kVersionFeatureLevel3, "a measured time");
    report.require(!isNegative(onDevice), place, "time.negative",
                   "timeOnDevice is {} ns, allowed 0 or more", onDevice ? onDevice->count() : 0);
    report.require(!isNegative(inDriver), place, "time.negative",
                   "timeInDriver is {} ns, allowed 0 or more", inDriver ? inDriver->count() : 0);
    if (onDevice && inDriver) {
        report.require(*onDevice <= *inDriver, place, "timing.order",
                       "timeOnDevice is {} ns, allowed at most timeInDriver, which is {} ns",
                       onDevice->count(), inDriver->count());
    }
}

void check(const Capabilities& capabilities, const Place& place, Report& report) {
    checkPerformance(capabilities.relaxedFloat32toFloat16PerformanceScalar,
                     {&place, "relaxedFloat32toFloat16PerformanceScalar"}, report);
    checkPerformance(capabilities.relaxedFloat32toFloat16PerformanceTensor,
                     {&place, "relaxedFloat32toFloat16PerformanceTensor"}, report);
    checkPerformance(capabilities.ifPerformance, {&place, "ifPerformance"}, report);
    checkPerformance(capabilities.whilePerformance, {&place, "whilePerformance"}, report);

    // No entry requires a version, since conversions leave out those that an older version lacks.
    const auto& table = capabilities.operandPerformance.asVector();
    for (size_t i = 0; i < table.size() && !report.done(); ++i) {
        const Place entry{&place, "operandPerformance", static_cast<int64_t>(i)};
        report.require(isExtension(table[i].type) || operandTypeInfo(table[i].type) != nullptr,
                       entry, "capabilities.type", "type is {}, allowed {}",
                       static_cast<int32_t>(table[i].type), kOperandTypesText);
        checkPerformance(table[i].info, entry, report);
    }
}

void check(const BufferDesc& desc, const Place& place, Report& report) {
    report.within(&Limits::rank, desc.dimensions.size(), place);
    if (!desc.dimensions.empty())
        report.requireVersion(place, kVersionFeatureLevel4, "a buffer's dimensions");
}

void check(const BufferRole& role, const Place& place, Report& report) {
    report.requireVersion(place, kVersionFeatureLevel4, "a buffer role");
    report.require(role.probability > 0 && role.probability <= 1, place, "buffer_role.probability",
                   "probability is {}, allowed above 0, at most 1", role.probability);
}

void check(const OptionalTimePoint& timePoint, const Place& place, Report& report) {
    if (!timePoint) return;
    report.requireVersion(place, kVersionFeatureLevel4, "a deadline");
    report.require(timePoint->time_since_epoch().count() >= 0, place, "time.negative",
                   "time point is {} ns, allowed 0 or more", timePoint->time_since_epoch().count());
}

void check(const OptionalDuration& duration, const Place& place, Report& report) {
    if (!duration) return;
    report.requireVersion(place, kVersionFeatureLevel4, "a duration");
    report.require(!isNegative(duration), place, "time.negative",
                   "duration is {} ns, allowed 0 or more", duration->count());
}

void check(const CacheToken& token, const Place& place, Report& report) {
    if (token != CacheToken{}) report.requireVersion(place, kVersionFeatureLevel3, "a cache token");
}

void check(const SyncFence& fence, const Place& place, Report& report) {
    if (fence.getSharedHandle().get() == nullptr) return;
    report.requireVersion(place, kVersionFeatureLevel4, "a fence");
    report.require(fence.hasFd(), place, "handle.fd", "file descriptor is {}, allowed 0 or more",
                   fence.getFd());
}

void check(const SharedHandle& handle, const Place& place, Report& report) {
    if (handle.get() == nullptr) return;
    report.requireVersion(place, kVersionFeatureLevel3, "a handle");
    report.require(handle->ok(), place, "handle.fd", "file descriptor is {}, allowed 0 or more",
                   handle->get());
}

void check(const SharedMemory& memory, const Place& place, Report& report) {
    if (!report.require(memory.get() != nullptr, place, "memory.null", "memory is null")) return;
    if (const auto* unknown = std::get_if<Memory::Unknown>(&memory->handle)) {
        report.within(&Limits::nameBytes, unknown->name.size(), place);
    }
    std::visit([&](const auto& kind) { checkKind(kind, place, report); }, memory->handle);
}

void check(const TokenValuePair&, const Place& place, Report& report) {
    report.requireVersion(place, kVersionFeatureLevel8, "a hint");
}

void check(const std::vector<TokenValuePair>& pairs, const Place& place, Report& report) {
    check<TokenValuePair>(pairs, place, report);
    requireUnique(pairs, &TokenValuePair::token, "token", "hint.token", place, report);
}

void check(const NumberOfCacheFiles& files, const Place& place, Report& report) {
    report.requireVersion(place, kVersionFeatureLevel3, "caching");
    for (const auto& [kind, wanted] :
         {std::pair("model", files.first), std::pair("data", files.second)}) {
        report.require(wanted <= kMaxNumberOfCacheFiles, place, "cache.number",
                       "the driver wants {} files of the {} cache, allowed 0 to {}", wanted, kind,
                       kMaxNumberOfCacheFiles);
    }
}

void check(const Executed& executed, const Place& place, Report& report) {
    check(executed.first, {&place, "outputShapes"}, report);
    check(executed.second, {&place, "timing"}, report);
}

void check(const ExecutionConfig& config, const Place& place, Report& report) {
    report.requireVersion(place, kVersionFeatureLevel5, "a configuration of executions");
    check(config.measureTiming, {&place, "measureTiming"}, report);
    check(config.loopTimeoutDuration, {&place, "loopTimeoutDuration"}, report);
    requireUnique(config.executionHints, &TokenValuePair::token, "token", "hint.token",
                  {&place, "executionHints"}, report);
    check(config.extensionNameToPrefix, {&place, "extensionNameToPrefix"}, report);
}

void check(const PrepareModelConfig& config, const Place& place, Report& report) {
    report.requireVersion(place, kVersionFeatureLevel5, "a configuration of preparing");
    check(config.preference, {&place, "preference"}, report);
    check(config.priority, {&place, "priority"}, report);
    check(config.deadline, {&place, "deadline"}, report);
    check(config.modelCache, {&place, "modelCache"}, report);
    check(config.dataCache, {&place, "dataCache"}, report);
    requireUnique(config.compilationHints, &TokenValuePair::token, "token", "hint.token",
                  {&place, "compilationHints"}, report);
    check(config.extensionNameToPrefix, {&place, "extensionNameToPrefix"}, report);
}

Status validateMemoryPreference(uint32_t alignment, uint32_t padding) NNAPI_TRY {
    Report report;
    report.require(std::has_single_bit(alignment), Place{}, "memory_preference.alignment",
                   "alignment is {}, allowed powers of two", alignment);
    report.require(std::has_single_bit(padding), Place{}, "memory_preference.padding",
                   "padding is {}, allowed powers of two", padding);
    return report.result().status();
}
NNAPI_CATCH

Status validateNumberOfCacheFiles(uint32_t modelCache, uint32_t dataCache) NNAPI_TRY {
    return validate(NumberOfCacheFiles(modelCache, dataCache)).status();
}
NNAPI_CATCH

Result<Version> validateCacheFiles(const std::vector<SharedHandle>& files,
                                   uint32_t wanted) NNAPI_TRY {
    Report report;
    report.require(files.empty() || files.size() == wanted, Place{}, "cache.files",
                   "there are {} cache files, allowed 0 or {}", files.size(), wanted);
    for (size_t i = 0; i < files.size() && !report.done(); ++i) {
        const Place place{nullptr, "files", static_cast<int64_t>(i)};
        report.require(files[i].get() != nullptr, place, "cache.null", "the file is null");
        check(files[i], place, report);
    }
    return report.result();
}
NNAPI_CATCH

}  // namespace nn
