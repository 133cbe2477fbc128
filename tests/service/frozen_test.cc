// Compatibility with peers of the first version of the service, frozen/service_frozen.capnp.

#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "service/pooled_request.h"
#include "temporary_folder.h"

namespace nn::frozen_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kNo = MeasureTiming::NO;

TEST(Frozen, AnOlderClientWorksWithAServerOfToday) {
    const TemporaryFolder folder;
    const std::string path = folder / "socket";
    const auto server = service::serve({referenceDevice()}, "unix:" + path);
    ASSERT_TRUE(server.has_value()) << server.error().message;
    EXPECT_EQ(std::system((NNAPI_FROZEN_PEER " client " + path).c_str()), 0);
}

TEST(Frozen, AClientOfTodayWorksWithAnOlderServer) {
    const TemporaryFolder folder;
    const std::string path = folder / "socket";
    FILE* const server = popen((NNAPI_FROZEN_PEER " server " + path).c_str(), "r");
    ASSERT_NE(server, nullptr);
    EXPECT_EQ(fgetc(server), '+');
    {
        const auto device =
                service::connect("unix:" + path, {.connectTimeout = 60s, .heartbeat = 60s});
        ASSERT_TRUE(device.has_value()) << device.error().message;
        EXPECT_EQ((*device)->getName(), "nnapi-reference");
        EXPECT_EQ((*device)->getFeatureLevel(), kVersionFeatureLevel4);
        const auto model = prepareOn(**device, addition());
        ASSERT_TRUE(model.has_value()) << model.error().message;
        const Pooled pooled;
        const auto executed = (*model)->execute(pooled.request, kNo, {}, {}, {}, {});
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
        EXPECT_THAT(pooled.result(), ElementsAre(11, 22, 33, 44));
        // Only the methods that the older server lacks fail.
        const auto unknown = (*device)->getSupportedOperations(addition());
        EXPECT_EQ(unknown.error().code, ErrorStatus::GENERAL_FAILURE);
        EXPECT_THAT(unknown.error().message, HasSubstr("the peer does not know this call"));
        EXPECT_FALSE((*model)->configureExecutionBurst().has_value());
        EXPECT_TRUE((*model)->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());
    }
    EXPECT_EQ(pclose(server), 0);
}

}  // namespace
}  // namespace nn::frozen_test
