// Resources of this process, for tests of leaks.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>

namespace nn::held {

inline size_t entriesOf(const char* folder) {
    std::error_code ignored;
    return static_cast<size_t>(
            std::distance(std::filesystem::directory_iterator(folder, ignored), {}));
}

inline size_t descriptors() { return entriesOf("/proc/self/fd"); }
inline size_t threads() { return entriesOf("/proc/self/task"); }

// The mappings of a file that memfd_create made with this name.
inline size_t mappingsOf(const std::string& name) {
    std::ifstream maps("/proc/self/maps");
    size_t count = 0;
    for (std::string line; std::getline(maps, line);) {
        if (line.find("/memfd:" + name + " ") != std::string::npos) ++count;
    }
    return count;
}

// The number of threads once it has been constant for half a second, so that ending ones are gone.
inline size_t stayingThreads() {
    size_t now = threads();
    for (int unchanged = 0, i = 0; unchanged < 50 && i < 1000; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        const size_t next = threads();
        unchanged = next == now ? unchanged + 1 : 0;
        now = next;
    }
    return now;
}

// Waits, for at most 10 s, until a count is no larger than expected, and returns it: ending threads
// take a moment, and close files.
inline size_t settled(size_t (*count)(), size_t expected) {
    size_t now = count();
    for (int i = 0; i < 10'000 && now > expected; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        now = count();
    }
    return now;
}

}  // namespace nn::held
