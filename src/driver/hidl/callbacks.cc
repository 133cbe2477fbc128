#include "nnapi/driver/callbacks.h"

#include "base/no_throw.h"
#include "driver/hidl/transport.h"
#include "driver/wrap/execution_report.h"

namespace nn {
namespace {

using driver::hidl_calls::codeOf;
using Prepared = GeneralResult<hidl::sp<V1_0::IPreparedModel>>;
using Reported = GeneralResult<hal::utils::ExecutionReport>;

Prepared preparation(std::string_view call, ErrorStatus code,
                     hidl::sp<V1_0::IPreparedModel> preparedModel) NNAPI_TRY {
    return driver::preparation(call, code, preparedModel);
}
NNAPI_CATCH

Reported report(ErrorStatus code) {
    hal::utils::ExecutionReport report;
    report.code = code;
    return report;
}

Reported report(ErrorStatus code, const hidl::hidl_vec<V1_2::OutputShape>& shapes,
                const V1_2::Timing& timing) NNAPI_TRY {
    return driver::makeReport(code, shapes, timing, driver::hidl_calls::kNoTiming);
}
NNAPI_CATCH

}  // namespace

namespace V1_0 NNAPI_BINDING::utils {

Return<void> PreparedModelCallback::notify(V1_0::ErrorStatus status,
                                           const sp<V1_0::IPreparedModel>& preparedModel) {
    mOwed.put(preparation("notify", codeOf(status), preparedModel));
    return hidl::Void();
}

Return<void> ExecutionCallback::notify(V1_0::ErrorStatus status) {
    mOwed.put(report(codeOf(status)));
    return hidl::Void();
}

}  // namespace NNAPI_BINDING::utils

namespace V1_2 NNAPI_BINDING::utils {

Return<void> PreparedModelCallback::notify(V1_0::ErrorStatus status,
                                           const sp<V1_0::IPreparedModel>& preparedModel) {
    mOwed.put(preparation("notify", codeOf(status), preparedModel));
    return hidl::Void();
}

Return<void> PreparedModelCallback::notify_1_2(V1_0::ErrorStatus status,
                                               const sp<V1_2::IPreparedModel>& preparedModel) {
    mOwed.put(preparation("notify_1_2", codeOf(status), preparedModel));
    return hidl::Void();
}

Return<void> ExecutionCallback::notify(V1_0::ErrorStatus status) {
    mOwed.put(report(codeOf(status)));
    return hidl::Void();
}

Return<void> ExecutionCallback::notify_1_2(V1_0::ErrorStatus status,
                                           const hidl_vec<V1_2::OutputShape>& shapes,
                                           const V1_2::Timing& timing) {
    mOwed.put(report(codeOf(status), shapes, timing));
    return hidl::Void();
}

}  // namespace NNAPI_BINDING::utils

namespace V1_3 NNAPI_BINDING::utils {

Return<void> PreparedModelCallback::notify(V1_0::ErrorStatus status,
                                           const sp<V1_0::IPreparedModel>& preparedModel) {
    mOwed.put(preparation("notify", codeOf(status), preparedModel));
    return hidl::Void();
}

Return<void> PreparedModelCallback::notify_1_2(V1_0::ErrorStatus status,
                                               const sp<V1_2::IPreparedModel>& preparedModel) {
    mOwed.put(preparation("notify_1_2", codeOf(status), preparedModel));
    return hidl::Void();
}

Return<void> PreparedModelCallback::notify_1_3(V1_3::ErrorStatus status,
                                               const sp<V1_3::IPreparedModel>& preparedModel) {
    mOwed.put(preparation("notify_1_3", codeOf(status), preparedModel));
    return hidl::Void();
}

Return<void> ExecutionCallback::notify(V1_0::ErrorStatus status) {
    mOwed.put(report(codeOf(status)));
    return hidl::Void();
}

Return<void> ExecutionCallback::notify_1_2(V1_0::ErrorStatus status,
                                           const hidl_vec<V1_2::OutputShape>& shapes,
                                           const V1_2::Timing& timing) {
    mOwed.put(report(codeOf(status), shapes, timing));
    return hidl::Void();
}

Return<void> ExecutionCallback::notify_1_3(V1_3::ErrorStatus status,
                                           const hidl_vec<V1_2::OutputShape>& shapes,
                                           const V1_2::Timing& timing) {
    mOwed.put(report(codeOf(status), shapes, timing));
    return hidl::Void();
}

}  // namespace NNAPI_BINDING::utils
}  // namespace nn
