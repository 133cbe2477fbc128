#include "base/no_throw.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace nn {
namespace {

#ifdef __cpp_exceptions
template <class Exception>
Status thrown(const Exception& exception) NNAPI_TRY {
    throw exception;
}
NNAPI_CATCH

TEST(NoThrow, ReportsExceptionMessage) {
    for (const Status& status : {thrown(std::bad_alloc()), thrown(std::length_error("too long"))}) {
        EXPECT_EQ(errorStatus(status), ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);
        EXPECT_EQ(status.message(), "out of memory");
    }
    EXPECT_EQ(errorStatus(thrown(std::runtime_error("x"))), ErrorStatus::GENERAL_FAILURE);
}
#endif

// The status if there is no memory for a message.
TEST(NoThrow, ABareStatusKeepsItsCode) {
    EXPECT_EQ(errorStatus(Status(absl::StatusCode::kResourceExhausted, "")),
              ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);
    EXPECT_EQ(errorStatus(Status(absl::StatusCode::kInternal, "")), ErrorStatus::GENERAL_FAILURE);
}

}  // namespace
}  // namespace nn
