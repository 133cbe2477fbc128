// Opens, creates and replaces files safely in directories that others can write to.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "nnapi/result.h"
#include "nnapi/unique_fd.h"

namespace nn {

// A directory pinned by its descriptor: files are opened and renamed in the directory that was
// checked, even if its path changes meanwhile. Errors have a reason but no path, which only the
// caller has.
class Directory {
   public:
    // Follows symbolic links, for paths that the user names.
    static Result<Directory> open(std::string_view path);

    // For files that only this user may change. Fails for a symbolic link, for a directory that
    // neither this user nor root owns, and for a directory where other users may rename files
    // (writable for all or for another group, and not sticky). Only the owner may access the files
    // that are created; files that other users can write to are rejected.
    static Result<Directory> openOwn(std::string_view path);

    // A regular file of this user; for writing it must have this one name only, so that no file
    // elsewhere is changed. Never follows links, blocks on a pipe, truncates or writes. With
    // O_CREAT a missing file is created, without it the descriptor is empty.
    //   flags   O_RDONLY, O_WRONLY or O_RDWR; O_CREAT, O_APPEND
    Result<UniqueFd> openFile(const std::string& name, int flags) const;

    // The directory of a path ("." if there is none) and the file name.
    static std::pair<std::string, std::string> split(const std::string& path);

    int fd() const { return mFd->get(); }

   private:
    Directory(UniqueFd fd, bool isOwn)
        : mFd(std::make_shared<const UniqueFd>(std::move(fd))), mIsOwn(isOwn) {}
    static Result<Directory> openChecked(std::string_view path, bool isOwn);

    std::shared_ptr<const UniqueFd> mFd;
    bool mIsOwn;
};

// A file that appears under its name only on commit(). It replaces a file or link of that name, and
// never writes through a link. If it replaces a file of this user, it keeps the permissions of that
// file, except reading and writing that `mode` does not grant.
class NewFile {
   public:
    static Result<NewFile> create(Directory folder, std::string name, mode_t mode = 0666);
    NewFile(NewFile&& other) noexcept;
    NewFile& operator=(NewFile&&) = delete;
    ~NewFile();

    int fd() const { return mFd.get(); }
    Status commit();
    // Keeps an existing file.
    Status commitUnlessThere();

   private:
    NewFile(Directory folder, std::string name, std::string temporary, UniqueFd fd)
        : mFolder(std::move(folder)),
          mName(std::move(name)),
          mTemporary(std::move(temporary)),
          mFd(std::move(fd)) {}

    Directory mFolder;
    std::string mName;
    std::string mTemporary;  // empty if there is no file to remove
    UniqueFd mFd;
};

}  // namespace nn
