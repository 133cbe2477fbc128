#include "tools/nnapi/device_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace nn::cli {
namespace {

constexpr const char* kDeviceProgram = "nnapi-device";

// Replaces this process by the program, if it is in that folder; else returns why not.
int executeIn(const std::filesystem::path& folder, std::vector<std::string> words) {
    words.insert(words.begin(), kDeviceProgram);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv((folder / kDeviceProgram).c_str(), pointers.data());
    return errno;
}

}  // namespace

Exit executeDeviceProgram(const std::vector<std::string>& arguments) {
    std::error_code ignored;
    const std::filesystem::path own =
            std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const auto& folder : {own, own.parent_path() / "libexec" / "nnapi"}) {
        if (const int error = executeIn(folder, arguments); error != ENOENT && error != ENOTDIR) {
            return Output::complain(fmt::format("{}: {}", (folder / kDeviceProgram).string(),
                                                std::strerror(error)));
        }
    }
    return Output::complain(
            fmt::format("devices need the program nnapi-device, which is neither in {} nor in "
                        "../libexec/nnapi; to build it in the build folder: cmake "
                        "-DNNAPI_DEVICES=ON . && cmake --build . --target nnapi nnapi-device",
                        own.string()));
}

}  // namespace nn::cli
