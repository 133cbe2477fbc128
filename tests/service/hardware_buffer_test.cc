// Blobs in hardware buffers, which a served device maps.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/models.h"
#include "nnapi/driver/reference.h"
#include "nnapi/memory.h"
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "service/pooled_request.h"
#include "temporary_folder.h"

namespace nn::service_hardware_buffer_test {
namespace {

using namespace std::chrono_literals;

// The file of shared memory as a blob.
SharedMemory blobOf(const SharedMemory& memory, uint64_t size) {
    const int fd = std::get<Memory::Ashmem>(memory->handle).fd.get();
    Memory::HardwareBuffer buffer{.size = size, .isBlob = true};
    buffer.handle.fds.push_back(UniqueFd(dup(fd)));
    return std::make_shared<const Memory>(Memory{std::move(buffer)});
}

TEST(ServedDevice, ExecutesOnBlobsInHardwareBuffers) {
    const TemporaryFolder folder;
    const std::string address = "unix:" + std::string(folder / "socket");
    const auto server = service::serve({referenceDevice()}, address, {});
    ASSERT_TRUE(server.has_value()) << server.error().message;
    const auto device = service::connect(address, {.connectTimeout = 60s, .heartbeat = 60s});
    ASSERT_TRUE(device.has_value()) << device.error().message;
    const SharedPreparedModel model = prepareOn(**device, addition()).value();
    Pooled pooled;
    pooled.request.pools = {blobOf(pooled.pool, 48)};
    const auto executed = model->execute(pooled.request, MeasureTiming::NO, {}, {}, {}, {});
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    EXPECT_EQ(pooled.result(), (std::vector<float>{11, 22, 33, 44}));

    pooled.request.pools = {blobOf(pooled.pool, 1 << 20)};
    EXPECT_EQ(model->execute(pooled.request, MeasureTiming::NO, {}, {}, {}, {}).error().code,
              ErrorStatus::INVALID_ARGUMENT)
            << "the file is shorter than the buffer";
}

}  // namespace
}  // namespace nn::service_hardware_buffer_test
