#include "nnapi/service/runtime_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "service/address.h"
#include "types/printable.h"

namespace nn::service {
namespace {

bool isVisible(char c) { return c > ' ' && c <= '~' && c != '/'; }

Status checkName(std::string_view name) {
    if (!name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), isVisible)) {
        return {};
    }
    return error(ErrorStatus::INVALID_ARGUMENT)
           << "a service cannot be named " << inQuotes(name)
           << ", allowed visible ASCII without '/', not beginning with '.'";
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

}  // namespace

std::string runtimeFolder() {
    const char* const folder = std::getenv("XDG_RUNTIME_DIR");
    if (folder != nullptr && folder[0] == '/') return std::string(folder) + "/nnapi";
    return "/tmp/nnapi-" + std::to_string(geteuid());
}

GeneralResult<std::string> addressInRuntimeFolder(std::string_view name) {
    NNAPI_RETURN_IF_ERROR(checkName(name));
    const std::string folder = runtimeFolder();
    NNAPI_RETURN_IF_ERROR(checkFolder(folder));
    return std::string(kUnixScheme) + folder + "/" + std::string(name);
}

std::vector<std::string> runningServices() {
    std::vector<std::string> running;
    std::error_code failed;
    for (std::filesystem::directory_iterator each(runtimeFolder(), failed), end;
         !failed && each != end; each.increment(failed)) {
        const std::string path = each->path().string();
        if (!each->is_socket(failed)) continue;
        if (connectTo({.path = path}, Clock::now()).ok()) {
            running.push_back(std::string(kUnixScheme) + path);
        }
    }
    std::sort(running.begin(), running.end());
    return running;
}

}  // namespace nn::service
