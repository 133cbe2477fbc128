#include "driver/common/answers.h"

namespace nn::driver {

Status refusal(ErrorStatus code, std::string_view call) {
    return error(code) << call << ": the driver answers " << code;
}

Status wrongAnswer(std::string_view call, const Status& status) {
    const std::string_view message(status.message().data(), status.message().size());
    return error() << call << ": " << message;
}

}  // namespace nn::driver
