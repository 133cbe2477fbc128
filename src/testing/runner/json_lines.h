// Lines of JSON: parses them, and sends and receives them over a socket.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "nnapi/types.h"

namespace nn::testing {

using Json = nlohmann::ordered_json;

// A line without its end. Pure ASCII, so that it preserves names of any bytes, and contains no
// terminal control sequences.
std::string lineOf(const Json& json);

// The largest line and the most values in it; one with the stacks of many threads, the longest that
// a run writes, has less. Each value takes tens of bytes when it is parsed.
inline constexpr size_t kMaxLineBytes = 16 << 20;
inline constexpr size_t kMaxLineValues = 1 << 16;

// A line that another process may have written; null if it is not JSON or exceeds these bounds.
Json parseLine(std::string_view line);

// The text under "error" of a line that has one, which a driver may have written too.
std::string errorIn(const Json& line);

// One end of the socket. Not thread-safe.
class LineSocket {
   public:
    explicit LineSocket(UniqueFd fd) : mFd(std::move(fd)) {}

    int fd() const { return mFd.get(); }

    // False if the other end is closed.
    bool send(const Json& line);

    // Whether there is something to receive, or the other end is closed.
    bool hasInput() const;

    // Reads available bytes, without waiting for whole lines. False if the other end is closed.
    bool receive();

    // The next complete line, as parseLine(). Also null once a line without an end is too large.
    std::optional<Json> next();

    void close() { mFd.reset(); }

   private:
    UniqueFd mFd;
    std::string mReceived{};
    size_t mSearched = 0;  // bytes of it without an end of a line
};

}  // namespace nn::testing
