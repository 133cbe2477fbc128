// Names that trees of Android of every age have.
#define LOG_TAG "names"

#include <android-base/chrono_utils.h>
#include <android-base/errors.h>
#include <android-base/expected.h>
#include <android-base/file.h>
#include <android-base/logging.h>
#include <android-base/macros.h>
#include <android-base/mapped_file.h>
#include <android-base/memory.h>
#include <android-base/no_destructor.h>
#include <android-base/parsebool.h>
#include <android-base/parseint.h>
#include <android-base/properties.h>
#include <android-base/result.h>
#include <android-base/scopeguard.h>
#include <android-base/stringprintf.h>
#include <android-base/strings.h>
#include <android-base/thread_annotations.h>
#include <android-base/threads.h>
#include <android-base/unique_fd.h>
#include <android/log.h>
#include <cutils/properties.h>
#include <log/log.h>
#include <nnapi_android/vlog.h>
#include <sys/system_properties.h>

#include <aidl/android/hardware/common/Ashmem.h>
#include <aidl/android/hardware/common/MappableFile.h>
#include <aidl/android/hardware/common/NativeHandle.h>
#include <aidl/android/hardware/graphics/common/BufferUsage.h>
#include <aidl/android/hardware/graphics/common/HardwareBuffer.h>
#include <aidl/android/hardware/graphics/common/HardwareBufferDescription.h>
#include <aidl/android/hardware/graphics/common/PixelFormat.h>
#include <aidl/android/hardware/neuralnetworks/BnBuffer.h>
#include <aidl/android/hardware/neuralnetworks/BnBurst.h>
#include <aidl/android/hardware/neuralnetworks/BnDevice.h>
#include <aidl/android/hardware/neuralnetworks/BnExecution.h>
#include <aidl/android/hardware/neuralnetworks/BnFencedExecutionCallback.h>
#include <aidl/android/hardware/neuralnetworks/BnPreparedModel.h>
#include <aidl/android/hardware/neuralnetworks/BnPreparedModelCallback.h>
#include <aidl/android/hardware/neuralnetworks/BufferDesc.h>
#include <aidl/android/hardware/neuralnetworks/BufferRole.h>
#include <aidl/android/hardware/neuralnetworks/Capabilities.h>
#include <aidl/android/hardware/neuralnetworks/DataLocation.h>
#include <aidl/android/hardware/neuralnetworks/DeviceBuffer.h>
#include <aidl/android/hardware/neuralnetworks/DeviceType.h>
#include <aidl/android/hardware/neuralnetworks/ErrorStatus.h>
#include <aidl/android/hardware/neuralnetworks/ExecutionConfig.h>
#include <aidl/android/hardware/neuralnetworks/ExecutionPreference.h>
#include <aidl/android/hardware/neuralnetworks/ExecutionResult.h>
#include <aidl/android/hardware/neuralnetworks/Extension.h>
#include <aidl/android/hardware/neuralnetworks/ExtensionNameAndPrefix.h>
#include <aidl/android/hardware/neuralnetworks/ExtensionOperandTypeInformation.h>
#include <aidl/android/hardware/neuralnetworks/FencedExecutionResult.h>
#include <aidl/android/hardware/neuralnetworks/FusedActivationFunc.h>
#include <aidl/android/hardware/neuralnetworks/IBuffer.h>
#include <aidl/android/hardware/neuralnetworks/IBurst.h>
#include <aidl/android/hardware/neuralnetworks/IDevice.h>
#include <aidl/android/hardware/neuralnetworks/IExecution.h>
#include <aidl/android/hardware/neuralnetworks/IFencedExecutionCallback.h>
#include <aidl/android/hardware/neuralnetworks/IPreparedModel.h>
#include <aidl/android/hardware/neuralnetworks/IPreparedModelCallback.h>
#include <aidl/android/hardware/neuralnetworks/IPreparedModelParcel.h>
#include <aidl/android/hardware/neuralnetworks/Memory.h>
#include <aidl/android/hardware/neuralnetworks/Model.h>
#include <aidl/android/hardware/neuralnetworks/NumberOfCacheFiles.h>
#include <aidl/android/hardware/neuralnetworks/Operand.h>
#include <aidl/android/hardware/neuralnetworks/OperandExtraParams.h>
#include <aidl/android/hardware/neuralnetworks/OperandLifeTime.h>
#include <aidl/android/hardware/neuralnetworks/OperandPerformance.h>
#include <aidl/android/hardware/neuralnetworks/OperandType.h>
#include <aidl/android/hardware/neuralnetworks/Operation.h>
#include <aidl/android/hardware/neuralnetworks/OperationType.h>
#include <aidl/android/hardware/neuralnetworks/OutputShape.h>
#include <aidl/android/hardware/neuralnetworks/PerformanceInfo.h>
#include <aidl/android/hardware/neuralnetworks/PrepareModelConfig.h>
#include <aidl/android/hardware/neuralnetworks/Priority.h>
#include <aidl/android/hardware/neuralnetworks/Request.h>
#include <aidl/android/hardware/neuralnetworks/RequestArgument.h>
#include <aidl/android/hardware/neuralnetworks/RequestMemoryPool.h>
#include <aidl/android/hardware/neuralnetworks/Subgraph.h>
#include <aidl/android/hardware/neuralnetworks/SymmPerChannelQuantParams.h>
#include <aidl/android/hardware/neuralnetworks/Timing.h>
#include <aidl/android/hardware/neuralnetworks/TokenValuePair.h>
#include <android/binder_auto_utils.h>
#include <android/binder_enums.h>
#include <android/binder_interface_utils.h>
#include <android/binder_status.h>
#include <android/hardware/neuralnetworks/1.0/IDevice.h>
#include <android/hardware/neuralnetworks/1.0/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.0/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.0/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.1/IDevice.h>
#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hardware/neuralnetworks/1.2/IBurstCallback.h>
#include <android/hardware/neuralnetworks/1.2/IBurstContext.h>
#include <android/hardware/neuralnetworks/1.2/IDevice.h>
#include <android/hardware/neuralnetworks/1.2/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hardware/neuralnetworks/1.3/IBuffer.h>
#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <android/hardware/neuralnetworks/1.3/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.3/IFencedExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.3/types.h>
#include <android/hardware_buffer.h>
#include <android/hidl/allocator/1.0/IAllocator.h>
#include <android/hidl/base/1.0/IBase.h>
#include <android/hidl/memory/1.0/IMemory.h>
#include <android/sync.h>
#include <cutils/ashmem.h>
#include <cutils/log.h>
#include <cutils/native_handle.h>
#include <cutils/trace.h>
#include <fmq/EventFlag.h>
#include <fmq/MessageQueue.h>
#include <hidl/HidlInternal.h>
#include <hidl/HidlSupport.h>
#include <hidl/MQDescriptor.h>
#include <hidl/MQFlavor.h>
#include <hidl/Status.h>
#include <hidlmemory/HidlMemory.h>
#include <hidlmemory/mapping.h>
#include <log/log_main.h>
#include <sync/sync.h>
#include <utils/Condition.h>
#include <utils/Errors.h>
#include <utils/Log.h>
#include <utils/Mutex.h>
#include <utils/RefBase.h>
#include <utils/String8.h>
#include <utils/StrongPointer.h>
#include <utils/SystemClock.h>
#include <utils/Timers.h>
#include <utils/Trace.h>
#include <vndk/hardware_buffer.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "android/names.h"

namespace {

// ---- logging

NAME("log/log.h", "ALOGV, ALOGD, ALOGI, ALOGW, ALOGE, ALOGx_IF, IF_ALOGx",
     "silent until the program sets a sink; see android-base/logging.h", {
         ALOGV("operand %u", 1u);
         ALOGD("text");
         ALOGI("%s", "text");
         ALOGW("%d", 1);
         if (true) ALOGE("%s: %zu", __func__, sizeof(int));
         ALOGV_IF(true, "text");
         ALOGE_IF(1 > 2, "%d", 3);
         IF_ALOGV() { ALOGV("text"); }
     })
NAME("log/log.h", "SLOGV … SLOGE, RLOGV … RLOGE, ALOG, LOG_PRI", "", {
    SLOGE("text");
    SLOGV("%d", 1);
    RLOGI("text");
    ALOG(LOG_ERROR, "tag", "%d", 1);
    LOG_PRI(ANDROID_LOG_INFO, LOG_TAG, "text");
})
NAME("log/log.h", "LOG_ALWAYS_FATAL, LOG_ALWAYS_FATAL_IF, LOG_FATAL, LOG_FATAL_IF, ALOG_ASSERT", "",
     {
         ALOG_ASSERT(1 == 1);
         ALOG_ASSERT(1 == 1, "text");
         LOG_FATAL_IF(false, "%d", 1);
         LOG_ALWAYS_FATAL_IF(false);
         LOG_ALWAYS_FATAL_IF(false, "%d", 1);
         if (false) LOG_ALWAYS_FATAL("%s", "text");
         LOG_ALWAYS_FATAL();
     })
NAME("android/log.h", "__android_log_print, _write, _vprint, _buf_print, _buf_write, _assert", "", {
    __android_log_print(ANDROID_LOG_ERROR, LOG_TAG, "%d operations", 3);
    __android_log_write(ANDROID_LOG_INFO, LOG_TAG, "text");
    __android_log_buf_print(LOG_ID_MAIN, ANDROID_LOG_WARN, LOG_TAG, "%d", 3);
    __android_log_buf_write(LOG_ID_SYSTEM, ANDROID_LOG_WARN, LOG_TAG, "text");
    __android_log_assert("condition", LOG_TAG, "%d", 3);
})
NAME("android/log.h",
     "__android_log_is_loggable, _set_logger, _set_aborter, _set_minimum_priority, "
     "_set_default_tag",
     "the logger of logd writes to standard error", {
         if (__android_log_is_loggable(ANDROID_LOG_DEBUG, "tag", ANDROID_LOG_INFO)) return;
         __android_log_set_logger(__android_log_stderr_logger);
         __android_log_set_logger(
                 [](const __android_log_message* message) { std::string text(message->message); });
         __android_log_set_aborter(__android_log_default_aborter);
         __android_log_set_minimum_priority(ANDROID_LOG_VERBOSE);
         __android_log_set_default_tag("tag");
     })
NAME("android-base/logging.h", "LOG, PLOG, LOG_STREAM, WOULD_LOG, UNIMPLEMENTED", "", {
    LOG(INFO) << "text" << 1 << ' ' << 1.5f << std::string("text") << static_cast<void*>(nullptr);
    LOG(::android::base::WARNING) << std::hex << 255;
    if (true)
        PLOG(ERROR) << "open";
    else
        LOG(FATAL) << "end";
    LOG(FATAL_WITHOUT_ABORT) << "text";
    UNIMPLEMENTED(WARNING);
    if (WOULD_LOG(VERBOSE)) LOG_STREAM(VERBOSE) << "text";
})
NAME("android-base/logging.h",
     "CHECK, CHECK_EQ, _NE, _LT, _LE, _GT, _GE, CHECK_STREQ, _STRNE, PCHECK, DCHECK…", "", {
         const std::vector<int> values = {1};
         const auto* none = static_cast<int*>(nullptr);
         CHECK(!values.empty());
         CHECK(!values.empty()) << "text";
         CHECK_EQ(values.size(), 1);
         if (true)
             CHECK_NE(none, nullptr) << "text";
         else
             CHECK_LT(1, 2u);
         CHECK_LE(1, 1);
         CHECK_GT(2, 1);
         CHECK_GE(std::string("b"), "a");
         CHECK_STREQ("a", "a");
         CHECK_STRNE("a", "b");
         PCHECK(true) << "text";
         if (true) DCHECK(true);
         DCHECK_EQ(1, 1) << "text";
         DCHECK_STREQ("a", "a");
     })
NAME("android-base/logging.h",
     "InitLogging, SetLogger, SetAborter, SetDefaultTag, SetMinimumLogSeverity, ScopedLogSeverity, "
     "StderrLogger, StdioLogger, LogdLogger, TeeLogger",
     "logd and the log of the kernel are standard error; before a logger is set, nothing is "
     "written "
     "unless ANDROID_LOG_TAGS is set in the environment (`*:i`)",
     {
         android::base::InitLogging(nullptr, android::base::StderrLogger);
         android::base::InitLogging(nullptr, android::base::LogdLogger(android::base::SYSTEM));
         android::base::SetLogger([](android::base::LogId, android::base::LogSeverity, const char*,
                                     const char*, unsigned int, const char*) {});
         android::base::SetAborter([](const char*) {});
         android::base::SetDefaultTag("tag");
         android::base::SetMinimumLogSeverity(android::base::VERBOSE);
         android::base::ScopedLogSeverity severity(android::base::DEBUG);
     })
NAME("Utils.h, LegacyUtils.h", "VLOG, VLOG_IS_ON, initVLogMask, vLogMask, VLogFlags", "", {
    using namespace android::nn;
    initVLogMask();
    VLOG(DRIVER) << "prepareModel " << 1;
    if (VLOG_IS_ON(EXECUTION)) VLOG(MODEL) << "text";
})

// ---- properties

NAME("android-base/properties.h",
     "GetProperty, GetBoolProperty, GetIntProperty, GetUintProperty, SetProperty, WaitForProperty",
     "a property is what this process set, else the variable of the environment of that name", {
         const std::string text = android::base::GetProperty("vendor.npu.path", "/dev/npu0");
         if (android::base::GetBoolProperty("vendor.npu.verbose", false)) return;
         const int count = android::base::GetIntProperty("vendor.npu.threads", 4, 1, 8);
         const auto size = android::base::GetUintProperty<uint32_t>("vendor.npu.size", count);
         android::base::SetProperty("vendor.npu.size", std::to_string(size) + text);
     })
NAME("cutils/properties.h",
     "property_get, property_get_bool, _int32, _int64, property_set, property_list, "
     "PROPERTY_VALUE_MAX",
     "as above", {
         char text[PROPERTY_VALUE_MAX];
         property_get("vendor.npu.path", text, "/dev/npu0");
         property_get("vendor.npu.path", text, nullptr);
         if (property_get_bool("vendor.npu.verbose", false)) return;
         property_get_int32("vendor.npu.threads", 4);
         property_set("vendor.npu.path", text);
     })
NAME("sys/system_properties.h", "__system_property_get, __system_property_set", "as above", {
    char text[PROP_VALUE_MAX];
    __system_property_get("ro.product.model", text);
})

// ---- libbase

NAME("android-base/scopeguard.h", "make_scope_guard, scope_guard", "", {
    int count = 0;
    auto guard = android::base::make_scope_guard([&count] { ++count; });
    const auto other = android::base::make_scope_guard([&count] { --count; });
    guard.Disable();
})
NAME("android-base/unique_fd.h", "unique_fd, borrowed_fd, Pipe, Socketpair, Fdopen",
     "is an nn::UniqueFd; `==` of two is true for two descriptors of one file", {
         android::base::unique_fd fd(dup(0));
         if (!fd.ok() || fd == -1 || fd < 0 || fd.get() == 2) return;
         android::base::unique_fd other(std::move(fd));
         other.reset(other.release());
         const android::base::borrowed_fd borrowed = other;
         read(borrowed.get(), nullptr, 0) == 0 ? void() : void();
         android::base::Pipe(&fd, &other);
         ::nn::UniqueFd canonical = std::move(other);
         other = std::move(canonical);
     })
NAME("android-base/file.h",
     "ReadFileToString, ReadFdToString, WriteStringToFile, WriteStringToFd, ReadFully, WriteFully, "
     "TemporaryFile, TemporaryDir, Basename, Dirname, Readlink, Realpath, GetExecutablePath, "
     "RemoveFileIfExists",
     "", {
         std::string text;
         android::base::ReadFileToString("/proc/cpuinfo", &text);
         android::base::TemporaryFile file;
         android::base::WriteStringToFile(text, file.path);
         android::base::WriteFully(file.fd, text.data(), text.size());
         android::base::unique_fd fd(file.release());
         android::base::ReadFully(fd, text.data(), text.size());
         text = android::base::Basename(android::base::GetExecutablePath());
     })
NAME("android-base/mapped_file.h", "MappedFile::FromFd", "", {
    const auto mapped = android::base::MappedFile::FromFd(0, 0, 10, PROT_READ);
    if (mapped == nullptr || mapped->size() < 10 || mapped->data() == nullptr) return;
})
NAME("android-base/strings.h",
     "Split, Tokenize, Trim, Join, StartsWith, EndsWith, EqualsIgnoreCase, ConsumePrefix, "
     "StringReplace",
     "", {
         const std::vector<std::string> parts = android::base::Split("a,b", ",");
         if (android::base::StartsWith(android::base::Join(parts, ", "), "a")) return;
         android::base::Trim(" a ");
     })
NAME("android-base/stringprintf.h", "StringPrintf, StringAppendF, StringAppendV", "", {
    std::string text = android::base::StringPrintf("%d of %s", 1, "text");
    android::base::StringAppendF(&text, "%u", 1u);
})
NAME("android-base/parseint.h, android-base/parsebool.h",
     "ParseInt, ParseUint, ParseByteCount, ParseBool", "", {
         int number = 0;
         if (android::base::ParseInt("-1", &number, -5, 5)) return;
         uint32_t count = 0;
         android::base::ParseUint(std::string("1"), &count);
         if (android::base::ParseBool("on") == android::base::ParseBoolResult::kTrue) return;
     })
NAME("android-base/expected.h", "expected, unexpected",
     "reading what is not there ends the program", {
         using Answer = android::base::expected<int, std::string>;
         const auto parse = [](int value) -> Answer {
             if (value < 0) return android::base::unexpected("negative");
             return value;
         };
         const Answer answer = parse(1);
         if (!answer.has_value() || *answer != answer.value() || answer.error().empty()) return;
         android::base::expected<void, int> done;
         if (!done) done = android::base::unexpected(1);
     })
NAME("android-base/result.h", "Result, Error, ErrnoError, ResultError",
     "no Errorf; errors are numbers of the system alone", {
         const auto open = [](bool succeeds) -> android::base::Result<int> {
             if (!succeeds) return android::base::ErrnoError() << "cannot open " << 1;
             return 1;
         };
         if (const auto result = open(false); !result.ok()) LOG(ERROR) << result.error();
         const auto check = [&]() -> android::base::Result<void> {
             if (const auto result = open(true); !result.ok()) {
                 return android::base::Error() << result.error() << " text";
             }
             return {};
         };
         if (!check().ok()) LOG(ERROR) << check().error().message() << check().error().code();
     })
NAME("android-base/macros.h",
     "DISALLOW_COPY_AND_ASSIGN, TEMP_FAILURE_RETRY, arraysize, LIKELY, UNLIKELY, "
     "FALLTHROUGH_INTENDED",
     "", {
         struct Object {
             Object() = default;
             DISALLOW_COPY_AND_ASSIGN(Object);
         } object;
         const int numbers[] = {1, 2};
         static_assert(arraysize(numbers) == 2);
         if (UNLIKELY(TEMP_FAILURE_RETRY(read(0, &object, 0)) < 0)) return;
     })
NAME("android-base/thread_annotations.h",
     "GUARDED_BY, REQUIRES, EXCLUDES, ACQUIRE, RELEASE …, ScopedLockAssertion",
     "say nothing with libstdc++, whose mutexes are not annotated", {
         struct Object {
             void use() EXCLUDES(mutex) {
                 std::lock_guard lock(mutex);
                 android::base::ScopedLockAssertion assertion(mutex);
                 ++count;
             }
             std::mutex mutex;
             int count GUARDED_BY(mutex) = 0;
         } object;
         object.use();
     })
NAME("android-base/chrono_utils.h", "boot_clock, Timer", "", {
    android::base::Timer timer;
    LOG(INFO) << timer << timer.duration().count();
    if (android::base::boot_clock::now().time_since_epoch().count() == 0) return;
})
NAME("android-base/no_destructor.h, memory.h, errors.h, threads.h",
     "NoDestructor, get_unaligned, put_unaligned, SystemErrorCodeToString, GetThreadId", "", {
         static android::base::NoDestructor<std::string> text("text");
         if (text->empty() || android::base::get_unaligned<uint32_t>(text->data()) == 0) return;
         *text = android::base::SystemErrorCodeToString(EINVAL);
         android::base::put_unaligned(text->data(), android::base::GetThreadId());
     })

// ---- libutils, libcutils, libsync

NAME("utils/RefBase.h, utils/StrongPointer.h", "RefBase, sp, wp", "", {
    struct Object : public virtual android::RefBase {
        int value = 1;
    };
    android::sp<Object> object = new Object();
    android::wp<Object> weak = object;
    android::sp<android::RefBase> base = object;
    if (weak.promote() != nullptr && object->value == 1 && base == object) object.clear();
    object = android::sp<Object>::make();
})
NAME("utils/Errors.h", "status_t, OK, NO_ERROR, BAD_VALUE, NO_MEMORY …, statusToString",
     "constants, not enumerators", {
         const android::status_t status = android::INVALID_OPERATION;
         if (status != android::OK) ALOGE("%s", android::statusToString(status).c_str());
     })
NAME("utils/Timers.h, utils/SystemClock.h",
     "nsecs_t, systemTime, s2ns, ms2ns, ns2ms …, toMillisecondTimeoutDelay, uptimeMillis, "
     "uptimeNanos, elapsedRealtime, elapsedRealtimeNano",
     "", {
         const nsecs_t now = systemTime(SYSTEM_TIME_MONOTONIC);
         if (ns2ms(now) > android::uptimeMillis()) return;
         if (toMillisecondTimeoutDelay(now, now + s2ns(1)) > android::elapsedRealtime()) return;
     })
NAME("utils/Mutex.h, utils/Condition.h", "Mutex, AutoMutex, Mutex::Autolock, Condition", "", {
    android::Mutex mutex;
    android::Condition condition;
    android::AutoMutex lock(mutex);
    condition.waitRelative(mutex, ms2ns(1));
    condition.broadcast();
})
NAME("utils/String8.h", "String8", "no String16, and the methods that drivers use alone", {
    android::String8 text = android::String8::format("npu%d", 1);
    text.appendFormat("%s", "text");
    if (text.string() == nullptr || text == "npu" || text.isEmpty()) return;
})
NAME("utils/Trace.h, cutils/trace.h",
     "ATRACE_CALL, ATRACE_NAME, ATRACE_BEGIN, ATRACE_END, ATRACE_INT, ATRACE_TAG",
     "do nothing: there is no atrace", {
         ATRACE_CALL();
         ATRACE_NAME("text");
         ATRACE_BEGIN("text");
         ATRACE_INT("count", 1);
         ATRACE_END();
     })
NAME("cutils/native_handle.h",
     "native_handle_t, native_handle_create, _clone, _close, _delete, buffer_handle_t",
     "data is a std::vector<int>", {
         native_handle_t* handle = native_handle_create(1, 1);
         handle->data[0] = dup(0);
         handle->data[handle->numFds] = 7;
         const native_handle* copy = native_handle_clone(handle);
         native_handle_close(copy);
         native_handle_delete(handle);
     })
NAME("cutils/ashmem.h",
     "ashmem_create_region, ashmem_set_prot_region, ashmem_get_size_region, ashmem_valid, "
     "ashmem_pin_region, ashmem_unpin_region",
     "a memfd that cannot be resized; pins have no effect", {
         const int fd = ashmem_create_region("name", 4096);
         ashmem_set_prot_region(fd, PROT_READ);
         if (ashmem_get_size_region(fd) == 4096 && ashmem_valid(fd)) close(fd);
     })
NAME("sync/sync.h, android/sync.h", "sync_wait, sync_merge",
     "any descriptor that becomes readable once is a fence; no sync_file_info", {
         const android::base::unique_fd merged(sync_merge("name", 3, 4));
         if (sync_wait(merged, 100) != 0) return;
     })
NAME("android/hardware_buffer.h",
     "AHardwareBuffer_allocate, _lock, _unlock, _describe, _acquire, _release, _isSupported, "
     "_getId",
     "of format BLOB, over shared memory; images are refused", {
         AHardwareBuffer_Desc description{};
         description.width = 4096;
         description.height = 1;
         description.layers = 1;
         description.format = AHARDWAREBUFFER_FORMAT_BLOB;
         description.usage =
                 AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN | AHARDWAREBUFFER_USAGE_CPU_WRITE_OFTEN;
         AHardwareBuffer* buffer = nullptr;
         if (AHardwareBuffer_allocate(&description, &buffer) != 0) return;
         void* data = nullptr;
         AHardwareBuffer_lock(buffer, AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN, -1, nullptr, &data);
         AHardwareBuffer_unlock(buffer, nullptr);
         AHardwareBuffer_release(buffer);
     })
NAME("vndk/hardware_buffer.h", "AHardwareBuffer_getNativeHandle, AHardwareBuffer_createFromHandle",
     "of format BLOB, whose memory cannot be shortened", {
         AHardwareBuffer_Desc description{};
         AHardwareBuffer* buffer = nullptr;
         const native_handle_t* handle = AHardwareBuffer_getNativeHandle(buffer);
         AHardwareBuffer_createFromHandle(&description, handle,
                                          AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_CLONE, &buffer);
     })

// ---- HIDL

NAME("hidl/HidlSupport.h",
     "hidl_vec, hidl_string, hidl_array, hidl_handle, hidl_memory, hidl_death_recipient, toString, "
     "details::arrayToString",
     "see the stand-ins above", {
         using namespace android::hardware;
         hidl_vec<uint32_t> dimensions = {1, 2};
         dimensions.resize(3);
         const hidl_string name = "ashmem";
         hidl_handle handle;
         handle.setTo(native_handle_create(0, 1), true);
         const hidl_memory memory(name, hidl_handle(handle), 4096);
         const hidl_array<uint8_t, 2> array;
         if (memory.size() + array.size() == name.size()) return;
         LOG(INFO) << toString(memory)
                   << android::hardware::details::arrayToString(dimensions, dimensions.size());
     })
NAME("hidl/Status.h", "Return, Status, Void", "see the stand-ins above", {
    using namespace android::hardware;
    const auto call = [](bool succeeds) -> Return<void> {
        if (!succeeds) return Status::fromExceptionCode(Status::EX_ILLEGAL_ARGUMENT);
        return Void();
    };
    const Return<void> result = call(true);
    if (!result.isOk() || result.isDeadObject()) LOG(ERROR) << result.description();
    LOG(ERROR) << Status::ok();
})
NAME("fmq/MessageQueue.h, fmq/EventFlag.h, hidl/MQDescriptor.h",
     "MessageQueue, kSynchronizedReadWrite, MQDescriptorSync, MQDescriptor, EventFlag",
     "synchronised queues alone; no beginRead, beginWrite", {
         using namespace android::hardware;
         MessageQueue<uint32_t, kSynchronizedReadWrite> queue(16, true);
         const MQDescriptorSync<uint32_t>* descriptor = queue.getDesc();
         const uint32_t value = 1;
         if (descriptor == nullptr || !queue.writeBlocking(&value, 1)) return;
         EventFlag* flag = nullptr;
         EventFlag::createEventFlag(queue.getEventFlagWord(), &flag);
         EventFlag::deleteEventFlag(&flag);
     })
NAME("android/hidl/base/1.0/IBase.h", "IBase", "", {
    using android::hidl::base::V1_0::IBase;
    struct Recipient : public android::hardware::hidl_death_recipient {
        void serviceDied(uint64_t, const android::wp<IBase>&) override {}
    };
    android::sp<IBase> object;
    android::sp<Recipient> recipient = new Recipient();
    if (object != nullptr && object->linkToDeath(recipient, 0).isOk()) object->ping().isOk();
})
NAME("hidlmemory/mapping.h, android/hidl/memory/1.0/IMemory.h", "mapMemory, IMemory", "", {
    const android::sp<android::hidl::memory::V1_0::IMemory> memory =
            android::hardware::mapMemory(android::hardware::hidl_memory());
    if (memory == nullptr) return;
    if (!memory->update().isOk()) return;
    auto* bytes = static_cast<uint8_t*>(static_cast<void*>(memory->getPointer()));
    if (bytes[0] == 0) memory->commit().isOk();
})
NAME("android/hidl/allocator/1.0/IAllocator.h", "IAllocator::getService, allocate, batchAllocate",
     "the one service is `ashmem`, in this process", {
         using android::hidl::allocator::V1_0::IAllocator;
         const android::sp<IAllocator> allocator = IAllocator::getService("ashmem");
         if (allocator == nullptr) return;
         android::hardware::hidl_memory memory;
         const android::hardware::Return<void> result = allocator->allocate(
                 4096, [&](bool success, const android::hardware::hidl_memory& held) {
                     if (success) memory = held;
                 });
         if (!result.isOk()) return;
     })
NAME("hidlmemory/HidlMemory.h", "HidlMemory::getInstance", "", {
    using android::hardware::HidlMemory;
    const android::sp<HidlMemory> memory = HidlMemory::getInstance("ashmem", 3, 4096);
    if (memory->size() == 0) return;
})

}  // namespace

// Drivers open these namespaces.
namespace android::hardware::neuralnetworks::V1_0::implementation {

NAME("android/hardware/neuralnetworks/1.0/{types,IDevice,IPreparedModel,IPreparedModelCallback,"
     "IExecutionCallback}.h",
     "all types and interfaces of HAL 1.0", "", {
         struct PreparedModel : public IPreparedModel {
             Return<ErrorStatus> execute(const Request& request,
                                         const sp<IExecutionCallback>& callback) override {
                 if (request.inputs.size() == 0) return ErrorStatus::INVALID_ARGUMENT;
                 callback->notify(ErrorStatus::NONE).isOk();
                 return ErrorStatus::NONE;
             }
         };
         struct Device : public IDevice {
             Return<void> getCapabilities(getCapabilities_cb cb) override {
                 const PerformanceInfo info = {.execTime = 0.5f, .powerUsage = 0.5f};
                 cb(ErrorStatus::NONE, {.float32Performance = info, .quantized8Performance = info});
                 return Void();
             }
             Return<void> getSupportedOperations(const Model& model,
                                                 getSupportedOperations_cb cb) override {
                 hidl_vec<bool> supported(model.operations.size());
                 for (size_t i = 0; i < supported.size(); ++i) {
                     supported[i] = model.operations[i].type == OperationType::ADD;
                 }
                 cb(ErrorStatus::NONE, supported);
                 return Void();
             }
             Return<ErrorStatus> prepareModel(const Model&,
                                              const sp<IPreparedModelCallback>& callback) override {
                 callback->notify(ErrorStatus::NONE, new PreparedModel()).isOk();
                 return ErrorStatus::NONE;
             }
             Return<DeviceStatus> getStatus() override { return DeviceStatus::AVAILABLE; }
         };
         const sp<IDevice> device = new Device();
         const Operand operand = {.type = OperandType::TENSOR_FLOAT32,
                                  .lifetime = OperandLifeTime::MODEL_INPUT,
                                  .location = DataLocation()};
         LOG(INFO) << toString(operand.type) << toString(FusedActivationFunc::RELU)
                   << (device == nullptr);
         const RequestArgument argument = {.hasNoValue = true};
         const Operation operation = {.type = OperationType::ADD, .inputs = {0, 1, 2}};
         if (argument.hasNoValue) LOG(INFO) << operation.inputs.size();
     })

}  // namespace android::hardware::neuralnetworks::V1_0::implementation

namespace android::hardware::neuralnetworks::V1_1::implementation {

NAME("android/hardware/neuralnetworks/1.1/{types,IDevice}.h", "what HAL 1.1 adds", "", {
    const sp<V1_1::IDevice> device = IDevice::castFrom(sp<V1_0::IDevice>()).withDefault(nullptr);
    const Model model = {.operands = hidl_vec<V1_0::Operand>(1),
                         .relaxComputationFloat32toFloat16 = true};
    const Operation operation = {.type = OperationType::SQUEEZE};
    const Capabilities capabilities;
    if (device != nullptr && operation.inputs == model.inputIndexes) {
        LOG(INFO) << toString(ExecutionPreference::LOW_POWER)
                  << capabilities.float32Performance.execTime;
    }
})

}  // namespace android::hardware::neuralnetworks::V1_1::implementation

namespace android::hardware::neuralnetworks::V1_2::implementation {

NAME("android/hardware/neuralnetworks/1.2/{types,IDevice,IPreparedModel,IPreparedModelCallback,"
     "IExecutionCallback,IBurstContext,IBurstCallback}.h",
     "what HAL 1.2 adds", "", {
         Operand operand = {.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL};
         SymmPerChannelQuantParams params;
         params.scales = {0.5f};
         operand.extraParams.channelQuant(params);
         if (operand.extraParams.getDiscriminator() ==
             Operand::ExtraParams::hidl_discriminator::channelQuant) {
             params = operand.extraParams.channelQuant();
         }
         hidl_array<uint8_t, static_cast<uint32_t>(Constant::BYTE_SIZE_OF_CACHE_TOKEN)> token;
         FmqRequestDatum datum;
         datum.packetInformation({.packetSize = 1});
         FmqResultDatum result;
         result.executionTiming(Timing{.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX});
         const Extension extension = {
                 .name = "com.example",
                 .operandTypes = {{.type = 1, .isTensor = true, .byteSize = 4}}};
         const Model::ExtensionNameAndPrefix prefix = {.name = extension.name, .prefix = 1};
         const Capabilities::OperandPerformance performance = {.type = OperandType::FLOAT16};
         const auto highest = static_cast<uint32_t>(OperandTypeRange::FUNDAMENTAL_MAX) +
                              static_cast<uint32_t>(OperationTypeRange::BASE_MAX);
         if (token[0] == prefix.prefix + highest) {
             LOG(INFO) << toString(DeviceType::ACCELERATOR) << toString(MeasureTiming::YES)
                       << toString(performance.type);
         }
         const OutputShape shape = {.dimensions = {1}, .isSufficient = true};
         const sp<IPreparedModel> model;
         const sp<IBurstContext> context;
         const sp<IBurstCallback> burst;
         const sp<IExecutionCallback> callback;
         if (callback != nullptr && model != nullptr && burst != nullptr && context != nullptr) {
             callback->notify_1_2(V1_0::ErrorStatus::NONE, {shape}, Timing()).isOk();
         }
     })

}  // namespace android::hardware::neuralnetworks::V1_2::implementation

namespace android::hardware::neuralnetworks::V1_3::implementation {

NAME("android/hardware/neuralnetworks/1.3/{types,IDevice,IPreparedModel,IPreparedModelCallback,"
     "IExecutionCallback,IBuffer,IFencedExecutionCallback}.h",
     "what HAL 1.3 adds", "", {
         struct Buffer : public IBuffer {
             Return<ErrorStatus> copyTo(const hidl_memory& dst) override {
                 return dst.valid() ? ErrorStatus::NONE : ErrorStatus::INVALID_ARGUMENT;
             }
             Return<ErrorStatus> copyFrom(const hidl_memory&, const hidl_vec<uint32_t>&) override {
                 return ErrorStatus::GENERAL_FAILURE;
             }
         };
         const sp<IBuffer> buffer = new Buffer();
         OptionalTimePoint deadline;
         deadline.nanosecondsSinceEpoch(1);
         OptionalTimeoutDuration duration;
         if (duration.getDiscriminator() != OptionalTimeoutDuration::hidl_discriminator::none) {
             return;
         }
         Request::MemoryPool pool;
         pool.token(1);
         const BufferRole role = {.modelIndex = 0, .ioIndex = 0, .frequency = 1.0f};
         Model model;
         model.main = Subgraph();
         model.main.operands.resize(1);
         model.main.operands[0].lifetime = OperandLifeTime::SUBGRAPH_INPUT;
         LOG(INFO) << toString(Priority::MEDIUM)
                   << toString(ErrorStatus::MISSED_DEADLINE_PERSISTENT) << role.frequency
                   << static_cast<uint64_t>(LoopTimeoutDurationNs::DEFAULT);
         const sp<IFencedExecutionCallback> fenced;
         const sp<IPreparedModelCallback> callback;
         if (callback != nullptr && fenced != nullptr) {
             callback->notify_1_3(ErrorStatus::NONE, sp<IPreparedModel>()).isOk();
         }
     })

}  // namespace android::hardware::neuralnetworks::V1_3::implementation

// ---- AIDL

namespace aidl::android::hardware::neuralnetworks {

NAME("aidl/android/hardware/neuralnetworks/*.h",
     "all types and interfaces of AIDL 1 to 4, and the classes BnX",
     "no BpX, no fromBinder, no IXDefault", {
         struct Buffer : public BnBuffer {
             ::ndk::ScopedAStatus copyFrom(const Memory&, const std::vector<int32_t>&) override {
                 return ::ndk::ScopedAStatus::ok();
             }
             ::ndk::ScopedAStatus copyTo(const Memory& memory) override {
                 if (memory.getTag() == Memory::Tag::ashmem &&
                     memory.get<Memory::Tag::ashmem>().size == 0) {
                     return ::ndk::ScopedAStatus::fromServiceSpecificErrorWithMessage(
                             static_cast<int32_t>(ErrorStatus::INVALID_ARGUMENT), "no memory");
                 }
                 return ::ndk::ScopedAStatus::ok();
             }
         };
         const std::shared_ptr<IBuffer> buffer = ::ndk::SharedRefBase::make<Buffer>();
         const DeviceBuffer answer = {.buffer = buffer, .token = 1};
         const Model model = {
                 .main = {.operands = {{.type = OperandType::TENSOR_FLOAT32,
                                        .dimensions = {1},
                                        .lifetime = OperandLifeTime::SUBGRAPH_INPUT}}}};
         LOG(INFO) << toString(model.main.operands[0].type) << answer.token
                   << toString(Priority::HIGH) << IDevice::BYTE_SIZE_OF_CACHE_TOKEN;
     })
NAME("aidl/android/hardware/common/{Ashmem,MappableFile,NativeHandle}.h, "
     "aidl/android/hardware/graphics/common/{HardwareBuffer,HardwareBufferDescription,PixelFormat,"
     "BufferUsage}.h",
     "these types", "of pixel formats, UNSPECIFIED and BLOB alone", {
         const ::aidl::android::hardware::common::Ashmem ashmem = {.fd = {}, .size = 1};
         const ::aidl::android::hardware::common::MappableFile file;
         ::aidl::android::hardware::graphics::common::HardwareBuffer buffer;
         buffer.description.format = ::aidl::android::hardware::graphics::common::PixelFormat::BLOB;
         if (ashmem.size + file.length == buffer.description.width) return;
     })
NAME("android/binder_auto_utils.h, binder_interface_utils.h, binder_status.h",
     "ScopedAStatus, ScopedFileDescriptor, SpAIBinder, ScopedAIBinder_DeathRecipient, "
     "SharedRefBase, ICInterface, BnCInterface, BpCInterface, STATUS_…, EX_…",
     "see the stand-ins above; no parcels", {
         ::ndk::ScopedFileDescriptor fd(dup(0));
         const ::ndk::ScopedFileDescriptor copy = fd.dup();
         const auto status = ::ndk::ScopedAStatus::fromExceptionCode(EX_ILLEGAL_ARGUMENT);
         if (!status.isOk() && status.getStatus() == STATUS_OK && copy.get() >= 0) {
             LOG(ERROR) << status << status.getDescription() << status.getMessage();
         }
     })

}  // namespace aidl::android::hardware::neuralnetworks
