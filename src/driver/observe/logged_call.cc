#include "driver/observe/logged_call.h"

#include <fmt/format.h>

namespace nn::driver {

void logEnd(const Log& log, VlogTag tag, std::string_view who, std::string_view call,
            const Status& status, Duration time) {
    const std::string in =
            fmt::format("in {:.3f} ms", std::chrono::duration<double, std::milli>(time).count());
    log_internal::Message message(&log, tag, "device", 0);
    message << who << (who.empty() ? "" : " ") << call << ": ";
    if (status.ok()) {
        message << "done " << in;
    } else {
        message << errorStatus(status) << " " << in << ": " << status.message();
    }
}

}  // namespace nn::driver
