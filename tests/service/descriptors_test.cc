// Descriptors of clients that a server reads and polls, and those that it must not.
#include "service/descriptors.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <future>
#include <thread>

#include "base/status_message.h"
#include "nnapi/driver/result.h"
#include "nnapi/memory.h"
#include "temporary_folder.h"

namespace nn::descriptors_test {
namespace {

using namespace std::chrono_literals;
using service::checkFence;
using service::checkFile;
using testing::StartsWith;

constexpr const char* kNoMemory =
        ", allowed memory of the kernel (memfd, tmpfs, hugetlbfs) and regular files of this "
        "machine's disks, since reading others may never end: copy it to shared memory";
constexpr const char* kNoFence = ", allowed a sync_file, an eventfd, a pipe or a socket";

struct Row {
    const char* name;
    std::function<int()> open;
    const char* notMemory;  // empty: is one
    const char* notFence;
};

int endOfPipe() {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    close(ends[1]);
    return ends[0];
}
int endOfSockets() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    close(ends[1]);
    return ends[0];
}
std::function<int()> opened(std::string path, int flags = O_RDONLY) {
    return [path = std::move(path), flags] { return open(path.c_str(), flags | O_CLOEXEC, 0600); };
}

TEST(Descriptors, AreReadAndPolledWhereNoProcessMustReply) {
    const TemporaryFolder folder;
    const std::string fifo = folder / "fifo";
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    const char* kServed = "a file of a file system that others may serve";
    const Row rows[] = {
            {"memfd", [] { return memfd_create("test", MFD_CLOEXEC); }, "", kServed},
            {"sealed", [] { return memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING); }, "",
             kServed},
            {"shm", opened("/dev/shm/nnapi-descriptors-test", O_RDWR | O_CREAT), "", kServed},
            {"file", opened(folder / "file", O_RDWR | O_CREAT), "", kServed},
            {"folder", opened(folder / ""), "a folder", "a folder"},
            {"pipe", endOfPipe, "a pipe", ""},
            {"fifo", opened(fifo, O_RDWR), "a pipe", ""},
            {"socket", endOfSockets, "a socket", ""},
            {"terminal", [] { return posix_openpt(O_RDWR | O_NOCTTY); }, "a character device",
             "a character device"},
            {"zero", opened("/dev/zero"), "a character device", "a character device"},
            {"null", opened("/dev/null"), "a character device", "a character device"},
            {"proc", opened("/proc/self/status"), kServed, kServed},
            {"sys", opened("/sys/kernel/notes"), kServed, kServed},
            {"eventfd", [] { return eventfd(0, EFD_CLOEXEC); }, "no file", ""},
            {"timerfd", [] { return timerfd_create(CLOCK_MONOTONIC, 0); }, "no file", ""},
            {"epoll", [] { return epoll_create1(EPOLL_CLOEXEC); }, "no file", ""},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        const UniqueFd fd(row.open());
        ASSERT_TRUE(fd.ok()) << std::strerror(errno);
        const auto expect = [&](const Status& status, const char* found, const char* what,
                                const char* allowed) {
            EXPECT_EQ(status.ok() ? "" : messageOf(status),
                      *found == '\0' ? "" : std::string(what) + found + allowed);
        };
        expect(checkFile(fd.get()), row.notMemory, "a descriptor is ", kNoMemory);
        expect(checkFence(fd.get()), row.notFence, "a fence is ", kNoFence);
    }
    (void)unlink("/dev/shm/nnapi-descriptors-test");
    EXPECT_THAT(messageOf(checkFile(-1)), StartsWith("a descriptor cannot be looked at: "));
    EXPECT_THAT(messageOf(checkFence(-1)), StartsWith("a descriptor cannot be looked at: "));
}

TEST(Descriptors, OfMemoriesAreThoseThatAreRead) {
    EXPECT_TRUE(service::checkFiles(**createSharedMemory(16)).ok());
    const auto handle = [] { return UniqueFd(endOfPipe()); };
    EXPECT_FALSE(service::checkFiles(Memory{Memory::Ashmem{.fd = handle(), .size = 16}}).ok());
    EXPECT_FALSE(service::checkFiles(Memory{Memory::Fd{.size = 16, .fd = handle()}}).ok());
    EXPECT_TRUE(service::checkFiles(Memory{Memory::HardwareBuffer{.size = 16}}).ok());
    Memory::HardwareBuffer blob{.size = 16, .isBlob = true};
    blob.handle.fds.push_back(handle());
    EXPECT_FALSE(service::checkFiles(Memory{std::move(blob)}).ok());
}

// A file system of one file, which is opened, and leaves every further request without a reply.
class SilentFiles {
   public:
    SilentFiles() {
        mDevice = UniqueFd(open("/dev/fuse", O_RDWR | O_CLOEXEC));
        const std::string how =
                "rootmode=40000,user_id=0,group_id=0,fd=" + std::to_string(mDevice.get());
        mIsMounted = mDevice.ok() && mount("test", mFolder.c_str(), "fuse", 0, how.c_str()) == 0;
        if (mIsMounted) mThread = std::thread([this] { serve(); });
    }
    ~SilentFiles() {
        mIsEnding = true;
        if (mThread.joinable()) mThread.join();
        mDevice = UniqueFd();  // notifies waiting processes
        if (mIsMounted) umount2(mFolder.c_str(), MNT_DETACH);
        rmdir(mFolder.c_str());
    }
    bool isMounted() const { return mIsMounted; }
    UniqueFd openFile() const {
        return UniqueFd(open((mFolder + "/file").c_str(), O_RDONLY | O_CLOEXEC));
    }
    // Requests without a reply.
    int pendingRequests() const { return mPendingRequests; }

   private:
    static std::string newFolder() {
        char name[] = "/tmp/nnapi-fuse-XXXXXX";
        return mkdtemp(name);
    }
    template <class Body>
    void reply(uint64_t request, const Body& body) const {
        fuse_out_header header{};
        header.unique = request;
        header.len = sizeof header + sizeof body;
        std::string bytes(header.len, '\0');
        std::memcpy(bytes.data(), &header, sizeof header);
        std::memcpy(bytes.data() + sizeof header, &body, sizeof body);
        (void)!write(mDevice.get(), bytes.data(), bytes.size());
    }
    void serve() {
        std::vector<char> bytes(FUSE_MIN_READ_BUFFER * 32);
        while (!mIsEnding) {
            pollfd ready{.fd = mDevice.get(), .events = POLLIN, .revents = 0};
            if (poll(&ready, 1, 20) != 1) continue;
            if (read(mDevice.get(), bytes.data(), bytes.size()) <= 0) continue;
            fuse_in_header header{};
            std::memcpy(&header, bytes.data(), sizeof header);
            if (header.opcode == FUSE_INIT) {
                fuse_init_out begun{};
                begun.major = FUSE_KERNEL_VERSION;
                begun.minor = FUSE_KERNEL_MINOR_VERSION;
                begun.max_write = 4096;
                reply(header.unique, begun);
            } else if (header.opcode == FUSE_LOOKUP) {
                fuse_entry_out entry{};
                entry.nodeid = 2;
                entry.attr.ino = 2;
                entry.attr.size = 4096;
                entry.attr.mode = S_IFREG | 0600;
                entry.attr.nlink = 1;
                reply(header.unique, entry);  // which must be requested again at once
            } else if (header.opcode == FUSE_OPEN) {
                fuse_open_out file{};
                file.open_flags = FOPEN_DIRECT_IO;
                reply(header.unique, file);
            } else {
                ++mPendingRequests;
            }
        }
    }

    std::string mFolder = newFolder();
    UniqueFd mDevice{};
    bool mIsMounted = false;
    std::atomic<bool> mIsEnding = false;
    std::atomic<int> mPendingRequests = 0;
    std::thread mThread{};
};

// The file's reads never end, nor does fstat: the checks do, without a request to its file system.
TEST(Descriptors, OfUnresponsiveFileSystemsAreNotRead) {
    auto files = std::make_unique<const SilentFiles>();
    if (!files->isMounted()) GTEST_SKIP() << "mounting a file system takes root and /dev/fuse";
    const UniqueFd fd = files->openFile();
    ASSERT_TRUE(fd.ok()) << std::strerror(errno);
    auto checked = std::async(std::launch::async, [number = fd.get()] {
        return std::pair(messageOf(checkFile(number)), messageOf(checkFence(number)));
    });
    ASSERT_EQ(checked.wait_for(20s), std::future_status::ready);
    const auto [file, fence] = checked.get();
    EXPECT_EQ(file, std::string("a descriptor is a file of a file system that others may serve") +
                            kNoMemory);
    EXPECT_EQ(fence,
              std::string("a fence is a file of a file system that others may serve") + kNoFence);
    EXPECT_EQ(files->pendingRequests(), 0);
    // Meanwhile a server without the checks would wait for this.
    auto blocked = std::async(std::launch::async, [number = fd.get()] {
        char byte = 0;
        return pread(number, &byte, 1, 0);
    });
    EXPECT_EQ(blocked.wait_for(200ms), std::future_status::timeout);
    EXPECT_EQ(files->pendingRequests(), 1);
    files = nullptr;  // which ends it
    EXPECT_EQ(blocked.get(), -1);
}

}  // namespace
}  // namespace nn::descriptors_test
