// The checks of a function of the C API, in their order: a row breaks its rule, and all below it
// that it can, so that only the order makes it end with its code.
#pragma once

#include <span>
#include <string_view>

#include "runtime/c_api_objects.h"

namespace nn::c_api {

// The handle of one that is freed later.
template <class O>
auto keep(std::vector<O>& all, O one) {
    all.push_back(std::move(one));
    return all.back().get();
}

// What rows call functions with: the objects are there in each state, and new for each row.
struct Fixture {
    Fixture() { useDevices({npuOptions()}); }

    // Models: that nothing was added to, an addition, one that is finished, one that could not be.
    ANeuralNetworksModel* empty();
    ANeuralNetworksModel* open() { return keep(models, additionBeforeFinish()); }
    ANeuralNetworksModel* finished(uint32_t size = 4) { return keep(models, addition(size)); }
    ANeuralNetworksModel* invalid();

    // Of finished(): for one device, for all, before and after it is finished, and where that
    // fails.
    ANeuralNetworksCompilation* forOne() { return keep(compilations, compilationOf(finished())); }
    ANeuralNetworksCompilation* forAll() {
        return keep(compilations, compilationOf(finished(), false));
    }
    ANeuralNetworksCompilation* done(bool isForOne = true, uint32_t size = 4) {
        return keep(compilations, compiled(finished(size), isForOne));
    }
    ANeuralNetworksCompilation* failed();

    // Executions: new, with all arguments, and computed.
    ANeuralNetworksExecution* fresh(bool isForOne = true, uint32_t size = 4) {
        return keep(executions, executionOf(done(isForOne, size)));
    }
    ANeuralNetworksExecution* ready(bool isForOne = true);
    ANeuralNetworksExecution* computed(bool isForOne = true);
    ANeuralNetworksExecution* wrong();  // computed, and failed
    ANeuralNetworksExecution* timed(Timing timing);

    ANeuralNetworksMemory* memory(size_t size = 64) { return keep(memories, memoryOf(size)); }
    // A description without roles, with one input, and that is finished.
    ANeuralNetworksMemoryDesc* desc();
    ANeuralNetworksMemoryDesc* input(ANeuralNetworksCompilation* compilation);
    ANeuralNetworksMemoryDesc* finishedDesc();
    ANeuralNetworksMemory* described() { return describedAs(finishedDesc()); }
    ANeuralNetworksMemory* describedAs(ANeuralNetworksMemoryDesc* desc);

    ANeuralNetworksBurst* burst(ANeuralNetworksCompilation* compilation);
    ANeuralNetworksEvent* event();
    ANeuralNetworksDevice* device() { return deviceAt(0); }

    Values values{};
    Type tensor{ANEURALNETWORKS_TENSOR_FLOAT32, {4}};
    Type scalar{ANEURALNETWORKS_INT32, {}};
    Type other{ANEURALNETWORKS_TENSOR_FLOAT32, {5}};
    Type open4{ANEURALNETWORKS_TENSOR_FLOAT32, {0}};
    Pipe pipe{};
    std::vector<uint8_t> bytes = std::vector<uint8_t>(256);

    // Where answers go.
    struct Answers {
        uint32_t number = 0;
        uint64_t time = 0;
        int64_t level = 0;
        int32_t code = 0;
        int fd = 0;
        bool flag = false;
        bool flags[8] = {};
        uint32_t dimensions[8] = {};
        const char* text = nullptr;
    } out{};
    OwnedModel model{};
    OwnedCompilation compilation{};
    OwnedExecution execution{};
    OwnedMemory made{};
    OwnedDesc madeDesc{};
    OwnedBurst madeBurst{};
    OwnedEvent madeEvent{};
    ANeuralNetworksDevice* madeDevice = nullptr;

    std::vector<OwnedModel> models{};
    std::vector<OwnedCompilation> compilations{};
    std::vector<OwnedMemory> memories{};
    std::vector<OwnedDesc> descs{};
    std::vector<OwnedBurst> bursts{};
    std::vector<OwnedEvent> events{};
    std::vector<OwnedExecution> executions{};
};

struct Row {
    std::string_view function;  // without its ANeuralNetworks
    std::string_view what;
    int (*call)(Fixture& w);
    int code;
};

std::span<const Row> deviceRows();
std::span<const Row> modelRows();
std::span<const Row> compilationRows();
std::span<const Row> executionRows();
std::span<const Row> memoryRows();

}  // namespace nn::c_api
