#include "device_test/runner/json_lines.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace nn::testing {
namespace {

// Stops the parser at too many values, without keeping any.
class ValueCounter : public nlohmann::json_sax<Json> {
   public:
    bool null() override { return count(); }
    bool boolean(bool /*value*/) override { return count(); }
    bool number_integer(number_integer_t /*value*/) override { return count(); }
    bool number_unsigned(number_unsigned_t /*value*/) override { return count(); }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override {
        return count();
    }
    bool string(string_t& /*value*/) override { return count(); }
    bool binary(binary_t& /*value*/) override { return count(); }
    bool start_object(size_t /*size*/) override { return count(); }
    bool key(string_t& /*name*/) override { return count(); }
    bool end_object() override { return true; }
    bool start_array(size_t /*size*/) override { return count(); }
    bool end_array() override { return true; }
    bool parse_error(size_t /*at*/, const std::string& /*token*/,
                     const Json::exception& /*why*/) override {
        return false;
    }

   private:
    bool count() { return ++mValues <= kMaxLineValues; }

    size_t mValues = 0;
};

}  // namespace

std::string lineOf(const Json& json) {
    return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Json parseLine(std::string_view line) {
    ValueCounter counter;
    if (line.size() > kMaxLineBytes || !Json::sax_parse(line, &counter)) return nullptr;
    return Json::parse(line, nullptr, /*allow_exceptions=*/false);
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
    return count != 0;
}

std::optional<Json> LineSocket::next() {
    const size_t end = mReceived.find('\n', mSearched);
    mSearched = end == std::string::npos ? mReceived.size() : 0;
    if (end == std::string::npos) {
        return mReceived.size() > kMaxLineBytes ? std::optional<Json>(nullptr) : std::nullopt;
    }
    Json line = parseLine(std::string_view(mReceived).substr(0, end));
    mReceived.erase(0, end + 1);
    return line;
}

}  // namespace nn::testing
