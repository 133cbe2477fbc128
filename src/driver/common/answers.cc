#include "driver/common/answers.h"

namespace nn::driver {

Status refusal(ErrorStatus code, std::string_view call) {
    return error(code) << call << ": the driver answers " << code;
}

Status wrongAnswer(std::string_view call, const Status& status) {
    const std::string_view message(status.message().data(), status.message().size());
    return error() << call << ": " << message;
}

GeneralResult<SharedBuffer> checkedBuffer(GeneralResult<SharedBuffer> buffer) {
    if (!buffer.has_value()) return buffer;
    if (*buffer == nullptr) return error() << "the device gave no buffer";
    if ((*buffer)->getToken() == Request::MemoryDomainToken{}) {
        return error() << "the device gave a buffer with token 0";
    }
    return buffer;
}

}  // namespace nn::driver
