// The checks of a function of the C API, in their order: a row violates its own check and as many
// of the later ones as it can, so only the order of the checks produces its code.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runtime/c_api_objects.h"

namespace nn::c_api {

// The handle of an object that is freed later.
template <class O>
auto keep(std::vector<O>& all, O one) {
    all.push_back(std::move(one));
    return all.back().get();
}

// Arguments for the rows: objects in each state, new for each row.
struct Fixture {
    explicit Fixture(const FakeOptions& options = npuOptions()) { useDevices({options}); }

    // Models: empty, an addition, a finished one, and one that failed to finish.
    ANeuralNetworksModel* empty();
    ANeuralNetworksModel* open() { return keep(models, additionBeforeFinish()); }
    ANeuralNetworksModel* finished(uint32_t size = 4) { return keep(models, addition(size)); }
    ANeuralNetworksModel* invalid();

    // Compilations of finished(): for one device, for all, before and after finishing, and one that
    // failed to finish.
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
    // Descriptions: without roles, with one input, and finished.
    ANeuralNetworksMemoryDesc* desc();
    ANeuralNetworksMemoryDesc* input(ANeuralNetworksCompilation* compilation);
    ANeuralNetworksMemoryDesc* finishedDesc();
    ANeuralNetworksMemory* described() { return describedAs(finishedDesc()); }
    ANeuralNetworksMemory* describedAs(ANeuralNetworksMemoryDesc* desc);
    // For input 0 of the one and output 0 of the other compilation.
    ANeuralNetworksMemory* describedFor(ANeuralNetworksCompilation* reader,
                                        ANeuralNetworksCompilation* writer);

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

    // Receives output arguments.
    struct Outputs {
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
    std::string_view what;
    int code;
    int (*call)(Fixture& w);
};
struct FunctionRows {
    std::string_view function;  // without the prefix ANeuralNetworks
    std::vector<Row> rows;
};

std::span<const FunctionRows> deviceRows();
std::span<const FunctionRows> modelRows();
std::span<const FunctionRows> compilationRows();
std::span<const FunctionRows> executionRows();
std::span<const FunctionRows> memoryRows();

}  // namespace nn::c_api
