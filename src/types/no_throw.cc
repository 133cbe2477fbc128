#include "types/no_throw.h"

#include <new>
#include <stdexcept>
#include <string>

#ifdef __cpp_exceptions
namespace nn {
namespace {

// A status without a message holds no memory; errorStatus() tells its code from abseil's.
Status statusOf(ErrorStatus code, absl::StatusCode bare, std::string_view message,
                const char* why = nullptr) noexcept try {
    return makeError(code, why == nullptr ? std::string(message) : std::string(message) + why);
} catch (...) {
    return Status(bare, "");
}

Status outOfMemory() noexcept {
    return statusOf(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT, absl::StatusCode::kResourceExhausted,
                    "out of memory");
}

}  // namespace

Status statusOfException() noexcept {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return outOfMemory();
    } catch (const std::length_error&) {  // more than a container can ever hold
        return outOfMemory();
    } catch (const std::exception& thrown) {
        return statusOf(ErrorStatus::GENERAL_FAILURE, absl::StatusCode::kInternal,
                        "an exception was thrown: ", thrown.what());
    } catch (...) {
        return statusOf(ErrorStatus::GENERAL_FAILURE, absl::StatusCode::kInternal,
                        "an exception was thrown");
    }
}

}  // namespace nn
#endif
