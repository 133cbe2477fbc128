// The program, as users run it.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <string>

namespace nn::device_testing_test {

struct Ran {
    std::string output{};
    int code = 0;
};

// `nnapi test-device`, and what it writes to standard output.
inline Ran runProgram(const std::string& arguments) {
    Ran ran;
    const std::string command =
            std::string(NNAPI_PROGRAM) + " test-device " + arguments + " 2>/dev/null";
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return ran;
    std::array<char, 4096> bytes{};
    for (size_t count = 0; (count = std::fread(bytes.data(), 1, bytes.size(), pipe)) != 0;) {
        ran.output.append(bytes.data(), count);
    }
    ran.code = WEXITSTATUS(pclose(pipe));
    return ran;
}

}  // namespace nn::device_testing_test
