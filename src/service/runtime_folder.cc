#include "nnapi/service/runtime_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/printable.h"
#include "driver/adapt/device_names.h"
#include "service/address.h"

namespace nn::service {
namespace {

// The rule of device names, and that of files which are addresses.
Status checkServiceName(std::string_view name) {
    NNAPI_RETURN_IF_ERROR(driver::checkName(name));
    if (!name.starts_with('.') && name.find('#') == std::string_view::npos) return {};
    return error(ErrorStatus::INVALID_ARGUMENT) << "a service cannot be named " << inQuotes(name)
                                                << ", allowed without '#', not beginning with '.'";
}

Status checkFolder(const std::string& folder) {
    const auto unavailable = [&](std::string_view why) {
        return Status(error(ErrorStatus::DEVICE_UNAVAILABLE) << folder << ": " << why);
    };
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        return unavailable(std::strerror(errno));
    }
    struct stat info {};
    if (lstat(folder.c_str(), &info) != 0) return unavailable(std::strerror(errno));
    if (!S_ISDIR(info.st_mode)) return unavailable("is not a folder");
    if (info.st_uid != geteuid()) return unavailable("belongs to another user");
    if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return unavailable("other users can write to it");
    return {};
}

bool listens(const std::string& path) { return connectTo({.path = path}, Clock::now()).ok(); }

}  // namespace

std::string runtimeFolder() {
    const char* const folder = std::getenv("XDG_RUNTIME_DIR");
    if (folder != nullptr && folder[0] == '/') return std::string(folder) + "/nnapi";
    return "/tmp/nnapi-" + std::to_string(geteuid());
}

GeneralResult<std::string> addressInRuntimeFolder(std::string_view name) {
    NNAPI_RETURN_IF_ERROR(checkServiceName(name));
    const std::string folder = runtimeFolder();
    NNAPI_RETURN_IF_ERROR(checkFolder(folder));
    return std::string(kUnixScheme) + folder + "/" + std::string(name);
}

bool isServiceRunning(std::string_view name) {
    return checkServiceName(name).ok() && listens(runtimeFolder() + "/" + std::string(name));
}

std::vector<std::string> runningServices() {
    std::vector<std::string> running;
    std::error_code failed;
    for (std::filesystem::directory_iterator each(runtimeFolder(), failed), end;
         !failed && each != end; each.increment(failed)) {
        const std::string path = each->path().string();
        if (!each->is_socket(failed)) continue;
        if (listens(path)) running.push_back(std::string(kUnixScheme) + path);
    }
    std::sort(running.begin(), running.end());
    return running;
}

}  // namespace nn::service
