#include "base/no_throw.h"

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "base/status_message.h"

#ifdef __cpp_exceptions
namespace nn {
namespace {

constexpr std::string_view kOutOfMemory = "out of memory";

// A status without a message allocates nothing; errorStatus() derives its code from abseil's.
Status statusOf(ErrorStatus code, absl::StatusCode bare, std::string_view message,
                const char* why = nullptr) noexcept try {
    return makeError(code, why == nullptr ? std::string(message) : std::string(message) + why);
} catch (...) {
    return Status(bare, "");
}

Status outOfMemory() noexcept {
    return statusOf(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT, absl::StatusCode::kResourceExhausted,
                    kOutOfMemory);
}

Status wasThrown(const std::exception& thrown) noexcept {
    return statusOf(ErrorStatus::GENERAL_FAILURE, absl::StatusCode::kInternal,
                    "an exception was thrown: ", thrown.what());
}

}  // namespace

Status statusOfException() noexcept {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return outOfMemory();
    } catch (const std::length_error&) {  // more than a container's maximum size
        return outOfMemory();
    } catch (const std::system_error& thrown) {
        // The lock of a thread that this process does not have; see ProcessMutex.
        if (thrown.code() == std::errc::owner_dead) {
            return statusOf(ErrorStatus::DEAD_OBJECT, absl::StatusCode::kUnavailable,
                            thrown.what());
        }
        return wasThrown(thrown);
    } catch (const std::exception& thrown) {
        return wasThrown(thrown);
    } catch (...) {
        return statusOf(ErrorStatus::GENERAL_FAILURE, absl::StatusCode::kInternal,
                        "an exception was thrown");
    }
}

bool isOutOfMemory(const Status& status) {
    return errorStatus(status) == ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT &&
           (status.message().empty() || messageOf(status) == kOutOfMemory);
}

}  // namespace nn
#endif
