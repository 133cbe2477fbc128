#include "driver/adapt/device_names.h"

#include "base/printable.h"
#include "nnapi/driver/result.h"

namespace nn::driver {

Status checkName(std::string_view name) {
    constexpr size_t kLongest = 128;
    const auto refusal = [&] {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "the name of a device is " << printable(name.substr(0, 2 * kLongest))
               << ", allowed ";
    };
    if (name.empty() || name.size() > kLongest) {
        return refusal() << "1 to " << kLongest << " characters";
    }
    for (const char c : name) {
        if (c <= ' ' || c > '~' || c == '/' || c == '@') {
            return refusal() << "visible characters of ASCII without '/' and '@'";
        }
    }
    return {};
}

}  // namespace nn::driver
