#include "testing/runner/json_lines.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace nn::testing {
namespace {

constexpr size_t kMaxLine = size_t{256} << 20;

}  // namespace

std::string lineOf(const Json& json) {
    return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string errorIn(const Json& line) {
    const Json& error = line.at("error");
    return error.is_string() ? error.get<std::string>() : "a worker cannot say why it ends";
}

bool LineSocket::send(const Json& line) {
    const std::string text = lineOf(line) + "\n";
    size_t done = 0;
    while (done < text.size()) {
        const ssize_t count =
                ::send(mFd.get(), text.data() + done, text.size() - done, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += static_cast<size_t>(count);
    }
    return true;
}

bool LineSocket::hasInput() const {
    pollfd descriptor = {.fd = mFd.get(), .events = POLLIN, .revents = 0};
    return poll(&descriptor, 1, 0) > 0;
}

bool LineSocket::receive() {
    char bytes[16384];
    const ssize_t count = ::recv(mFd.get(), bytes, sizeof bytes, 0);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    mReceived.append(bytes, static_cast<size_t>(count));
    return count != 0 && mReceived.size() <= kMaxLine;
}

std::optional<Json> LineSocket::next() {
    const size_t end = mReceived.find('\n', mSearched);
    mSearched = end == std::string::npos ? mReceived.size() : 0;
    if (end == std::string::npos) return std::nullopt;
    Json line = Json::parse(mReceived.begin(), mReceived.begin() + static_cast<ptrdiff_t>(end),
                            nullptr, /*allow_exceptions=*/false);
    mReceived.erase(0, end + 1);
    return line.is_discarded() ? Json() : line;
}

}  // namespace nn::testing
