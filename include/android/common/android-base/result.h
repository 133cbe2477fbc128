// android-base/result.h -- Result, a value or an error with a text and an errno.
//
//   android::base::Result<int> open(const std::string& path) {
//       if (path.empty()) return android::base::Error() << "no path";
//       ...
//       if (fd < 0) return android::base::ErrnoError() << "cannot open " << path;
//   }
//   LOG(ERROR) << open(path).error();
#pragma once

#include <cerrno>
#include <cstring>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

#include "android-base/errors.h"
#include "android-base/expected.h"

namespace android::base {

class ResultError {
   public:
    ResultError() = default;
    ResultError(std::string message, int code) : mMessage(std::move(message)), mCode(code) {}

    const std::string& message() const { return mMessage; }
    int code() const { return mCode; }  // an errno, or 0
    bool operator==(const ResultError&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const ResultError& error) {
        return out << error.mMessage;
    }

   private:
    std::string mMessage{};
    int mCode = 0;
};

template <class T>
using Result = expected<T, ResultError>;

// An error under construction. The text of an errno follows the message.
class Error {
   public:
    Error() = default;
    explicit Error(int code) : mCode(code), mHasCode(true) {}

    template <class T>
    Error&& operator<<(const T& value) && {
        mText << value;
        return std::move(*this);
    }
    Error&& operator<<(const ResultError& cause) && {
        if (!mHasCode) mCode = cause.code();
        mText << cause.message();
        return std::move(*this);
    }
    std::string str() const {
        std::string text = mText.str();
        if (!mHasCode) return text;
        return (text.empty() ? "" : text + ": ") + SystemErrorCodeToString(mCode);
    }

    template <class T>
    operator expected<T, ResultError>() && {
        return unexpected(ResultError(str(), mCode));
    }

   private:
    std::ostringstream mText{};
    int mCode = 0;
    bool mHasCode = false;
};

inline Error ErrnoError() { return Error(errno); }

}  // namespace android::base
