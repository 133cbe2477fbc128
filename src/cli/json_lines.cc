#include "cli/json_lines.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace nn::cli {

bool LineSocket::send(const Json& line) {
    // Only ASCII, whatever bytes names have.
    const std::string text = line.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
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

bool LineSocket::receive() {
    char bytes[16384];
    const ssize_t count = ::recv(mFd.get(), bytes, sizeof bytes, 0);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    mReceived.append(bytes, static_cast<size_t>(count));
    return count != 0;
}

std::optional<Json> LineSocket::next() {
    const size_t end = mReceived.find('\n');
    if (end == std::string::npos) return std::nullopt;
    Json line = Json::parse(mReceived.begin(), mReceived.begin() + static_cast<ptrdiff_t>(end),
                            nullptr, /*allow_exceptions=*/false);
    mReceived.erase(0, end + 1);
    return line.is_discarded() ? Json() : line;
}

}  // namespace nn::cli
