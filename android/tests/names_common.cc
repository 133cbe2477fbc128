// Names that trees of Android of every age have: logging, properties, utilities.
#define LOG_TAG "names"

#include <android-base/chrono_utils.h>
#include <android-base/errors.h>
#include <android-base/expected.h>
#include <android-base/logging.h>
#include <android-base/macros.h>
#include <android-base/memory.h>
#include <android-base/no_destructor.h>
#include <android-base/parsebool.h>
#include <android-base/parsedouble.h>
#include <android-base/parseint.h>
#include <android-base/result.h>
#include <android-base/thread_annotations.h>
#include <android-base/threads.h>
#include <android-base/unique_fd.h>
#include <android/hardware_buffer.h>
#include <android/log.h>
#include <android/trace.h>
#include <cutils/compiler.h>
#include <cutils/log.h>
#include <cutils/native_handle.h>
#include <cutils/properties.h>
#include <cutils/trace.h>
#include <log/log.h>
#include <log/log_main.h>
#include <nnapi_android/vlog.h>
#include <sys/system_properties.h>
#include <ui/GraphicBuffer.h>
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

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "android/tests/names.h"

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
NAME("android/log.h",
     "__android_log_print, __android_log_write, __android_log_vprint, __android_log_buf_print, "
     "__android_log_buf_write, __android_log_assert",
     "", {
         __android_log_print(ANDROID_LOG_ERROR, LOG_TAG, "%d operations", 3);
         __android_log_write(ANDROID_LOG_INFO, LOG_TAG, "text");
         __android_log_buf_print(LOG_ID_MAIN, ANDROID_LOG_WARN, LOG_TAG, "%d", 3);
         __android_log_buf_write(LOG_ID_SYSTEM, ANDROID_LOG_WARN, LOG_TAG, "text");
         __android_log_assert("condition", LOG_TAG, "%d", 3);
     })
NAME("android/log.h",
     "__android_log_is_loggable, __android_log_set_logger, __android_log_set_aborter, "
     "__android_log_set_minimum_priority, __android_log_set_default_tag, __android_log_message",
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
     "CHECK, CHECK_EQ, CHECK_NE, CHECK_LT, CHECK_LE, CHECK_GT, CHECK_GE, CHECK_STREQ, CHECK_STRNE, "
     "PCHECK, DCHECK and its like",
     "", {
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
     "written unless the environment has ANDROID_LOG_TAGS (`*:i`)",
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

TESTED("android-base/properties.h",
       "GetProperty, GetBoolProperty, GetIntProperty, GetUintProperty, SetProperty, "
       "WaitForProperty",
       "a property that this process has not set is the environment variable of its name");
NAME("cutils/properties.h",
     "property_get, property_get_bool, property_get_int32, property_get_int64, property_set, "
     "property_list, PROPERTY_VALUE_MAX",
     "as above", {
         char text[PROPERTY_VALUE_MAX];
         property_get("vendor.npu.path", text, "/dev/npu0");
         property_get("vendor.npu.path", text, nullptr);
         if (property_get_bool("vendor.npu.verbose", false)) return;
         property_get_int32("vendor.npu.threads", 4);
         property_set("vendor.npu.path", text);
     })
NAME("sys/system_properties.h",
     "__system_property_get, __system_property_set, __system_property_find, "
     "__system_property_read, __system_property_read_callback, prop_info",
     "as above", {
         char text[PROP_VALUE_MAX];
         __system_property_get("ro.product.model", text);
         const prop_info* info = __system_property_find("vendor.npu.path");
         if (info == nullptr) return;
         __system_property_read_callback(
                 info, [](void*, const char*, const char*, uint32_t) {}, text);
     })

// ---- libbase

TESTED("android-base/scopeguard.h", "make_scope_guard, ScopeGuard", "");
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
TESTED("android-base/file.h",
       "ReadFileToString, ReadFdToString, WriteStringToFile, WriteStringToFd, ReadFully, "
       "WriteFully, "
       "TemporaryFile, TemporaryDir, Basename, Dirname, Readlink, Realpath, GetExecutablePath, "
       "RemoveFileIfExists",
       "");
TESTED("android-base/mapped_file.h", "MappedFile::FromFd", "");
TESTED("android-base/strings.h",
       "Split, Tokenize, Trim, Join, StartsWith, EndsWith, EqualsIgnoreCase, ConsumePrefix, "
       "StringReplace",
       "");
TESTED("android-base/stringprintf.h", "StringPrintf, StringAppendF, StringAppendV", "");
NAME("android-base/parseint.h, parsebool.h, parsedouble.h",
     "ParseInt, ParseUint, ParseByteCount, ParseBool, ParseDouble, ParseFloat", "", {
         int number = 0;
         if (android::base::ParseInt("-1", &number, -5, 5)) return;
         uint32_t count = 0;
         android::base::ParseUint(std::string("1"), &count);
         double value = 0;
         if (!android::base::ParseDouble("1.5", &value)) return;
         if (android::base::ParseBool("on") == android::base::ParseBoolResult::kTrue) return;
     })
NAME("android-base/expected.h", "expected, unexpected", "reading a missing value ends the program",
     {
         using Parsed = android::base::expected<int, std::string>;
         const auto parse = [](int value) -> Parsed {
             if (value < 0) return android::base::unexpected("negative");
             return value;
         };
         const Parsed parsed = parse(1);
         if (!parsed.has_value() || *parsed != parsed.value() || parsed.error().empty()) return;
         android::base::expected<void, int> done;
         if (!done) done = android::base::unexpected(1);
     })
NAME("android-base/result.h", "Result, Error, ErrnoError, ResultError",
     "no Errorf; errors are only numbers of the system", {
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
     "no effect with libstdc++, whose mutexes are not annotated", {
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

NAME("utils/RefBase.h, utils/StrongPointer.h", "RefBase, LightRefBase, sp, wp",
     "no weakref_type, no extendObjectLifetime", {
         struct Object : public virtual android::RefBase {
             int value = 1;
         };
         android::sp<Object> object = new Object();
         android::wp<Object> weak = object;
         android::sp<android::RefBase> base = object;
         if (weak.promote() != nullptr && object->value == 1 && base == object) object.clear();
         object = android::sp<Object>::make();
         struct Light : public android::LightRefBase<Light> {};
         const android::sp<Light> light = new Light();
         if (light == NULL || weak.unsafe_get() == nullptr) return;
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
NAME("utils/String8.h", "String8", "no String16, and only the methods that drivers use", {
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
NAME("android/trace.h",
     "ATrace_beginSection, ATrace_endSection, ATrace_isEnabled, ATrace_setCounter",
     "do nothing: there is no atrace", {
         if (ATrace_isEnabled()) return;
         ATrace_beginSection("text");
         ATrace_setCounter("count", 1);
         ATrace_endSection();
     })
NAME("cutils/compiler.h", "CC_LIKELY, CC_UNLIKELY", "", {
    if (CC_UNLIKELY(1 > 2)) return;
})
NAME("cutils/native_handle.h",
     "native_handle_t, native_handle_create, native_handle_clone, native_handle_close, "
     "native_handle_delete, buffer_handle_t",
     "`data` is an object that converts to an array", {
         native_handle_t* handle = native_handle_create(1, 1);
         handle->data[0] = dup(0);
         handle->data[handle->numFds] = 7;
         const native_handle* copy = native_handle_clone(handle);
         native_handle_close(copy);
         native_handle_delete(handle);
     })
TESTED("utils/NativeHandle.h", "NativeHandle::create, handle", "");
TESTED("cutils/ashmem.h",
       "ashmem_create_region, ashmem_set_prot_region, ashmem_get_size_region, ashmem_valid, "
       "ashmem_pin_region, ashmem_unpin_region",
       "a memfd that cannot be resized; pins have no effect");
TESTED("android/sharedmem.h", "ASharedMemory_create, ASharedMemory_getSize, ASharedMemory_setProt",
       "");
TESTED("sync/sync.h, android/sync.h", "sync_wait, sync_merge",
       "any descriptor that becomes readable once is a fence; no sync_file_info");
TESTED("android/hardware_buffer.h",
       "AHardwareBuffer_allocate, AHardwareBuffer_lock, AHardwareBuffer_unlock, "
       "AHardwareBuffer_describe, AHardwareBuffer_acquire, AHardwareBuffer_release, "
       "AHardwareBuffer_isSupported, AHardwareBuffer_getId",
       "of format BLOB, over shared memory; images are refused");
TESTED("vndk/hardware_buffer.h",
       "AHardwareBuffer_getNativeHandle, AHardwareBuffer_createFromHandle",
       "of format BLOB, whose memory cannot be shortened");
NAME("ui/GraphicBuffer.h", "GraphicBuffer of a handle: lock, unlock, initCheck, handle",
     "as AHardwareBuffer; WRAP_HANDLE clones the handle", {
         AHardwareBuffer* buffer = nullptr;
         const native_handle_t* handle = AHardwareBuffer_getNativeHandle(buffer);
         const android::sp<android::GraphicBuffer> graphic = new android::GraphicBuffer(
                 handle, android::GraphicBuffer::HandleWrapMethod::CLONE_HANDLE, 4096, 1,
                 AHARDWAREBUFFER_FORMAT_BLOB, 1, AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN, 4096);
         void* bytes = nullptr;
         int32_t perPixel = 0;
         int32_t perStride = 0;
         if (graphic->lock(AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN, &bytes, &perPixel, &perStride) ==
             android::NO_ERROR) {
             graphic->unlock();
         }
     })

}  // namespace
