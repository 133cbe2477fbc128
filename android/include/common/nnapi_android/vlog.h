// nnapi_android/vlog.h -- VLOG, the verbose messages of NNAPI's own libraries and drivers.
//
//   android::nn::initVLogMask();            // reads the property debug.nn.vlog
//   VLOG(DRIVER) << "prepareModel";
//
// Android has them in Utils.h, of any age, and in LegacyUtils.h, which include this header. The
// property names tags, separated by blanks, commas or colons; "1" and "all" are all of them.
#pragma once

#include "android-base/logging.h"

namespace android::nn {

enum VLogFlags { MODEL = 0, COMPILATION, EXECUTION, CPUEXE, MANAGER, DRIVER, MEMORY };

extern int vLogMask;  // bits 1 << VLogFlags
void initVLogMask();

}  // namespace android::nn

#define VLOG_IS_ON(TAG) ((::android::nn::vLogMask & (1 << (TAG))) != 0)
#define VLOG(TAG)                                          \
    !(VLOG_IS_ON(TAG) && WOULD_LOG(::android::base::INFO)) \
            ? (void)0                                      \
            : ::android::base::logging_internal::Void() & LOG_STREAM(::android::base::INFO)
