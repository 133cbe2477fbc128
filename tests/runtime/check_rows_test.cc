// Every function of the C API: each of its checks returns its code, in the documented order.
#include "runtime/check_rows.h"

#include <fstream>
#include <regex>
#include <set>

namespace nn::c_api {

ANeuralNetworksModel* Fixture::empty() {
    OwnedModel model;
    EXPECT_EQ(ANeuralNetworksModel_create(model.out()), OK);
    return keep(models, std::move(model));
}

ANeuralNetworksModel* Fixture::invalid() {
    ANeuralNetworksModel* broken = empty();
    const uint32_t input[] = {0}, output[] = {1};
    for (int i = 0; i < 2; ++i) EXPECT_EQ(ANeuralNetworksModel_addOperand(broken, tensor), OK);
    // No operation writes this output.
    EXPECT_EQ(ANeuralNetworksModel_identifyInputsAndOutputs(broken, 1, input, 1, output), OK);
    EXPECT_EQ(ANeuralNetworksModel_finish(broken), BAD_DATA);
    return broken;
}

ANeuralNetworksCompilation* Fixture::failed() {
    FakeOptions options = npuOptions();
    options.onPrepare = [] { return error(ErrorStatus::DEVICE_UNAVAILABLE) << "off"; };
    useDevices({options});
    ANeuralNetworksCompilation* compilation = forOne();
    EXPECT_EQ(ANeuralNetworksCompilation_finish(compilation), ANEURALNETWORKS_UNAVAILABLE_DEVICE);
    return compilation;
}

ANeuralNetworksExecution* Fixture::ready(bool isForOne) {
    ANeuralNetworksExecution* execution = fresh(isForOne);
    values.set(execution);
    return execution;
}

ANeuralNetworksExecution* Fixture::computed(bool isForOne) {
    ANeuralNetworksExecution* execution = ready(isForOne);
    EXPECT_EQ(ANeuralNetworksExecution_compute(execution), OK);
    EXPECT_EQ(values.z, Values::kSum);
    return execution;
}

ANeuralNetworksExecution* Fixture::wrong() {
    FakeOptions options = npuOptions();
    options.onExecute = [] { return error() << "it is broken"; };
    useDevices({options});
    ANeuralNetworksExecution* execution = ready();
    EXPECT_EQ(ANeuralNetworksExecution_setMeasureTiming(execution, true), OK);
    EXPECT_EQ(ANeuralNetworksExecution_compute(execution), OP_FAILED);
    return execution;
}

ANeuralNetworksExecution* Fixture::timed(Timing timing) {
    FakeOptions options = npuOptions();
    options.timing = timing;
    useDevices({options});
    ANeuralNetworksExecution* execution = ready();
    EXPECT_EQ(ANeuralNetworksExecution_setMeasureTiming(execution, true), OK);
    EXPECT_EQ(ANeuralNetworksExecution_compute(execution), OK);
    return execution;
}

ANeuralNetworksMemoryDesc* Fixture::desc() {
    OwnedDesc desc;
    EXPECT_EQ(ANeuralNetworksMemoryDesc_create(desc.out()), OK);
    return keep(descs, std::move(desc));
}

ANeuralNetworksMemoryDesc* Fixture::input(ANeuralNetworksCompilation* compilation) {
    ANeuralNetworksMemoryDesc* made = desc();
    EXPECT_EQ(ANeuralNetworksMemoryDesc_addInputRole(made, compilation, 0, 1), OK);
    return made;
}

ANeuralNetworksMemoryDesc* Fixture::finishedDesc() {
    ANeuralNetworksMemoryDesc* made = input(done());
    EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(made), OK);
    return made;
}

ANeuralNetworksMemory* Fixture::describedAs(ANeuralNetworksMemoryDesc* desc) {
    OwnedMemory memory;
    EXPECT_EQ(ANeuralNetworksMemory_createFromDesc(desc, memory.out()), OK);
    return keep(memories, std::move(memory));
}

ANeuralNetworksMemory* Fixture::describedFor(ANeuralNetworksCompilation* reader,
                                             ANeuralNetworksCompilation* writer) {
    ANeuralNetworksMemoryDesc* made = input(reader);
    EXPECT_EQ(ANeuralNetworksMemoryDesc_addOutputRole(made, writer, 0, 1), OK);
    EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(made), OK);
    return describedAs(made);
}

ANeuralNetworksBurst* Fixture::burst(ANeuralNetworksCompilation* compilation) {
    OwnedBurst burst;
    EXPECT_EQ(ANeuralNetworksBurst_create(compilation, burst.out()), OK);
    return keep(bursts, std::move(burst));
}

ANeuralNetworksEvent* Fixture::event() {
    pipe.signal();
    return keep(events, eventOf(pipe));
}

namespace {

std::vector<FunctionRows> allFunctions() {
    std::vector<FunctionRows> all;
    for (const auto& functions :
         {deviceRows(), modelRows(), compilationRows(), executionRows(), memoryRows()}) {
        all.insert(all.end(), functions.begin(), functions.end());
    }
    return all;
}

TEST(CApiRows, EndWithTheirCodes) {
    for (const auto& [function, rows] : allFunctions()) {
        for (const Row& row : rows) {
            SCOPED_TRACE(std::string(function) + ": " + std::string(row.what));
            Fixture fixture;
            EXPECT_EQ(row.call(fixture), row.code);
        }
    }
}

TEST(CApiRows, AreThereForAllFunctions) {
    std::set<std::string> missing;
    const std::regex function("ANeuralNetworks(\\w*_\\w+)\\(");
    for (const char* header : {"NeuralNetworks.h", "NeuralNetworksExtensions.h"}) {
        std::ifstream file(std::string(NNAPI_SOURCE_DIR "/include/nnapi/c/") + header);
        std::smatch match;
        for (std::string line; std::getline(file, line);) {
            if (std::regex_search(line, match, function)) missing.insert(match[1]);
        }
    }
    EXPECT_GE(missing.size(), 75u);
    for (const auto& [function, rows] : allFunctions()) missing.erase(std::string(function));
    EXPECT_THAT(missing, testing::IsEmpty());
}

}  // namespace
}  // namespace nn::c_api
