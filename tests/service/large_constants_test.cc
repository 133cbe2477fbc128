// Models whose constants are larger than any message.
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "service/pooled_request.h"
#include "service/server_process.h"

namespace nn::service_large_test {
namespace {

using testing::ElementsAre;

// SLICE of four out of many floats; its input is a constant of this many bytes.
Model fourOf(size_t bytes) {
    Model model;
    Graph main(model);
    std::vector<float> values(bytes / sizeof(float));
    const size_t first = values.size() - 4;
    for (size_t i = 0; i < 4; ++i) values[first + i] = static_cast<float>(i + 1);
    const auto count = static_cast<uint32_t>(values.size());
    main.add(OperationType::SLICE,
             {main.constant(TENSOR_FLOAT32, {count}, values), main.input(TENSOR_INT32, {1}),
              main.constant(TENSOR_INT32, {1}, std::vector<int>{4})},
             {main.output(TENSOR_FLOAT32, {0})});
    model.main = main.graph;
    return model;
}

// Constants do not count toward the size of a message; 0: the largest that is still sent in one.
TEST(ServiceLarge, ConstantsOfAnySizeTravel) {
    const TemporaryFolder folder;
    const std::string address = "unix:" + (folder / "socket").string();
    const auto server = service::serve({referenceDevice()}, address);
    ASSERT_TRUE(server.has_value()) << server.error().message;
    const auto device = service::connect(address, {.connectTimeout = std::chrono::seconds(60)});
    for (const size_t bytes : {size_t{1} << 20, (size_t{1} << 20) + 64, size_t{200} << 20}) {
        SCOPED_TRACE(bytes);
        const Model model = fourOf(bytes);
        EXPECT_THAT(*(*device)->getSupportedOperations(model), ElementsAre(true));
        const auto prepared = prepareOn(**device, model);
        ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
        EXPECT_GE((*server)->load().bytes, bytes);
        std::vector<int32_t> begin{static_cast<int32_t>(bytes / sizeof(float)) - 4};
        std::vector<float> y(4);
        const Request request{.inputs = {pointerTo(begin)}, .outputs = {pointerTo(y)}};
        const auto executed = (*prepared)->execute(request, MeasureTiming::NO, {}, {}, {}, {});
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
        EXPECT_THAT(y, ElementsAre(1, 2, 3, 4));
    }
}

}  // namespace
}  // namespace nn::service_large_test
