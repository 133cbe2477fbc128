// Opens, creates and replaces files safely in directories that others can write to.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

// A folder that is held by its descriptor: whatever becomes of its path meanwhile, files are opened
// and renamed where it was checked. Failures say why and not where: the path is the caller's.
class Directory {
   public:
    // Follows a link, as for files that somebody names himself.
    static Result<Directory> open(std::string_view path);

    // For files that this user alone may change. Fails for a link, for a folder of neither this
    // user nor root, and for one in which others may rename files: it is writable for all, or for
    // a group that is not the process's own, and is not sticky. Files are made for their owner
    // alone, and are refused where others may write to them.
    static Result<Directory> openOwn(std::string_view path);

    // A regular file that belongs to this user; for writing, one that has this name alone, so that
    // no file of another folder is changed. Neither follows links nor waits for the other end of a
    // pipe, and nothing is truncated or written. With O_CREAT a file is made where there is none,
    // without it none is an empty descriptor.
    //   flags   O_RDONLY, O_WRONLY or O_RDWR; O_CREAT, O_APPEND
    Result<UniqueFd> openFile(const std::string& name, int flags) const;

    // The folder of a path, "." where it has none, and the name.
    static std::pair<std::string, std::string> split(const std::string& path);

    int fd() const { return mFd->get(); }

   private:
    Directory(UniqueFd fd, bool isOwn)
        : mFd(std::make_shared<const UniqueFd>(std::move(fd))), mIsOwn(isOwn) {}
    static Result<Directory> openChecked(std::string_view path, bool isOwn);

    std::shared_ptr<const UniqueFd> mFd;
    bool mIsOwn;
};

// A file that appears under its name with commit(); without, no file appears. It replaces whatever
// file or link has the name, and never writes through it.
class NewFile {
   public:
    static Result<NewFile> create(Directory folder, std::string name, mode_t mode = 0666);
    NewFile(NewFile&& other) noexcept;
    NewFile& operator=(NewFile&&) = delete;
    ~NewFile();

    int fd() const { return mFd.get(); }
    Status commit();
    // Leaves one that is there.
    Status commitUnlessThere();

   private:
    NewFile(Directory folder, std::string name, std::string temporary, UniqueFd fd)
        : mFolder(std::move(folder)),
          mName(std::move(name)),
          mTemporary(std::move(temporary)),
          mFd(std::move(fd)) {}

    Directory mFolder;
    std::string mName;
    std::string mTemporary;  // empty when there is no file to remove
    UniqueFd mFd;
};

}  // namespace nn
