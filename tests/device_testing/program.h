// The program, as users run it.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "environment.h"

namespace nn::device_testing_test {

struct Ran {
    std::string output{};
    int code = 0;
};

// Only standard output, unless the arguments contain 2>&1.
inline Ran runProgram(const std::string& arguments, const std::string& command = "test-device") {
    Ran ran;
    const std::string line = fmt::format("{} {} 2>/dev/null {}", NNAPI_PROGRAM, command, arguments);
    std::FILE* pipe = popen(line.c_str(), "r");
    if (pipe == nullptr) return ran;
    std::array<char, 4096> bytes{};
    for (size_t count = 0; (count = std::fread(bytes.data(), 1, bytes.size(), pipe)) != 0;) {
        ran.output.append(bytes.data(), count);
    }
    ran.code = WEXITSTATUS(pclose(pipe));
    return ran;
}

// All cases but those of the arithmetic of other operations than these ("ADD|MUL"). In presets in
// which that takes too long, one of four parts of the arithmetic, five of 20 random models, and no
// growth, for which device_commands/growth_test.cc executes less often there.
inline std::string casesWithNumbersOf(const char* operations) {
    const bool takesAll = fromEnvironment("NNAPI_DEVICE_SHARE", 1) == 1;
    return fmt::format("--filter 're:^(?!numbers/(?!({})/{})'", operations,
                       takesAll ? ")" : "1)|random/(?!100000[0-4]$)|growth/");
}

inline std::string readText(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace nn::device_testing_test
