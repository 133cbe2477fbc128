// Notifications through the method of the callback's own version.
#ifndef SAMPLE_NPU_HAL_1_3_CALLBACKS_H
#define SAMPLE_NPU_HAL_1_3_CALLBACKS_H

#include <android-base/logging.h>

#include "HalInterfaces.h"
#include "Utils.h"
#include "prepared_model.h"

namespace sample::npu {

template <class T>
void logIfDead(const Return<T>& returned) {
    if (!returned.isOk()) LOG(ERROR) << "a client's callback fails: " << returned.description();
}

inline void notify(const android::sp<hal::V1_0::IPreparedModelCallback>& callback,
                   hal::ErrorStatus status, const android::sp<PreparedModel>& preparedModel) {
    logIfDead(callback->notify(android::nn::convertToV1_0(status), preparedModel));
}
inline void notify(const android::sp<hal::V1_2::IPreparedModelCallback>& callback,
                   hal::ErrorStatus status, const android::sp<PreparedModel>& preparedModel) {
    logIfDead(callback->notify_1_2(android::nn::convertToV1_0(status), preparedModel));
}
inline void notify(const android::sp<hal::V1_3::IPreparedModelCallback>& callback,
                   hal::ErrorStatus status, const android::sp<PreparedModel>& preparedModel) {
    logIfDead(callback->notify_1_3(status, preparedModel));
}

inline void notify(const android::sp<hal::V1_0::IExecutionCallback>& callback,
                   const Executed& executed) {
    logIfDead(callback->notify(android::nn::convertToV1_0(executed.status)));
}
inline void notify(const android::sp<hal::V1_2::IExecutionCallback>& callback,
                   const Executed& executed) {
    logIfDead(callback->notify_1_2(android::nn::convertToV1_0(executed.status), executed.shapes,
                                   executed.timing));
}
inline void notify(const android::sp<hal::V1_3::IExecutionCallback>& callback,
                   const Executed& executed) {
    logIfDead(callback->notify_1_3(executed.status, executed.shapes, executed.timing));
}

}  // namespace sample::npu

#endif  // SAMPLE_NPU_HAL_1_3_CALLBACKS_H
