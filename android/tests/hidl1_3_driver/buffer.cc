#define LOG_TAG "sample-npu@1.3-buffer"

#include "buffer.h"

#include <android-base/logging.h>

#include <cstring>
#include <optional>

#include "CpuExecutor.h"
#include "Utils.h"

namespace sample::npu {

using namespace android::nn;
using namespace android::nn::hal;

namespace {

void copy(const RunTimePoolInfo& from, const RunTimePoolInfo& to) {
    CHECK(from.getBuffer() != nullptr && to.getBuffer() != nullptr);
    CHECK_EQ(from.getSize(), to.getSize());
    std::memcpy(to.getBuffer(), from.getBuffer(), from.getSize());
    to.flush();
}

}  // namespace

android::hardware::Return<ErrorStatus> Buffer::copyTo(const hidl_memory& dst) {
    const std::optional<RunTimePoolInfo> to = RunTimePoolInfo::createFromHidlMemory(dst);
    if (!to.has_value()) return ErrorStatus::GENERAL_FAILURE;
    const ErrorStatus status = mMemory->validateCopyTo(to->getSize());
    if (status == ErrorStatus::NONE) copy(mMemory->createRunTimePoolInfo(), *to);
    VLOG(MEMORY) << "copyTo of buffer " << mToken->get() << ": " << toString(status);
    return status;
}

android::hardware::Return<ErrorStatus> Buffer::copyFrom(const hidl_memory& src,
                                                        const hidl_vec<uint32_t>& dimensions) {
    const std::optional<RunTimePoolInfo> from = RunTimePoolInfo::createFromHidlMemory(src);
    const ErrorStatus status = from.has_value()
                                       ? mMemory->validateCopyFrom(dimensions, from->getSize())
                                       : ErrorStatus::GENERAL_FAILURE;
    if (status == ErrorStatus::NONE) {
        copy(*from, mMemory->createRunTimePoolInfo());
        mMemory->updateDimensions(dimensions);
    }
    mMemory->setInitialized(status == ErrorStatus::NONE);
    VLOG(MEMORY) << "copyFrom to buffer " << mToken->get() << ": " << toString(status);
    return status;
}

}  // namespace sample::npu
