// nnapi/unique_fd.h -- A file descriptor that is closed by its owner.
//
//   nn::UniqueFd fd(::open(path, O_RDONLY | O_CLOEXEC));
//   if (!fd.ok()) perror(path);
#pragma once

#include <utility>

namespace nn {

// Owns one file descriptor and closes it; -1 is empty. Move-only. Not thread-safe.
class UniqueFd {
   public:
    UniqueFd() = default;
    // Takes ownership of an open descriptor; any negative value is empty.
    explicit UniqueFd(int fd) : mFd(fd) {}
    UniqueFd(UniqueFd&& other) noexcept : mFd(other.release()) {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        reset(other.release());
        return *this;
    }
    ~UniqueFd() { reset(); }

    // The descriptor, or -1.
    int get() const { return mFd; }
    // True unless it is empty. Does not ask the system whether the descriptor is open.
    bool ok() const { return mFd >= 0; }
    // Gives up ownership without closing.
    int release() { return std::exchange(mFd, -1); }
    // Closes the descriptor and takes ownership of another one.
    void reset(int fd = -1);

    // Equal when both are empty or both are open on the same file, so a duplicate equals its
    // original.
    friend bool operator==(const UniqueFd& a, const UniqueFd& b) { return sameFile(a.mFd, b.mFd); }

    // True if a == b or both descriptors are open on the same file.
    static bool sameFile(int a, int b);

   private:
    int mFd = -1;
};

// A duplicate of a descriptor (close-on-exec), never one of the three standard streams, even where
// those are closed; empty if fd is not open or the process has no descriptor left.
UniqueFd duplicate(int fd);

}  // namespace nn
