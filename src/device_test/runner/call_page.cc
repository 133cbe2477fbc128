#include "device_test/runner/call_page.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "types/memory_file.h"

namespace nn::testing {
namespace {

Status failure(int error) {
    return makeError(ErrorStatus::GENERAL_FAILURE,
                     std::string("memory for the calls of a worker: ") + std::strerror(error));
}

}  // namespace

Result<CallPage*> mapCallPage(int fd) {
    struct stat file {};
    if (fstat(fd, &file) != 0) return failure(errno);
    if (!S_ISREG(file.st_mode) || file.st_size != sizeof(CallPage)) return failure(EINVAL);
    void* memory =
            mmap(nullptr, sizeof(CallPage), PROT_READ | PROT_WRITE, MAP_SHARED, fd, /*offset=*/0);
    if (memory == MAP_FAILED) return failure(errno);
    return static_cast<CallPage*>(memory);
}

void NewCallPage::Unmap::operator()(CallPage* page) const { munmap(page, sizeof(CallPage)); }

Result<NewCallPage> NewCallPage::create() {
    NewCallPage made;
    // The file consists of zeros at first, as a page without calls does.
    NNAPI_ASSIGN_OR_RETURN(file, newMemoryFile(sizeof(CallPage)));
    made.mFd = std::move(file);
    NNAPI_ASSIGN_OR_RETURN(page, mapCallPage(made.mFd.get()));
    made.mPage.reset(page);
    return made;
}

}  // namespace nn::testing
