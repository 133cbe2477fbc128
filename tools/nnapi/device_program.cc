#include "tools/nnapi/device_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "types/printable.h"

namespace nn::cli {
namespace {

constexpr const char* kDeviceProgram = "nnapi-device";

}  // namespace

Exit executeDeviceProgram(const std::vector<std::string>& arguments) {
    std::error_code ignored;
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", ignored);
    const std::string path = (own.parent_path() / kDeviceProgram).string();
    std::vector<std::string> words = arguments;
    words.insert(words.begin(), kDeviceProgram);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(path.c_str(), pointers.data());
    const int error = errno;
    Output::complain(
            error == ENOENT
                    ? fmt::format("{} with devices needs the program nnapi-device, which is not in "
                                  "{}; build it there: cmake -DNNAPI_DEVICES=ON BUILD_FOLDER && "
                                  "cmake --build BUILD_FOLDER --target nnapi-device",
                                  printable(arguments[0]), printable(own.parent_path().string()))
                    : fmt::format("{}: {}", printable(path), std::strerror(error)));
    return kUsageOrUnreadable;
}

}  // namespace nn::cli
