// A client with closed standard streams: nothing that it logs to them reaches the server.
#include <sys/stat.h>

#include "in_child.h"
#include "nnapi/service/client.h"
#include "service/pooled_request.h"
#include "service/server_process.h"

namespace nn::service_standard_streams_test {
namespace {

constexpr auto kNo = MeasureTiming::NO;

// Whether all three are open on /dev/null.
bool areNull() {
    struct stat null {};
    if (stat("/dev/null", &null) != 0) return false;
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        struct stat now {};
        if (fstat(stream, &now) != 0 || now.st_rdev != null.st_rdev) return false;
    }
    return true;
}

TEST(ServiceStandardStreams, AreNeverAllocated) {
    const TemporaryFolder folder;
    const std::string path = folder / "socket";
    const ServerProcess server(path, "none");
    ASSERT_TRUE(server.says('+'));
    const int exitCode = inChild([&] {
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(stream);
        const auto device = service::connect("unix:" + path);
        if (!device.has_value()) return 1;
        if (!areNull()) return 2;
        const auto model = prepareOn(**device, addition());
        if (!model.has_value()) return 3;
        const auto burst = (*model)->configureExecutionBurst();
        if (!burst.has_value()) return 4;
        // Some descriptors come from the server: those of a fence, and of the burst's queues.
        const Pooled pooled;
        const auto fenced = (*model)->executeFenced(pooled.request, {}, kNo, {}, {}, {}, {}, {});
        if (!fenced.has_value()) return 5;
        if (!(*burst)->execute(pooled.request, kNo, {}, {}, {}, {}).has_value()) return 6;
        for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
            if (write(stream, "logged\n", 7) != 7) return 7;
        }
        if (!(*burst)->execute(pooled.request, kNo, {}, {}, {}, {}).has_value()) return 8;
        return areNull() ? 0 : 9;
    });
    EXPECT_EQ(exitCode, 0);
}

}  // namespace
}  // namespace nn::service_standard_streams_test
