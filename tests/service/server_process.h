// A server of server_program.cc, which the test can stop and kill.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "nnapi/types.h"
#include "service/certificates.h"
#include "temporary_folder.h"

namespace nn {

class ServerProcess {
   public:
    // At a Unix socket in the folder, or over TCP with certificates.
    enum class Transport { UNIX, TCP };

    // At the address of a server that has ended, or at a new one.
    ServerProcess(const TemporaryFolder& folder, Transport transport, const std::string& phase,
                  const std::string& address = {})
        : ServerProcess(!address.empty()              ? address
                        : transport == Transport::TCP ? "127.0.0.1:0"
                                                      : "unix:" + (folder / "socket").string(),
                        folder / "address", transport, phase) {}
    // At this path.
    ServerProcess(const std::string& path, const std::string& phase)
        : ServerProcess("unix:" + path, path + ".address", Transport::UNIX, phase) {}

    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;
    ~ServerProcess() { end(); }

    // Returns false if the server does not report it within 20 s.
    bool says(char what) const {
        pollfd poll{.fd = mSignals.get(), .events = POLLIN, .revents = 0};
        char signal = 0;
        return ::poll(&poll, 1, 20000) == 1 && read(mSignals.get(), &signal, 1) == 1 &&
               signal == what;
    }
    // The server's address, once it has signaled "+".
    std::string address() const {
        std::string address;
        std::ifstream(mAddressFile) >> address;
        return address;
    }
    void send(int signal) const {
        if (mProcess <= 0) return;
        kill(mProcess, signal);
        // Signals take a moment to arrive.
        if (signal == SIGSTOP) waitpid(mProcess, nullptr, WUNTRACED);
    }
    void end() {
        if (mProcess <= 0) return;
        kill(mProcess, SIGKILL);
        waitpid(mProcess, nullptr, 0);
        mProcess = -1;
    }

   private:
    ServerProcess(const std::string& address, std::string addressFile, Transport transport,
                  const std::string& phase)
        : mAddressFile(std::move(addressFile)) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return;
        mSignals = UniqueFd(ends[0]);
        const UniqueFd other(ends[1]);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, other.get(), 100);
        std::vector<std::string> words{NNAPI_SERVER_PROGRAM, address, phase, "100", mAddressFile};
        if (transport == Transport::TCP) {
            for (const char* file : {"server.pem", "server.key", "ca.pem"}) {
                words.push_back(Certificates::get().path(file));
            }
        }
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        if (posix_spawn(&mProcess, words[0].c_str(), &actions, nullptr, arguments.data(),
                        environ) != 0) {
            mProcess = -1;
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    std::string mAddressFile;
    pid_t mProcess = -1;
    UniqueFd mSignals{};
};

}  // namespace nn
