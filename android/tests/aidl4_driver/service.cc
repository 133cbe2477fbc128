#define LOG_TAG "lanes-service-4"

#include <LegacyUtils.h>
#include <android-base/logging.h>
#include <android-base/properties.h>
#include <android/binder_interface_utils.h>

#include "Driver.h"

int main(int /*argc*/, char** argv) {
    ::android::base::InitLogging(argv, ::android::base::StderrLogger);
    ::android::base::SetMinimumLogSeverity(
            ::android::base::GetBoolProperty("debug.nn.lanes.verbose", false)
                    ? ::android::base::VERBOSE
                    : ::android::base::WARNING);
    ::android::nn::initVLogMask();
    return ndk::SharedRefBase::make<vendor::lanes::Device>("vendor-aidl4")->run();
}
