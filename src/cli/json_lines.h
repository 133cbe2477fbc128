// Sends and receives lines of JSON over a socket.
#pragma once

#include <optional>
#include <string>

#include "cli/command.h"
#include "nnapi/types.h"

namespace nn::cli {

// One end. Not thread-safe.
class LineSocket {
   public:
    explicit LineSocket(UniqueFd fd) : mFd(std::move(fd)) {}

    int fd() const { return mFd.get(); }

    // False where the other end is gone.
    bool send(const Json& line);

    // Reads what has come, without waiting for whole lines. False where the other end is gone.
    bool receive();

    // The next whole line that has come; null JSON for one that is not JSON.
    std::optional<Json> next();

    void close() { mFd.reset(); }

   private:
    UniqueFd mFd;
    std::string mReceived{};
};

}  // namespace nn::cli
