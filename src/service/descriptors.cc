#include "service/descriptors.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "nnapi/driver/result.h"
#include "types/memory_file.h"

namespace nn::service {
namespace {

struct FileInfo {
    mode_t type = 0;  // of S_IFMT; 0: not a file
    bool isOnDisk = false;
    std::optional<uint64_t> mount{};
};

// Reads the kernel's cached data, without calling into the file system.
Result<FileInfo> inspect(int fd) {
    struct statx file {};
    unsigned wanted = STATX_TYPE;
#ifdef STATX_MNT_ID
    wanted |= STATX_MNT_ID;
#endif
    if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, wanted, &file) != 0) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << "a descriptor cannot be looked at: " << std::strerror(errno));
    }
    // File systems without a disk have devices of major number 0.
    FileInfo info{.type = file.stx_mode & static_cast<mode_t>(S_IFMT),
                  .isOnDisk = file.stx_dev_major != 0};
#ifdef STATX_MNT_ID
    if ((file.stx_mask & STATX_MNT_ID) != 0) info.mount = file.stx_mnt_id;
#endif
    return info;
}

const char* nameOf(mode_t type) {
    switch (type) {
        case S_IFIFO:
            return "a pipe";
        case S_IFSOCK:
            return "a socket";
        case S_IFCHR:
            return "a character device";
        case S_IFBLK:
            return "a block device";
        case S_IFDIR:
            return "a folder";
        case S_IFREG:
            return "a file of a file system that others may serve";
        default:
            return "no file";
    }
}

// True for a mount in this process's namespace of a kind that only the system can mount there.
// Mounts in a namespace of the client do not count.
bool isSystemMount(uint64_t mount) {
    constexpr auto kKinds = std::to_array<std::string_view>(
            {"btrfs", "overlay", "zfs", "bcachefs", "ubifs", "ramfs", "rootfs",
             // Network file systems, which administrators mount; models are stored there.
             "nfs", "nfs4", "cifs", "smb3", "ceph", "9p", "virtiofs"});
    std::ifstream mounts("/proc/self/mountinfo");
    const std::string number = std::to_string(mount) + " ";
    for (std::string line; std::getline(mounts, line);) {
        if (!line.starts_with(number)) continue;
        constexpr std::string_view kBehindOptions = " - ";
        const size_t at = line.find(kBehindOptions);
        if (at == std::string::npos) return false;
        std::string_view kind = std::string_view(line).substr(at + kBehindOptions.size());
        kind = kind.substr(0, kind.find(' '));
        return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
    }
    return false;
}

}  // namespace

Status checkFile(int fd) {
    // Only files in kernel memory have seals.
    if (fcntl(fd, F_GET_SEALS) >= 0) return {};
    NNAPI_ASSIGN_OR_RETURN(info, inspect(fd));
    if (info.type == S_IFREG && info.isOnDisk) return {};
    if (info.type == S_IFREG && info.mount && isSystemMount(*info.mount)) return {};
    return error(ErrorStatus::INVALID_ARGUMENT)
           << "a descriptor is " << nameOf(info.type)
           << ", allowed memory of the kernel (memfd, tmpfs, hugetlbfs) and regular files of this "
           << "machine's disks, since reading others may never end: copy it to shared memory";
}

Status checkFiles(const Memory& memory) {
    const int file = fileOf(memory);
    return file < 0 ? Status() : checkFile(file);
}

Status checkFence(int fd) {
    NNAPI_ASSIGN_OR_RETURN(info, inspect(fd));
    if (info.type == S_IFIFO || info.type == S_IFSOCK || info.type == 0) return {};
    return error(ErrorStatus::INVALID_ARGUMENT)
           << "a fence is " << nameOf(info.type)
           << ", allowed a sync_file, an eventfd, a pipe or a socket";
}

}  // namespace nn::service
