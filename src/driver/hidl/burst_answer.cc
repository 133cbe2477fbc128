#include "driver/hidl/burst_answer.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include "nnapi/convert.h"

namespace nn::driver {
namespace {

Status refuse(std::string message) {
    return makeError(ErrorStatus::GENERAL_FAILURE, std::move(message));
}

// The shape says no less than the request, and nothing else.
bool isAsRequested(const OutputShape& shape, const Request::Argument& output) {
    if (output.dimensions.empty()) return true;
    return absl::c_equal(output.dimensions, shape.dimensions, [](uint32_t wanted, uint32_t found) {
        return wanted == 0 || wanted == found;
    });
}

}  // namespace

Status checkShapes(ErrorStatus code, std::span<const OutputShape> shapes,
                   std::span<const Request::Argument> outputs) {
    const bool isTooSmall = code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
    if (code != ErrorStatus::NONE && !isTooSmall) {
        if (shapes.empty()) return {};
        return refuse(fmt::format("the driver answers {} and {} output shapes, allowed none",
                                  toString(code), shapes.size()));
    }
    if (shapes.empty() && !isTooSmall) return {};
    if (shapes.size() != outputs.size()) {
        return refuse(
                fmt::format("the driver answers {} and {} output shapes, allowed {}, one for "
                            "each output",
                            toString(code), shapes.size(), outputs.size()));
    }
    for (size_t i = 0; i < shapes.size(); ++i) {
        if (!isTooSmall && !shapes[i].isSufficient) {
            return refuse(
                    fmt::format("outputs[{}]: the driver answers NONE, and that the output "
                                "is not sufficient",
                                i));
        }
        if (!isAsRequested(shapes[i], outputs[i])) {
            return refuse(
                    fmt::format("outputs[{}]: the driver answers dimensions [{}], allowed "
                                "[{}] as in the request, where 0 is any",
                                i, fmt::join(shapes[i].dimensions, ", "),
                                fmt::join(outputs[i].dimensions, ", ")));
        }
    }
    if (isTooSmall &&
        absl::c_all_of(shapes, [](const auto& shape) { return shape.isSufficient; })) {
        return refuse(
                "the driver answers OUTPUT_INSUFFICIENT_SIZE, and that all outputs are "
                "sufficient");
    }
    return {};
}

V1_0::ErrorStatus toHal(ErrorStatus code) {
    return V1_2::utils::unvalidatedConvert(code).value_or(V1_0::ErrorStatus::GENERAL_FAILURE);
}

ErrorStatus fromHal(V1_0::ErrorStatus code) {
    if (code < V1_0::ErrorStatus::NONE || code > V1_0::ErrorStatus::INVALID_ARGUMENT) {
        return ErrorStatus::GENERAL_FAILURE;
    }
    return static_cast<ErrorStatus>(code);
}

}  // namespace nn::driver
