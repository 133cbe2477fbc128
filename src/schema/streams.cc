#include "schema/streams.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "nnapi/test_case.pb.h"
#include "schema/files.h"
#include "schema/json.h"
#include "schema/pools.h"
#include "types/limits.h"
#include "types/no_throw.h"

namespace nn::schema {

StreamFormat guessFormat(std::string_view bytes) {
    if (bytes.starts_with("\x1f\x8b")) return StreamFormat::TEST_CASES;  // gzip
    if (!bytes.empty() && static_cast<uint8_t>(bytes[0]) >= 0x80) return StreamFormat::BINARY;
    const size_t start = bytes.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos || bytes[start] != '{') return StreamFormat::TEXT;
    const std::string key(firstKey(bytes));
    const bool isCase = nnapi::TestCase::descriptor()->FindFieldByName(key) != nullptr;
    return isCase ? StreamFormat::TEST_CASES : StreamFormat::JSON;
}

Result<std::string> readStream(int fd, std::string_view name, const Limits& limits) try {
    constexpr size_t kAtOnce = 1 << 18;
    const Limits allowed{.fileBytes = std::min(limits.fileBytes, kMaxMessageBytes)};
    std::string bytes;
    for (;;) {
        const size_t size = bytes.size();
        bytes.resize(size + kAtOnce);
        const ssize_t count = ::read(fd, bytes.data() + size, kAtOnce);
        bytes.resize(size + static_cast<size_t>(std::max<ssize_t>(count, 0)));
        if (count == 0) return bytes;
        if (count < 0 && errno == EAGAIN) {  // another process made it non-blocking
            pollfd wait{.fd = fd, .events = POLLIN, .revents = 0};
            poll(&wait, 1, -1);
        } else if (count < 0 && errno != EINTR) {
            return makeError(ErrorStatus::GENERAL_FAILURE,
                             fmt::format("{}: {}", name, std::strerror(errno)));
        }
        NNAPI_RETURN_IF_ERROR(nn::within(allowed, &Limits::fileBytes, bytes.size(), name));
    }
} catch (...) {
    return statusOfException();
}

Result<TestCaseReader> testCasesOf(std::string_view bytes, std::string name,
                                   const Limits& limits) try {
    NNAPI_ASSIGN_OR_RETURN(fd, memoryFileOf(bytes, 0));
    return TestCaseReader::open(std::move(fd), std::move(name), limits);
} catch (...) {
    return statusOfException();
}

}  // namespace nn::schema
