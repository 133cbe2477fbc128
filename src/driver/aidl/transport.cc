#include "driver/aidl/transport.h"

#include "base/no_throw.h"
#include "nnapi/convert.h"

namespace nn {

ErrorStatus driver::aidl::codeOf(aidl_hal::ErrorStatus status) {
    const auto code = unvalidatedConvert(status);
    return code.ok() ? *code : ErrorStatus::GENERAL_FAILURE;
}

namespace hal::utils {
namespace {

// The code of a failure; empty for an exception with the number of NONE.
ErrorStatus codeOf(const ndk::ScopedAStatus& returned) {
    if (returned.getExceptionCode() == EX_SERVICE_SPECIFIC) {
        const auto number = returned.getServiceSpecificError();
        const ErrorStatus code = driver::aidl::codeOf(static_cast<aidl_hal::ErrorStatus>(number));
        return code == ErrorStatus::NONE ? ErrorStatus::GENERAL_FAILURE : code;
    }
    return returned.getStatus() == STATUS_DEAD_OBJECT ? ErrorStatus::DEAD_OBJECT
                                                      : ErrorStatus::GENERAL_FAILURE;
}

using Prepared = GeneralResult<std::shared_ptr<aidl_hal::IPreparedModel>>;

Prepared prepared(ErrorStatus code,
                  const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel) NNAPI_TRY {
    return driver::preparation("notify", code, preparedModel);
}
NNAPI_CATCH

}  // namespace

Status failureOf(const ndk::ScopedAStatus& returned, std::string_view call) {
    if (returned.isOk()) return {};
    const ErrorStatus code = codeOf(returned);
    std::string text(call);
    if (!text.empty()) text += ": ";
    if (returned.getExceptionCode() != EX_SERVICE_SPECIFIC) {
        return makeError(code, text + returned.getDescription());
    }
    text += "the driver reports " + toString(code);
    const std::string_view why = returned.getMessage();
    if (!why.empty()) text.append(": ").append(why);
    return makeError(code, std::move(text));
}

ndk::ScopedAStatus AidlPreparedModelCallback::notify(
        aidl_hal::ErrorStatus status,
        const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel) {
    mOwed.put(prepared(driver::aidl::codeOf(status), preparedModel));
    return ndk::ScopedAStatus::ok();
}

}  // namespace hal::utils
}  // namespace nn
