// Large constants are copied once, when the model is finished; constants in memory of the
// application are never copied.
#include <algorithm>
#include <set>

#include "driver/models.h"
#include "fakes/hooked_device.h"
#include "heap.h"
#include "runtime/c_api_models.h"

namespace nn::c_api::weights_test {
namespace {

using ::testing::SizeIs;

constexpr uint32_t kWeights = 1 << 20;  // floats

// Supports one operation, and records the models that it is to prepare.
SharedDevice recording(const char* name, OperationType operation, std::vector<Model>& models) {
    return fakes::hooked(referenceDevice({.name = name}),
                         {.support = [=](const Model& model, const IDevice&) -> fakes::Supported {
                              std::vector<bool> are;
                              for (const Operation& each : model.main.operations)
                                  are.push_back(each.type == operation);
                              return are;
                          },
                          .prepare =
                                  [&](const fakes::Preparation& preparation, const IDevice& inner) {
                                      models.push_back(preparation.model);
                                      return preparation.with(nn::addition()).on(inner);
                                  }});
}

// (x + w) * w, and w behind a pointer.
Model sumTimesWeights(const std::vector<float>& weights) {
    Model model;
    Graph main(model);
    const auto w = main.constant(TENSOR_FLOAT32, {kWeights}, weights);
    const auto sum = main.temporary(TENSOR_FLOAT32, {kWeights});
    const auto none = main.scalar(0);
    main.add(OperationType::ADD, {main.input(TENSOR_FLOAT32, {kWeights}), w, none}, {sum});
    main.add(OperationType::MUL, {sum, w, none}, {main.output(TENSOR_FLOAT32, {kWeights})});
    model.main = main.graph;
    return model;
}

class Weights : public ::testing::Test {
   protected:
    void SetUp() override {
        for (const auto& device : devices) used.push_back({device, false});
        used.push_back({referenceDevice(), true});
        runtime::setRuntime(std::make_unique<const runtime::Runtime>(used, Options{}));
    }
    void TearDown() override { useDevices({}); }

    // Compiles with both drivers, twice.
    void compile(ANeuralNetworksModel* model) const {
        for (int i = 0; i < 2; ++i) {
            const OwnedCompilation compilation = compilationFor(model, {deviceAt(0), deviceAt(1)});
            EXPECT_EQ(ANeuralNetworksCompilation_finish(compilation), OK);
        }
    }
    // The memories of the large constants that the drivers received.
    std::set<SharedMemory> pools() const {
        std::set<SharedMemory> pools;
        for (const std::vector<Model>& models : received) {
            EXPECT_THAT(models, SizeIs(2));
            for (const Model& model : models) {
                EXPECT_LT(model.operandValues.size(), 256u);
                for (const Operand& operand : model.main.operands) {
                    if (operand.location.length <= 128) continue;
                    EXPECT_EQ(operand.lifetime, Operand::LifeTime::CONSTANT_REFERENCE);
                    pools.insert(model.pools.at(operand.location.poolIndex));
                }
            }
        }
        return pools;
    }

    using Options = runtime::Runtime::Options;
    std::array<std::vector<Model>, 2> received{};
    const SharedDevice devices[2] = {recording("npu", OperationType::ADD, received[0]),
                                     recording("dsp", OperationType::MUL, received[1])};
    std::vector<runtime::PlanDevice> used{};
};

TEST_F(Weights, BehindPointersAreCopiedOnce) {
    const Model model = sumTimesWeights(std::vector<float>(kWeights, 2.5f));
    OwnedModel made;
    const size_t peak = heap::peakOf([&] {
        made = described(model);
        compile(made);
    });
    EXPECT_LT(peak, kWeights * sizeof(float) / 8);
    const std::set<SharedMemory> copies = pools();
    ASSERT_THAT(copies, SizeIs(1));
    const Mapping copy = map(*copies.begin()).value();
    EXPECT_EQ(copy.size(), kWeights * sizeof(float));
    const auto* values = reinterpret_cast<const float*>(copy.data());
    EXPECT_EQ(std::count(values, values + kWeights, 2.5f), kWeights);
}

TEST_F(Weights, InMemoryOfTheApplicationAreNotCopied) {
    constexpr size_t kBytes = kWeights * sizeof(float);
    const UniqueFd file(memfd_create("weights", MFD_CLOEXEC));
    ASSERT_EQ(ftruncate(file.get(), kBytes), 0);
    OwnedMemory memory;
    ASSERT_EQ(ANeuralNetworksMemory_createFromFd(kBytes, PROT_READ, file.get(), 0, memory.out()),
              OK);
    OwnedModel made;
    const size_t peak = heap::peakOf([&] {
        ModelBuilder model;
        const auto x = model.floats(kWeights), weights = model.floats(kWeights);
        const auto none = model.scalar(ANEURALNETWORKS_FUSED_NONE);
        const auto sum = model.floats(kWeights), product = model.floats(kWeights);
        EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromMemory(
                          model, static_cast<int32_t>(weights), memory, 0, kBytes),
                  OK);
        model.operation(ANEURALNETWORKS_ADD, {x, weights, none}, {sum});
        model.operation(ANEURALNETWORKS_MUL, {sum, weights, none}, {product});
        made = model.finish({x}, {product});
        compile(made);
    });
    EXPECT_LT(peak, kBytes / 8);
    const std::set<SharedMemory> memories = pools();
    ASSERT_THAT(memories, SizeIs(1));
    // The drivers see later writes of the application.
    const float value = 2.5f;
    ASSERT_EQ(pwrite(file.get(), &value, sizeof value, 0), static_cast<ssize_t>(sizeof value));
    EXPECT_EQ(*reinterpret_cast<const float*>(map(*memories.begin())->data()), value);
}

}  // namespace
}  // namespace nn::c_api::weights_test
