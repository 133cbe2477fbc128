// android-base/file.h -- whole files, and temporary ones.
//
//   std::string text;
//   if (!android::base::ReadFileToString("/proc/cpuinfo", &text)) PLOG(ERROR) << "cpuinfo";
//
// Functions that return false leave the reason in errno.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <string>

#include "android-base/macros.h"
#include "android-base/unique_fd.h"

// A file in the folder for temporary files, which is removed with the object.
class TemporaryFile {
   public:
    TemporaryFile() : TemporaryFile(std::string()) {}
    explicit TemporaryFile(const std::string& folder);
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile();

    int release();  // gives up the descriptor
    void DoNotRemove() { mIsRemoved = false; }

    int fd = -1;
    char path[1024] = "";

   private:
    bool mIsRemoved = true;
};

// A folder, which is removed with its contents.
class TemporaryDir {
   public:
    TemporaryDir();
    TemporaryDir(const TemporaryDir&) = delete;
    TemporaryDir& operator=(const TemporaryDir&) = delete;
    ~TemporaryDir();

    void DoNotRemove() { mIsRemoved = false; }

    char path[1024] = "";

   private:
    bool mIsRemoved = true;
};

namespace android::base {

inline constexpr char OS_PATH_SEPARATOR = '/';

// The bytes so far remain in the text after a failure. Symbolic links are followed on request.
bool ReadFdToString(borrowed_fd fd, std::string* content);
bool ReadFileToString(const std::string& path, std::string* content, bool follow_symlinks = false);
bool WriteStringToFd(const std::string& content, borrowed_fd fd);
bool WriteStringToFile(const std::string& content, const std::string& path,
                       bool follow_symlinks = false);
bool WriteStringToFile(const std::string& content, const std::string& path, mode_t mode,
                       uid_t owner, gid_t group, bool follow_symlinks = false);

// All bytes, or false.
bool ReadFully(borrowed_fd fd, void* data, size_t byte_count);
bool ReadFullyAtOffset(borrowed_fd fd, void* data, size_t byte_count, off_t offset);
bool WriteFully(borrowed_fd fd, const void* data, size_t byte_count);
bool WriteFullyAtOffset(borrowed_fd fd, const void* data, size_t byte_count, off_t offset);

// True also where there is no such file.
bool RemoveFileIfExists(const std::string& path, std::string* error = nullptr);

bool Readlink(const std::string& path, std::string* result);
bool Realpath(const std::string& path, std::string* result);
std::string GetExecutablePath();
std::string GetExecutableDirectory();
std::string Basename(std::string_view path);
std::string Dirname(std::string_view path);

using ::TemporaryDir;
using ::TemporaryFile;

}  // namespace android::base
