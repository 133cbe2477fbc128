#include "driver/hidl/transport.h"

#include "nnapi/convert.h"

namespace nn {
namespace hal::utils {
namespace {

std::string prefixed(std::string_view call, std::string text) {
    return call.empty() ? std::move(text) : std::string(call) + ": " + std::move(text);
}

}  // namespace

Status failedCall(bool isDead, std::string description, std::string_view call) {
    return makeError(isDead ? ErrorStatus::DEAD_OBJECT : ErrorStatus::GENERAL_FAILURE,
                     prefixed(call, std::move(description)));
}

Status failureOf(const hidl::Status& transport, std::string_view call) {
    if (transport.isOk()) return {};
    return failedCall(transport.transactionError() == hidl::DEAD_OBJECT, transport.description(),
                      call);
}

}  // namespace hal::utils

namespace driver::hidl_calls {
namespace {

template <class HalErrorStatus>
ErrorStatus knownCodeOf(HalErrorStatus status) {
    const auto code = unvalidatedConvert(status);
    return code.ok() ? *code : ErrorStatus::GENERAL_FAILURE;
}

}  // namespace

ErrorStatus codeOf(V1_0::ErrorStatus status) { return knownCodeOf(status); }
ErrorStatus codeOf(V1_3::ErrorStatus status) { return knownCodeOf(status); }

V1_0::ErrorStatus halCodeOf(ErrorStatus code) {
    return V1_2::utils::unvalidatedConvert(code).value_or(V1_0::ErrorStatus::GENERAL_FAILURE);
}

Status noResult(std::string_view call) {
    return error() << call << ": the driver returns without results";
}

}  // namespace driver::hidl_calls
}  // namespace nn
