// nnapi_android/ret_check.h -- NN_RET_CHECK: logs an error and returns false.
//
//   NN_RET_CHECK_EQ(inputs.size(), 2u) << "of " << name;
//
// For functions that return bool, or a result, which then has the text instead of the log. Utils.h
// (Android 11) and nnapi/TypeUtils.h (12) have it.
#pragma once

#include <android-base/logging.h>
#include <android-base/macros.h>

#include <concepts>
#include <sstream>
#include <string>

#include "nnapi/driver/result.h"

namespace android::nn {

// Collects a message. Is false, which logs it with the tag of its file, or an error.
class FalseyErrorStream {
   public:
    FalseyErrorStream(const char* file, unsigned int line, const char* tag)
        : mFile(file), mLine(line), mTag(tag) {}
    FalseyErrorStream(const FalseyErrorStream&) = delete;
    FalseyErrorStream& operator=(const FalseyErrorStream&) = delete;
    ~FalseyErrorStream() {
        if (mIsTaken || !base::logging_internal::wouldLog(base::ERROR, mTag)) return;
        base::LogMessage(mFile, mLine, base::ERROR, mTag, /*error=*/-1).stream() << mMessage.str();
    }

    template <class T>
    FalseyErrorStream& operator<<(const T& value) {
        mMessage << value;
        return *this;
    }
    template <std::same_as<bool> B>  // no number becomes one
    operator B() const {
        return false;
    }
    operator std::string() {
        mIsTaken = true;
        return mMessage.str();
    }
    operator ::nn::GeneralError() { return {.message = *this}; }
    operator ::nn::ExecutionError() { return {std::string(*this)}; }
    operator ::nn::Status() { return ::nn::GeneralError(*this); }

    using AlwaysFails = void;

   private:
    const char* const mFile;
    const unsigned int mLine;
    const char* const mTag;
    std::ostringstream mMessage{};
    bool mIsTaken = false;
};

}  // namespace android::nn

#define NN_RET_CHECK_FAIL()                                                                 \
    return ::android::nn::FalseyErrorStream(__FILE__, __LINE__, LOG_TAG) << "NN_RET_CHECK " \
                                                                            "failed: "

// A loop that returns, so that an `else` behind it is the caller's.
#define NN_RET_CHECK(condition)                               \
    while (!(condition)) /* NOLINT(bugprone-infinite-loop) */ \
    NN_RET_CHECK_FAIL() << #condition << " "

// Each side is evaluated again for the message where they do not compare.
#define NN_RET_CHECK_OP(LHS, RHS, OP)                                                          \
    while (!((LHS)OP(RHS))) /* NOLINT(bugprone-infinite-loop) */                               \
    NN_RET_CHECK_FAIL() << #LHS << " " << #OP << " " << #RHS << " (" << #LHS << " = " << (LHS) \
                        << ", " << #RHS << " = " << (RHS) << ") "

#define NN_RET_CHECK_EQ(x, y) NN_RET_CHECK_OP(x, y, ==)
#define NN_RET_CHECK_NE(x, y) NN_RET_CHECK_OP(x, y, !=)
#define NN_RET_CHECK_LE(x, y) NN_RET_CHECK_OP(x, y, <=)
#define NN_RET_CHECK_LT(x, y) NN_RET_CHECK_OP(x, y, <)
#define NN_RET_CHECK_GE(x, y) NN_RET_CHECK_OP(x, y, >=)
#define NN_RET_CHECK_GT(x, y) NN_RET_CHECK_OP(x, y, >)
