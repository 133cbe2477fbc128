#include <condition_variable>
#include <mutex>

#include "runtime/check_rows.h"

namespace nn::c_api {
namespace execution_rows {
namespace {

// The functions that several rows call.
constexpr auto createFromSyncFenceFd = ANeuralNetworksEvent_createFromSyncFenceFd;
constexpr auto getSyncFenceFd = ANeuralNetworksEvent_getSyncFenceFd;
constexpr auto burstCompute = ANeuralNetworksExecution_burstCompute;
constexpr auto compute = ANeuralNetworksExecution_compute;
constexpr auto enableInputAndOutputPadding = ANeuralNetworksExecution_enableInputAndOutputPadding;
constexpr auto getDuration = ANeuralNetworksExecution_getDuration;
constexpr auto getOutputOperandDimensions = ANeuralNetworksExecution_getOutputOperandDimensions;
constexpr auto getOutputOperandRank = ANeuralNetworksExecution_getOutputOperandRank;
constexpr auto setLoopTimeout = ANeuralNetworksExecution_setLoopTimeout;
constexpr auto setMeasureTiming = ANeuralNetworksExecution_setMeasureTiming;
constexpr auto setOutput = ANeuralNetworksExecution_setOutput;
constexpr auto setReusable = ANeuralNetworksExecution_setReusable;
constexpr auto setTimeout = ANeuralNetworksExecution_setTimeout;
constexpr auto startCompute = ANeuralNetworksExecution_startCompute;
constexpr auto startComputeWithDependencies = ANeuralNetworksExecution_startComputeWithDependencies;

const ANeuralNetworksEvent* const kNoEvent[] = {nullptr};

// Blocks executions of the first device while it lives.
class Gate {
   public:
    std::function<Status()> hook() {
        return [this] {
            std::unique_lock lock(mMutex);
            mIsThere = true;
            mChanged.notify_all();
            mChanged.wait(lock, [this] { return mIsOpen; });
            return Status();
        };
    }
    void waitForOne() {
        std::unique_lock lock(mMutex);
        mChanged.wait(lock, [this] { return mIsThere; });
    }
    void open() {
        const std::lock_guard lock(mMutex);
        mIsOpen = true;
        mChanged.notify_all();
    }

   private:
    std::mutex mMutex{};
    std::condition_variable mChanged{};
    bool mIsThere = false, mIsOpen = false;
};

// The code that a call returns while the execution is being computed.
int whileComputing(Fixture& w, int (*call)(Fixture& w, ANeuralNetworksExecution* execution)) {
    Gate gate;
    FakeOptions options = npuOptions();
    options.onExecute = gate.hook();
    useDevices({options});
    ANeuralNetworksExecution* execution = w.ready();
    OwnedEvent event;
    EXPECT_EQ(startCompute(execution, event.out()), OK);
    gate.waitForOne();
    const int code = call(w, execution);
    gate.open();
    EXPECT_EQ(ANeuralNetworksEvent_wait(event), OK);
    return code;
}

int addAttribute(ANeuralNetworksExecution* execution, const char* name = kExtension) {
    return ANeuralNetworksExecution_addExtensionAttribute(execution, name, 7, "ab", 2);
}

int startAfter(Fixture& w, ANeuralNetworksExecution* execution, uint64_t duration = 0) {
    const ANeuralNetworksEvent* const events[] = {w.event()};
    // A failure must set the result to null.
    *w.madeEvent.out() = reinterpret_cast<ANeuralNetworksEvent*>(0x10);
    const int code =
            startComputeWithDependencies(execution, events, 1, duration, w.madeEvent.out());
    EXPECT_EQ(w.madeEvent.get() == nullptr, code != OK);
    return code;
}

// An execution whose output has dimension 0, with a buffer of this many bytes.
ANeuralNetworksExecution* open(Fixture& w, size_t bytes) {
    ANeuralNetworksExecution* execution = w.fresh(true, 0);
    w.values.setInputs(execution, w.tensor);
    EXPECT_EQ(setOutput(execution, 0, nullptr, w.bytes.data(), bytes), OK);
    return execution;
}

// The rows of setInput and setOutput, without and with a memory.
template <auto kSet>
std::vector<Row> setterRows() {
    return {{"no execution", UNEXPECTED_NULL,
             [](Fixture& w) { return kSet(nullptr, 0, nullptr, w.bytes.data(), 16); }},
            {"bytes at null", UNEXPECTED_NULL,
             [](Fixture& w) { return kSet(w.computed(), 9, w.other, nullptr, 16); }},
            {"started", BAD_STATE,
             [](Fixture& w) { return kSet(w.computed(), 9, w.other, w.bytes.data(), 1); }},
            {"too far", BAD_DATA,
             [](Fixture& w) { return kSet(w.ready(), 2, w.other, w.bytes.data(), 1); }},
            {"negative", BAD_DATA,
             [](Fixture& w) { return kSet(w.ready(), -1, w.other, w.bytes.data(), 1); }},
            {"a type that is not legal", BAD_DATA,
             [](Fixture& w) { return kSet(w.ready(), 0, Type(77, {}), w.bytes.data(), 1); }},
            {"other dimensions", BAD_DATA,
             [](Fixture& w) { return kSet(w.ready(), 0, w.other, w.bytes.data(), 20); }},
            {"unknown where the model specifies it", BAD_DATA,
             [](Fixture& w) { return kSet(w.fresh(), 0, w.open4, w.bytes.data(), 16); }},
            {"omitted, unknown where the model specifies it", BAD_DATA,
             [](Fixture& w) { return kSet(w.fresh(), 0, w.open4, nullptr, 0); }},
            {"omitted, with the type of the model", OK,
             [](Fixture& w) { return kSet(w.fresh(), 0, w.tensor, nullptr, 0); }},
            {"omitted, unknown as in the model", OK,
             [](Fixture& w) { return kSet(w.fresh(true, 0), 0, w.open4, nullptr, 0); }},
            {"omitted, of another rank", BAD_DATA,
             [](Fixture& w) {
                 return kSet(w.fresh(), 0, Type(ANEURALNETWORKS_TENSOR_FLOAT32, {4, 1}), nullptr,
                             0);
             }},
            {"of no rank", BAD_DATA,
             [](Fixture& w) {
                 return kSet(w.fresh(), 0, Type(ANEURALNETWORKS_TENSOR_FLOAT32, {}), w.bytes.data(),
                             16);
             }},
            {"another rank", BAD_DATA,
             [](Fixture& w) {
                 return kSet(w.ready(), 0, Type(ANEURALNETWORKS_TENSOR_FLOAT32, {4, 1}),
                             w.bytes.data(), 16);
             }},
            {"too long for 32 bits", BAD_DATA,
             [](Fixture& w) {
                 return kSet(w.ready(), 0, nullptr, w.bytes.data(), (size_t{1} << 32) + 16);
             }},
            {"set already", BAD_STATE,
             [](Fixture& w) { return kSet(w.ready(), 0, nullptr, w.bytes.data(), 1); }},
            {"no bytes at an address", BAD_DATA,
             [](Fixture& w) { return kSet(w.fresh(), 0, nullptr, w.bytes.data(), 0); }},
            {"too short", BAD_DATA,
             [](Fixture& w) { return kSet(w.fresh(), 0, nullptr, w.bytes.data(), 15); }},
            {"too long", BAD_DATA,
             [](Fixture& w) { return kSet(w.fresh(), 0, nullptr, w.bytes.data(), 64); }},
            {"too short with padding", BAD_DATA,
             [](Fixture& w) {
                 ANeuralNetworksExecution* execution = w.fresh();
                 EXPECT_EQ(enableInputAndOutputPadding(execution, true), OK);
                 return kSet(execution, 0, nullptr, w.bytes.data(), 15);
             }},
            {"longer with padding", OK,
             [](Fixture& w) {
                 ANeuralNetworksExecution* execution = w.fresh();
                 EXPECT_EQ(enableInputAndOutputPadding(execution, true), OK);
                 return kSet(execution, 0, nullptr, w.bytes.data(), 64);
             }},
            {"left out", OK, [](Fixture& w) { return kSet(w.fresh(), 0, nullptr, nullptr, 0); }},
            {"with its dimensions", OK,
             [](Fixture& w) { return kSet(w.fresh(true, 0), 0, w.tensor, w.bytes.data(), 16); }}};
}
template <auto kSet>
std::vector<Row> memorySetterRows() {
    return {{"no execution", UNEXPECTED_NULL,
             [](Fixture& w) { return kSet(nullptr, 0, nullptr, w.memory(), 0, 16); }},
            {"no memory", UNEXPECTED_NULL,
             [](Fixture& w) { return kSet(w.computed(), 0, nullptr, nullptr, 0, 16); }},
            {"started", BAD_STATE,
             [](Fixture& w) { return kSet(w.computed(), 9, w.other, w.memory(), 99, 16); }},
            {"too far", BAD_DATA,
             [](Fixture& w) { return kSet(w.ready(), 2, nullptr, w.memory(), 0, 16); }},
            {"other dimensions", BAD_DATA,
             [](Fixture& w) { return kSet(w.ready(), 0, w.other, w.memory(), 0, 20); }},
            {"unknown where the model specifies it", BAD_DATA,
             [](Fixture& w) { return kSet(w.fresh(), 0, w.open4, w.memory(), 0, 16); }},
            {"behind the memory", BAD_DATA,
             [](Fixture& w) { return kSet(w.ready(), 0, nullptr, w.memory(), 52, 16); }},
            {"a sum that wraps", BAD_DATA,
             [](Fixture& w) { return kSet(w.ready(), 0, nullptr, w.memory(), SIZE_MAX - 7, 16); }},
            {"an offset that wraps in 32 bits", BAD_DATA,
             [](Fixture& w) {
                 return kSet(w.fresh(), 0, nullptr, w.memory(), size_t{1} << 32, 16);
             }},
            {"the whole of plain memory", BAD_DATA,
             [](Fixture& w) { return kSet(w.fresh(), 0, nullptr, w.memory(16), 0, 0); }},
            {"of another role", BAD_DATA,
             [](Fixture& w) { return kSet(w.ready(), 0, nullptr, w.described(), 0, 0); }},
            {"set already", BAD_STATE,
             [](Fixture& w) { return kSet(w.ready(), 0, nullptr, w.memory(), 0, 1); }},
            {"too short", BAD_DATA,
             [](Fixture& w) { return kSet(w.fresh(), 0, nullptr, w.memory(), 0, 12); }},
            {"fits", OK,
             [](Fixture& w) { return kSet(w.fresh(), 0, nullptr, w.memory(), 48, 16); }}};
}

const FunctionRows kFunctions[] = {
        {"Execution_setInput", setterRows<ANeuralNetworksExecution_setInput>()},
        {"Execution_setOutput", setterRows<ANeuralNetworksExecution_setOutput>()},
        {"Execution_setInputFromMemory",
         memorySetterRows<ANeuralNetworksExecution_setInputFromMemory>()},
        {"Execution_setOutputFromMemory",
         memorySetterRows<ANeuralNetworksExecution_setOutputFromMemory>()},
        {"Execution_free",
         {{"null", OK, [](Fixture&) { return ANeuralNetworksExecution_free(nullptr), OK; }}}},
        {"Execution_setInput",
         {{"open dimensions", BAD_DATA,
           [](Fixture& w) {
               return ANeuralNetworksExecution_setInput(w.fresh(true, 0), 0, nullptr,
                                                        w.bytes.data(), 16);
           }},
          {"dimensions that stay open", BAD_DATA,
           [](Fixture& w) {
               return ANeuralNetworksExecution_setInput(w.fresh(true, 0), 0, w.open4,
                                                        w.bytes.data(), 16);
           }}}},
        {"Execution_setOutput",
         {{"dimensions that stay open", OK,
           [](Fixture& w) { return setOutput(w.fresh(true, 0), 0, w.open4, w.bytes.data(), 99); }},
          {"open dimensions of any length", OK,
           [](Fixture& w) {
               return setOutput(w.fresh(true, 0), 0, nullptr, w.bytes.data(), 99);
           }}}},
        {"Execution_setOutputFromMemory",
         {{"dimensions that stay open", OK,
           [](Fixture& w) {
               return ANeuralNetworksExecution_setOutputFromMemory(w.fresh(true, 0), 0, w.open4,
                                                                   w.memory(), 0, 16);
           }}}},
        {"Execution_setMeasureTiming",
         {{"no execution", UNEXPECTED_NULL,
           [](Fixture&) { return setMeasureTiming(nullptr, true); }},
          {"for all devices", BAD_DATA,
           [](Fixture& w) { return setMeasureTiming(w.computed(false), true); }},
          {"started", BAD_STATE, [](Fixture& w) { return setMeasureTiming(w.computed(), true); }},
          {"for one", OK, [](Fixture& w) { return setMeasureTiming(w.fresh(), true); }}}},
        {"Execution_setTimeout",
         {{"no execution", UNEXPECTED_NULL, [](Fixture&) { return setTimeout(nullptr, 1); }},
          {"for all devices", BAD_DATA,
           [](Fixture& w) { return setTimeout(w.computed(false), 1); }},
          {"started", BAD_STATE, [](Fixture& w) { return setTimeout(w.computed(), 1); }},
          {"for one", OK, [](Fixture& w) { return setTimeout(w.fresh(), 1); }}}},
        {"Execution_setLoopTimeout",
         {{"no execution", UNEXPECTED_NULL, [](Fixture&) { return setLoopTimeout(nullptr, 1); }},
          {"started", BAD_STATE, [](Fixture& w) { return setLoopTimeout(w.computed(), 1); }},
          {"above the most", OK,
           [](Fixture& w) { return setLoopTimeout(w.fresh(), UINT64_MAX); }}}},
        {"Execution_enableInputAndOutputPadding",
         {{"no execution", UNEXPECTED_NULL,
           [](Fixture&) { return enableInputAndOutputPadding(nullptr, true); }},
          {"started", BAD_STATE,
           [](Fixture& w) { return enableInputAndOutputPadding(w.computed(), true); }},
          {"an argument is set", BAD_STATE,
           [](Fixture& w) { return enableInputAndOutputPadding(w.ready(), true); }},
          {"new", OK, [](Fixture& w) { return enableInputAndOutputPadding(w.fresh(), false); }}}},
        {"Execution_setReusable",
         {{"no execution", UNEXPECTED_NULL, [](Fixture&) { return setReusable(nullptr, true); }},
          {"started", BAD_STATE, [](Fixture& w) { return setReusable(w.computed(), true); }},
          {"new", OK, [](Fixture& w) { return setReusable(w.fresh(), true); }}}},
        {"Execution_addExtensionAttribute",
         {{"no execution", UNEXPECTED_NULL, [](Fixture&) { return addAttribute(nullptr); }},
          {"no name", UNEXPECTED_NULL,
           [](Fixture& w) { return addAttribute(w.computed(), nullptr); }},
          {"bytes at null", UNEXPECTED_NULL,
           [](Fixture& w) {
               return ANeuralNetworksExecution_addExtensionAttribute(w.computed(), kExtension, 0,
                                                                     nullptr, 1);
           }},
          {"for all devices", BAD_DATA,
           [](Fixture& w) { return addAttribute(w.computed(false), "no.such"); }},
          {"started", BAD_STATE, [](Fixture& w) { return addAttribute(w.computed(), "no.such"); }},
          {"no such extension", BAD_DATA,
           [](Fixture& w) { return addAttribute(w.fresh(), "no.such"); }},
          {"twice", BAD_DATA,
           [](Fixture& w) {
               ANeuralNetworksExecution* execution = w.fresh();
               EXPECT_EQ(addAttribute(execution), OK);
               return addAttribute(execution);
           }},
          {"once", OK, [](Fixture& w) { return addAttribute(w.fresh()); }}}},
        {"Execution_compute",
         {{"no execution", UNEXPECTED_NULL, [](Fixture&) { return compute(nullptr); }},
          {"computed", BAD_STATE, [](Fixture& w) { return compute(w.computed()); }},
          {"meanwhile", BAD_STATE,
           [](Fixture& w) {
               return whileComputing(w, [](Fixture&, ANeuralNetworksExecution* execution) {
                   return compute(execution);
               });
           }},
          {"an argument is missing", BAD_DATA, [](Fixture& w) { return compute(w.fresh()); }},
          {"after an argument was missing", BAD_STATE,
           [](Fixture& w) {
               ANeuralNetworksExecution* execution = w.fresh();
               EXPECT_EQ(compute(execution), BAD_DATA);
               return compute(execution);
           }},
          {"too late", LATE,
           [](Fixture& w) {
               ANeuralNetworksExecution* execution = w.ready();
               EXPECT_EQ(setTimeout(execution, 1), OK);
               return compute(execution);
           }},
          {"too small a buffer", INSUFFICIENT, [](Fixture& w) { return compute(open(w, 8)); }},
          {"all set", OK, [](Fixture& w) { return compute(w.ready()); }}}},
        {"Execution_burstCompute",
         {{"no execution", UNEXPECTED_NULL,
           [](Fixture& w) { return burstCompute(nullptr, w.burst(w.done())); }},
          {"no burst", UNEXPECTED_NULL,
           [](Fixture& w) { return burstCompute(w.computed(), nullptr); }},
          {"of another compilation", BAD_DATA,
           [](Fixture& w) { return burstCompute(w.computed(), w.burst(w.done())); }},
          {"computed", BAD_STATE,
           [](Fixture& w) {
               ANeuralNetworksExecution* execution = w.computed();
               return burstCompute(execution, w.burst(w.compilations.back()));
           }},
          {"an argument is missing", BAD_DATA,
           [](Fixture& w) {
               ANeuralNetworksExecution* execution = w.fresh();
               return burstCompute(execution, w.burst(w.compilations.back()));
           }},
          {"all set", OK,
           [](Fixture& w) {
               ANeuralNetworksExecution* execution = w.ready();
               return burstCompute(execution, w.burst(w.compilations.back()));
           }}}},
        {"Execution_startCompute",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture& w) { return startCompute(w.computed(), nullptr); }},
          {"no execution", UNEXPECTED_NULL,
           [](Fixture& w) { return startCompute(nullptr, w.madeEvent.out()); }},
          {"computed", BAD_STATE,
           [](Fixture& w) { return startCompute(w.computed(), w.madeEvent.out()); }},
          {"an argument is missing", BAD_DATA,
           [](Fixture& w) { return startCompute(w.fresh(), w.madeEvent.out()); }},
          {"all set", OK, [](Fixture& w) { return startCompute(w.ready(), w.madeEvent.out()); }}}},
        {"Execution_startComputeWithDependencies",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture& w) {
               return startComputeWithDependencies(w.computed(), nullptr, 0, 0, nullptr);
           }},
          {"no execution", UNEXPECTED_NULL, [](Fixture& w) { return startAfter(w, nullptr); }},
          {"events at null", UNEXPECTED_NULL,
           [](Fixture& w) {
               return startComputeWithDependencies(w.computed(), nullptr, 1, 0, w.madeEvent.out());
           }},
          {"an event that is null", UNEXPECTED_NULL,
           [](Fixture& w) {
               return startComputeWithDependencies(w.computed(), kNoEvent, 1, 0, w.madeEvent.out());
           }},
          {"computed", BAD_STATE, [](Fixture& w) { return startAfter(w, w.computed(false), 1); }},
          {"a time for all devices", BAD_DATA,
           [](Fixture& w) { return startAfter(w, w.ready(false), 1); }},
          {"an argument is missing", BAD_DATA, [](Fixture& w) { return startAfter(w, w.fresh()); }},
          {"an output of unknown size", BAD_DATA,
           [](Fixture& w) { return startAfter(w, open(w, 16)); }},
          {"a driver that fails", OP_FAILED,
           [](Fixture& w) {
               FakeOptions options = npuOptions();
               options.onExecute = [] { return error() << "it is broken"; };
               useDevices({options});
               return startAfter(w, w.ready());
           }},
          {"all set", OK, [](Fixture& w) { return startAfter(w, w.ready(), UINT64_MAX); }}}},
        {"Execution_getOutputOperandRank",
         {{"no execution", UNEXPECTED_NULL,
           [](Fixture& w) { return getOutputOperandRank(nullptr, 0, &w.out.number); }},
          {"no place", UNEXPECTED_NULL,
           [](Fixture& w) { return getOutputOperandRank(w.ready(), 9, nullptr); }},
          {"not computed", BAD_STATE,
           [](Fixture& w) { return getOutputOperandRank(w.ready(), 9, &w.out.number); }},
          {"failed", BAD_STATE,
           [](Fixture& w) { return getOutputOperandRank(w.wrong(), 9, &w.out.number); }},
          {"too far", BAD_DATA,
           [](Fixture& w) { return getOutputOperandRank(w.computed(), 1, &w.out.number); }},
          {"negative", BAD_DATA,
           [](Fixture& w) { return getOutputOperandRank(w.computed(), -1, &w.out.number); }},
          {"too small a buffer", INSUFFICIENT,
           [](Fixture& w) {
               ANeuralNetworksExecution* execution = open(w, 8);
               EXPECT_EQ(compute(execution), INSUFFICIENT);
               const int code = getOutputOperandRank(execution, 0, &w.out.number);
               return w.out.number == 1 ? code : -1;
           }},
          {"one", OK,
           [](Fixture& w) {
               const int code = getOutputOperandRank(w.computed(), 0, &w.out.number);
               return w.out.number == 1 ? code : -1;
           }}}},
        {"Execution_getOutputOperandDimensions",
         {{"no execution", UNEXPECTED_NULL,
           [](Fixture& w) { return getOutputOperandDimensions(nullptr, 0, w.out.dimensions); }},
          {"no place", UNEXPECTED_NULL,
           [](Fixture& w) { return getOutputOperandDimensions(w.ready(), 9, nullptr); }},
          {"not computed", BAD_STATE,
           [](Fixture& w) { return getOutputOperandDimensions(w.ready(), 9, w.out.dimensions); }},
          {"failed", BAD_STATE,
           [](Fixture& w) { return getOutputOperandDimensions(w.wrong(), 9, w.out.dimensions); }},
          {"too far", BAD_DATA,
           [](Fixture& w) {
               return getOutputOperandDimensions(w.computed(), 1, w.out.dimensions);
           }},
          {"too small a buffer", INSUFFICIENT,
           [](Fixture& w) {
               ANeuralNetworksExecution* execution = open(w, 8);
               EXPECT_EQ(compute(execution), INSUFFICIENT);
               const int code = getOutputOperandDimensions(execution, 0, w.out.dimensions);
               return w.out.dimensions[0] == 4 ? code : -1;
           }},
          {"that were open", OK,
           [](Fixture& w) {
               ANeuralNetworksExecution* execution = open(w, 16);
               EXPECT_EQ(compute(execution), OK);
               const int code = getOutputOperandDimensions(execution, 0, w.out.dimensions);
               return w.out.dimensions[0] == 4 ? code : -1;
           }}}},
        {"Execution_getDuration",
         {{"no execution", UNEXPECTED_NULL,
           [](Fixture& w) { return getDuration(nullptr, 0, &w.out.time); }},
          {"no place", UNEXPECTED_NULL,
           [](Fixture& w) { return getDuration(w.ready(), 9, nullptr); }},
          {"no such duration", BAD_DATA,
           [](Fixture& w) { return getDuration(w.ready(), 4, &w.out.time); }},
          {"negative", BAD_DATA,
           [](Fixture& w) { return getDuration(w.ready(), -1, &w.out.time); }},
          {"not computed", BAD_STATE,
           [](Fixture& w) {
               const int code = getDuration(w.ready(), 0, &w.out.time);
               return w.out.time == UINT64_MAX ? code : -1;
           }},
          {"failed", BAD_STATE, [](Fixture& w) { return getDuration(w.wrong(), 0, &w.out.time); }},
          {"not measured", BAD_STATE,
           [](Fixture& w) { return getDuration(w.computed(), 0, &w.out.time); }},
          {"no longer measured", BAD_STATE,
           [](Fixture& w) {
               ANeuralNetworksExecution* execution = w.ready();
               for (const bool isMeasured : {true, false}) {
                   EXPECT_EQ(setMeasureTiming(execution, isMeasured), OK);
               }
               EXPECT_EQ(compute(execution), OK);
               return getDuration(execution, 0, &w.out.time);
           }},
          {"not told", OK,
           [](Fixture& w) {
               const int code = getDuration(w.timed({}), 0, &w.out.time);
               return w.out.time == UINT64_MAX ? code : -1;
           }},
          {"in the driver", OK,
           [](Fixture& w) {
               const int code = getDuration(w.timed({Duration(10), Duration(20)}), 1, &w.out.time);
               return w.out.time == 20 ? code : -1;
           }},
          {"on the hardware after fences", OK,
           [](Fixture& w) {
               const int code = getDuration(w.timed({Duration(10), Duration(20)}), 2, &w.out.time);
               return w.out.time == 10 ? code : -1;
           }}}},
        {"Event_wait",
         {{"no event", UNEXPECTED_NULL,
           [](Fixture&) { return ANeuralNetworksEvent_wait(nullptr); }},
          {"twice", OK,
           [](Fixture& w) {
               ANeuralNetworksEvent* event = w.event();
               EXPECT_EQ(ANeuralNetworksEvent_wait(event), OK);
               return ANeuralNetworksEvent_wait(event);
           }},
          {"a failure", ANEURALNETWORKS_DEAD_OBJECT,
           [](Fixture& w) {
               FakeOptions options = npuOptions();
               options.onExecute = [] { return error(ErrorStatus::DEAD_OBJECT) << "gone"; };
               useDevices({options});
               EXPECT_EQ(startCompute(w.ready(), w.madeEvent.out()), OK);
               return ANeuralNetworksEvent_wait(w.madeEvent);
           }}}},
        {"Event_free",
         {{"null", OK, [](Fixture&) { return ANeuralNetworksEvent_free(nullptr), OK; }}}},
        {"Event_createFromSyncFenceFd",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture&) { return createFromSyncFenceFd(-1, nullptr); }},
          {"0", BAD_DATA, [](Fixture& w) { return createFromSyncFenceFd(0, w.madeEvent.out()); }},
          {"not open", BAD_DATA,
           [](Fixture& w) { return createFromSyncFenceFd(1 << 20, w.madeEvent.out()); }},
          {"a pipe", OK,
           [](Fixture& w) {
               w.pipe.signal();
               return createFromSyncFenceFd(w.pipe.fence(), w.madeEvent.out());
           }}}},
        {"Event_getSyncFenceFd",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture& w) { return getSyncFenceFd(w.event(), nullptr); }},
          {"no event", UNEXPECTED_NULL,
           [](Fixture& w) { return getSyncFenceFd(nullptr, &w.out.fd); }},
          {"of an execution in a thread", BAD_DATA,
           [](Fixture& w) {
               EXPECT_EQ(startCompute(w.ready(), w.madeEvent.out()), OK);
               const int code = getSyncFenceFd(w.madeEvent, &w.out.fd);
               return w.out.fd == -1 ? code : -1;
           }},
          {"a descriptor of its own", OK,
           [](Fixture& w) {
               const int code = getSyncFenceFd(w.event(), &w.out.fd);
               return w.out.fd != w.pipe.fence() && close(w.out.fd) == 0 ? code : -1;
           }}}},
};

}  // namespace
}  // namespace execution_rows

std::span<const FunctionRows> executionRows() { return execution_rows::kFunctions; }

}  // namespace nn::c_api
