#include <condition_variable>
#include <mutex>

#include "runtime/check_rows.h"

namespace nn::c_api {
namespace execution_rows {
namespace {

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
    EXPECT_EQ(ANeuralNetworksExecution_startCompute(execution, event.out()), OK);
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
    const int code = ANeuralNetworksExecution_startComputeWithDependencies(
            execution, events, 1, duration, w.madeEvent.out());
    EXPECT_EQ(w.madeEvent.get() == nullptr, code != OK);
    return code;
}

// An execution whose output has dimension 0, with a buffer of this many bytes.
ANeuralNetworksExecution* open(Fixture& w, size_t bytes) {
    ANeuralNetworksExecution* execution = w.fresh(true, 0);
    w.values.setInputs(execution, w.tensor);
    EXPECT_EQ(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, w.bytes.data(), bytes), OK);
    return execution;
}

// Rows of setInput and setOutput, and of the variants with memories: `function` and its arguments
// vary.
#define SETTERS(function)                                                                          \
    {"Execution_" #function, "no execution",                                                       \
     [](Fixture& w) {                                                                              \
         return ANeuralNetworksExecution_##function(nullptr, 0, nullptr, w.bytes.data(), 16);      \
     },                                                                                            \
     UNEXPECTED_NULL},                                                                             \
            {"Execution_" #function, "bytes at null",                                              \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.computed(), 9, w.other, nullptr,     \
                                                            16);                                   \
             },                                                                                    \
             UNEXPECTED_NULL},                                                                     \
            {"Execution_" #function, "started",                                                    \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.computed(), 9, w.other,              \
                                                            w.bytes.data(), 1);                    \
             },                                                                                    \
             BAD_STATE},                                                                           \
            {"Execution_" #function, "too far",                                                    \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.ready(), 2, w.other, w.bytes.data(), \
                                                            1);                                    \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "negative",                                                   \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.ready(), -1, w.other,                \
                                                            w.bytes.data(), 1);                    \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "a type that is not legal",                                   \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.ready(), 0, Type(77, {}),            \
                                                            w.bytes.data(), 1);                    \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "other dimensions",                                           \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.ready(), 0, w.other, w.bytes.data(), \
                                                            20);                                   \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "unknown where the model specifies it",                       \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.fresh(), 0, w.open4, w.bytes.data(), \
                                                            16);                                   \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "omitted, unknown where the model specifies it",              \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.fresh(), 0, w.open4, nullptr, 0);    \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "omitted, with the type of the model",                        \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.fresh(), 0, w.tensor, nullptr, 0);   \
             },                                                                                    \
             OK},                                                                                  \
            {"Execution_" #function, "omitted, unknown as in the model",                           \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.fresh(true, 0), 0, w.open4, nullptr, \
                                                            0);                                    \
             },                                                                                    \
             OK},                                                                                  \
            {"Execution_" #function, "omitted, of another rank",                                   \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(                                       \
                         w.fresh(), 0, Type(ANEURALNETWORKS_TENSOR_FLOAT32, {4, 1}), nullptr, 0);  \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "of no rank",                                                 \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(                                       \
                         w.fresh(), 0, Type(ANEURALNETWORKS_TENSOR_FLOAT32, {}), w.bytes.data(),   \
                         16);                                                                      \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function "FromMemory", "unknown where the model specifies it",          \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function##FromMemory(w.fresh(), 0, w.open4,     \
                                                                        w.memory(), 0, 16);        \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "another rank",                                               \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(                                       \
                         w.ready(), 0, Type(ANEURALNETWORKS_TENSOR_FLOAT32, {4, 1}),               \
                         w.bytes.data(), 16);                                                      \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "too long for 32 bits",                                       \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.ready(), 0, nullptr, w.bytes.data(), \
                                                            (size_t{1} << 32) + 16);               \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "set already",                                                \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.ready(), 0, nullptr, w.bytes.data(), \
                                                            1);                                    \
             },                                                                                    \
             BAD_STATE},                                                                           \
            {"Execution_" #function, "no bytes at an address",                                     \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.fresh(), 0, nullptr, w.bytes.data(), \
                                                            0);                                    \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "too short",                                                  \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.fresh(), 0, nullptr, w.bytes.data(), \
                                                            15);                                   \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "too long",                                                   \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.fresh(), 0, nullptr, w.bytes.data(), \
                                                            64);                                   \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "too short with padding",                                     \
             [](Fixture& w) {                                                                      \
                 ANeuralNetworksExecution* execution = w.fresh();                                  \
                 EXPECT_EQ(ANeuralNetworksExecution_enableInputAndOutputPadding(execution, true),  \
                           OK);                                                                    \
                 return ANeuralNetworksExecution_##function(execution, 0, nullptr, w.bytes.data(), \
                                                            15);                                   \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function, "longer with padding",                                        \
             [](Fixture& w) {                                                                      \
                 ANeuralNetworksExecution* execution = w.fresh();                                  \
                 EXPECT_EQ(ANeuralNetworksExecution_enableInputAndOutputPadding(execution, true),  \
                           OK);                                                                    \
                 return ANeuralNetworksExecution_##function(execution, 0, nullptr, w.bytes.data(), \
                                                            64);                                   \
             },                                                                                    \
             OK},                                                                                  \
            {"Execution_" #function, "left out",                                                   \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.fresh(), 0, nullptr, nullptr, 0);    \
             },                                                                                    \
             OK},                                                                                  \
            {"Execution_" #function, "with its dimensions",                                        \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function(w.fresh(true, 0), 0, w.tensor,         \
                                                            w.bytes.data(), 16);                   \
             },                                                                                    \
             OK},                                                                                  \
            {"Execution_" #function "FromMemory", "no execution",                                  \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function##FromMemory(nullptr, 0, nullptr,       \
                                                                        w.memory(), 0, 16);        \
             },                                                                                    \
             UNEXPECTED_NULL},                                                                     \
            {"Execution_" #function "FromMemory", "no memory",                                     \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function##FromMemory(w.computed(), 0, nullptr,  \
                                                                        nullptr, 0, 16);           \
             },                                                                                    \
             UNEXPECTED_NULL},                                                                     \
            {"Execution_" #function "FromMemory", "started",                                       \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function##FromMemory(w.computed(), 9, w.other,  \
                                                                        w.memory(), 99, 16);       \
             },                                                                                    \
             BAD_STATE},                                                                           \
            {"Execution_" #function "FromMemory", "too far",                                       \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function##FromMemory(w.ready(), 2, nullptr,     \
                                                                        w.memory(), 0, 16);        \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function "FromMemory", "other dimensions",                              \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function##FromMemory(w.ready(), 0, w.other,     \
                                                                        w.memory(), 0, 20);        \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function "FromMemory", "behind the memory",                             \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function##FromMemory(w.ready(), 0, nullptr,     \
                                                                        w.memory(), 52, 16);       \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function "FromMemory", "a sum that wraps",                              \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function##FromMemory(                           \
                         w.ready(), 0, nullptr, w.memory(), SIZE_MAX - 7, 16);                     \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function "FromMemory", "an offset that wraps in 32 bits",               \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function##FromMemory(                           \
                         w.fresh(), 0, nullptr, w.memory(), size_t{1} << 32, 16);                  \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function "FromMemory", "the whole of plain memory",                     \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function##FromMemory(w.fresh(), 0, nullptr,     \
                                                                        w.memory(16), 0, 0);       \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function "FromMemory", "of another role",                               \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function##FromMemory(w.ready(), 0, nullptr,     \
                                                                        w.described(), 0, 0);      \
             },                                                                                    \
             BAD_DATA},                                                                            \
            {"Execution_" #function "FromMemory", "set already",                                   \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function##FromMemory(w.ready(), 0, nullptr,     \
                                                                        w.memory(), 0, 1);         \
             },                                                                                    \
             BAD_STATE},                                                                           \
            {"Execution_" #function "FromMemory", "too short",                                     \
             [](Fixture& w) {                                                                      \
                 return ANeuralNetworksExecution_##function##FromMemory(w.fresh(), 0, nullptr,     \
                                                                        w.memory(), 0, 12);        \
             },                                                                                    \
             BAD_DATA},                                                                            \
    {                                                                                              \
        "Execution_" #function "FromMemory", "fits",                                               \
                [](Fixture& w) {                                                                   \
                    return ANeuralNetworksExecution_##function##FromMemory(w.fresh(), 0, nullptr,  \
                                                                           w.memory(), 48, 16);    \
                },                                                                                 \
                OK                                                                                 \
    }

const Row kRows[] = {
        {"Execution_free", "null",
         [](Fixture&) { return ANeuralNetworksExecution_free(nullptr), OK; }, OK},
        SETTERS(setInput),
        SETTERS(setOutput),
        {"Execution_setInput", "open dimensions",
         [](Fixture& w) {
             return ANeuralNetworksExecution_setInput(w.fresh(true, 0), 0, nullptr, w.bytes.data(),
                                                      16);
         },
         BAD_DATA},
        {"Execution_setInput", "dimensions that stay open",
         [](Fixture& w) {
             return ANeuralNetworksExecution_setInput(w.fresh(true, 0), 0, w.open4, w.bytes.data(),
                                                      16);
         },
         BAD_DATA},
        {"Execution_setOutput", "dimensions that stay open",
         [](Fixture& w) {
             return ANeuralNetworksExecution_setOutput(w.fresh(true, 0), 0, w.open4, w.bytes.data(),
                                                       99);
         },
         OK},
        {"Execution_setOutputFromMemory", "dimensions that stay open",
         [](Fixture& w) {
             return ANeuralNetworksExecution_setOutputFromMemory(w.fresh(true, 0), 0, w.open4,
                                                                 w.memory(), 0, 16);
         },
         OK},
        {"Execution_setOutput", "open dimensions of any length",
         [](Fixture& w) {
             return ANeuralNetworksExecution_setOutput(w.fresh(true, 0), 0, nullptr, w.bytes.data(),
                                                       99);
         },
         OK},

        {"Execution_setMeasureTiming", "no execution",
         [](Fixture&) { return ANeuralNetworksExecution_setMeasureTiming(nullptr, true); },
         UNEXPECTED_NULL},
        {"Execution_setMeasureTiming", "for all devices",
         [](Fixture& w) {
             return ANeuralNetworksExecution_setMeasureTiming(w.computed(false), true);
         },
         BAD_DATA},
        {"Execution_setMeasureTiming", "started",
         [](Fixture& w) { return ANeuralNetworksExecution_setMeasureTiming(w.computed(), true); },
         BAD_STATE},
        {"Execution_setMeasureTiming", "for one",
         [](Fixture& w) { return ANeuralNetworksExecution_setMeasureTiming(w.fresh(), true); }, OK},
        {"Execution_setTimeout", "no execution",
         [](Fixture&) { return ANeuralNetworksExecution_setTimeout(nullptr, 1); }, UNEXPECTED_NULL},
        {"Execution_setTimeout", "for all devices",
         [](Fixture& w) { return ANeuralNetworksExecution_setTimeout(w.computed(false), 1); },
         BAD_DATA},
        {"Execution_setTimeout", "started",
         [](Fixture& w) { return ANeuralNetworksExecution_setTimeout(w.computed(), 1); },
         BAD_STATE},
        {"Execution_setTimeout", "for one",
         [](Fixture& w) { return ANeuralNetworksExecution_setTimeout(w.fresh(), 1); }, OK},
        {"Execution_setLoopTimeout", "no execution",
         [](Fixture&) { return ANeuralNetworksExecution_setLoopTimeout(nullptr, 1); },
         UNEXPECTED_NULL},
        {"Execution_setLoopTimeout", "started",
         [](Fixture& w) { return ANeuralNetworksExecution_setLoopTimeout(w.computed(), 1); },
         BAD_STATE},
        {"Execution_setLoopTimeout", "above the most",
         [](Fixture& w) { return ANeuralNetworksExecution_setLoopTimeout(w.fresh(), UINT64_MAX); },
         OK},
        {"Execution_enableInputAndOutputPadding", "no execution",
         [](Fixture&) {
             return ANeuralNetworksExecution_enableInputAndOutputPadding(nullptr, true);
         },
         UNEXPECTED_NULL},
        {"Execution_enableInputAndOutputPadding", "started",
         [](Fixture& w) {
             return ANeuralNetworksExecution_enableInputAndOutputPadding(w.computed(), true);
         },
         BAD_STATE},
        {"Execution_enableInputAndOutputPadding", "an argument is set",
         [](Fixture& w) {
             return ANeuralNetworksExecution_enableInputAndOutputPadding(w.ready(), true);
         },
         BAD_STATE},
        {"Execution_enableInputAndOutputPadding", "new",
         [](Fixture& w) {
             return ANeuralNetworksExecution_enableInputAndOutputPadding(w.fresh(), false);
         },
         OK},
        {"Execution_setReusable", "no execution",
         [](Fixture&) { return ANeuralNetworksExecution_setReusable(nullptr, true); },
         UNEXPECTED_NULL},
        {"Execution_setReusable", "started",
         [](Fixture& w) { return ANeuralNetworksExecution_setReusable(w.computed(), true); },
         BAD_STATE},
        {"Execution_setReusable", "new",
         [](Fixture& w) { return ANeuralNetworksExecution_setReusable(w.fresh(), true); }, OK},
        {"Execution_addExtensionAttribute", "no execution",
         [](Fixture&) { return addAttribute(nullptr); }, UNEXPECTED_NULL},
        {"Execution_addExtensionAttribute", "no name",
         [](Fixture& w) { return addAttribute(w.computed(), nullptr); }, UNEXPECTED_NULL},
        {"Execution_addExtensionAttribute", "bytes at null",
         [](Fixture& w) {
             return ANeuralNetworksExecution_addExtensionAttribute(w.computed(), kExtension, 0,
                                                                   nullptr, 1);
         },
         UNEXPECTED_NULL},
        {"Execution_addExtensionAttribute", "for all devices",
         [](Fixture& w) { return addAttribute(w.computed(false), "no.such"); }, BAD_DATA},
        {"Execution_addExtensionAttribute", "started",
         [](Fixture& w) { return addAttribute(w.computed(), "no.such"); }, BAD_STATE},
        {"Execution_addExtensionAttribute", "no such extension",
         [](Fixture& w) { return addAttribute(w.fresh(), "no.such"); }, BAD_DATA},
        {"Execution_addExtensionAttribute", "twice",
         [](Fixture& w) {
             ANeuralNetworksExecution* execution = w.fresh();
             EXPECT_EQ(addAttribute(execution), OK);
             return addAttribute(execution);
         },
         BAD_DATA},
        {"Execution_addExtensionAttribute", "once",
         [](Fixture& w) { return addAttribute(w.fresh()); }, OK},

        {"Execution_compute", "no execution",
         [](Fixture&) { return ANeuralNetworksExecution_compute(nullptr); }, UNEXPECTED_NULL},
        {"Execution_compute", "computed",
         [](Fixture& w) { return ANeuralNetworksExecution_compute(w.computed()); }, BAD_STATE},
        {"Execution_compute", "meanwhile",
         [](Fixture& w) {
             return whileComputing(w, [](Fixture&, ANeuralNetworksExecution* execution) {
                 return ANeuralNetworksExecution_compute(execution);
             });
         },
         BAD_STATE},
        {"Execution_compute", "an argument is missing",
         [](Fixture& w) { return ANeuralNetworksExecution_compute(w.fresh()); }, BAD_DATA},
        {"Execution_compute", "after an argument was missing",
         [](Fixture& w) {
             ANeuralNetworksExecution* execution = w.fresh();
             EXPECT_EQ(ANeuralNetworksExecution_compute(execution), BAD_DATA);
             return ANeuralNetworksExecution_compute(execution);
         },
         BAD_STATE},
        {"Execution_compute", "too late",
         [](Fixture& w) {
             ANeuralNetworksExecution* execution = w.ready();
             EXPECT_EQ(ANeuralNetworksExecution_setTimeout(execution, 1), OK);
             return ANeuralNetworksExecution_compute(execution);
         },
         LATE},
        {"Execution_compute", "too small a buffer",
         [](Fixture& w) { return ANeuralNetworksExecution_compute(open(w, 8)); }, INSUFFICIENT},
        {"Execution_compute", "all set",
         [](Fixture& w) { return ANeuralNetworksExecution_compute(w.ready()); }, OK},
        {"Execution_burstCompute", "no execution",
         [](Fixture& w) {
             return ANeuralNetworksExecution_burstCompute(nullptr, w.burst(w.done()));
         },
         UNEXPECTED_NULL},
        {"Execution_burstCompute", "no burst",
         [](Fixture& w) { return ANeuralNetworksExecution_burstCompute(w.computed(), nullptr); },
         UNEXPECTED_NULL},
        {"Execution_burstCompute", "of another compilation",
         [](Fixture& w) {
             return ANeuralNetworksExecution_burstCompute(w.computed(), w.burst(w.done()));
         },
         BAD_DATA},
        {"Execution_burstCompute", "computed",
         [](Fixture& w) {
             ANeuralNetworksExecution* execution = w.computed();
             return ANeuralNetworksExecution_burstCompute(execution,
                                                          w.burst(w.compilations.back()));
         },
         BAD_STATE},
        {"Execution_burstCompute", "an argument is missing",
         [](Fixture& w) {
             ANeuralNetworksExecution* execution = w.fresh();
             return ANeuralNetworksExecution_burstCompute(execution,
                                                          w.burst(w.compilations.back()));
         },
         BAD_DATA},
        {"Execution_burstCompute", "all set",
         [](Fixture& w) {
             ANeuralNetworksExecution* execution = w.ready();
             return ANeuralNetworksExecution_burstCompute(execution,
                                                          w.burst(w.compilations.back()));
         },
         OK},
        {"Execution_startCompute", "no place",
         [](Fixture& w) { return ANeuralNetworksExecution_startCompute(w.computed(), nullptr); },
         UNEXPECTED_NULL},
        {"Execution_startCompute", "no execution",
         [](Fixture& w) {
             return ANeuralNetworksExecution_startCompute(nullptr, w.madeEvent.out());
         },
         UNEXPECTED_NULL},
        {"Execution_startCompute", "computed",
         [](Fixture& w) {
             return ANeuralNetworksExecution_startCompute(w.computed(), w.madeEvent.out());
         },
         BAD_STATE},
        {"Execution_startCompute", "an argument is missing",
         [](Fixture& w) {
             return ANeuralNetworksExecution_startCompute(w.fresh(), w.madeEvent.out());
         },
         BAD_DATA},
        {"Execution_startCompute", "all set",
         [](Fixture& w) {
             return ANeuralNetworksExecution_startCompute(w.ready(), w.madeEvent.out());
         },
         OK},
        {"Execution_startComputeWithDependencies", "no place",
         [](Fixture& w) {
             return ANeuralNetworksExecution_startComputeWithDependencies(w.computed(), nullptr, 0,
                                                                          0, nullptr);
         },
         UNEXPECTED_NULL},
        {"Execution_startComputeWithDependencies", "no execution",
         [](Fixture& w) { return startAfter(w, nullptr); }, UNEXPECTED_NULL},
        {"Execution_startComputeWithDependencies", "events at null",
         [](Fixture& w) {
             return ANeuralNetworksExecution_startComputeWithDependencies(w.computed(), nullptr, 1,
                                                                          0, w.madeEvent.out());
         },
         UNEXPECTED_NULL},
        {"Execution_startComputeWithDependencies", "an event that is null",
         [](Fixture& w) {
             return ANeuralNetworksExecution_startComputeWithDependencies(w.computed(), kNoEvent, 1,
                                                                          0, w.madeEvent.out());
         },
         UNEXPECTED_NULL},
        {"Execution_startComputeWithDependencies", "computed",
         [](Fixture& w) { return startAfter(w, w.computed(false), 1); }, BAD_STATE},
        {"Execution_startComputeWithDependencies", "a time for all devices",
         [](Fixture& w) { return startAfter(w, w.ready(false), 1); }, BAD_DATA},
        {"Execution_startComputeWithDependencies", "an argument is missing",
         [](Fixture& w) { return startAfter(w, w.fresh()); }, BAD_DATA},
        {"Execution_startComputeWithDependencies", "an output of unknown size",
         [](Fixture& w) { return startAfter(w, open(w, 16)); }, BAD_DATA},
        {"Execution_startComputeWithDependencies", "a driver that fails",
         [](Fixture& w) {
             FakeOptions options = npuOptions();
             options.onExecute = [] { return error() << "it is broken"; };
             useDevices({options});
             return startAfter(w, w.ready());
         },
         OP_FAILED},
        {"Execution_startComputeWithDependencies", "all set",
         [](Fixture& w) { return startAfter(w, w.ready(), UINT64_MAX); }, OK},

        {"Execution_getOutputOperandRank", "no execution",
         [](Fixture& w) {
             return ANeuralNetworksExecution_getOutputOperandRank(nullptr, 0, &w.out.number);
         },
         UNEXPECTED_NULL},
        {"Execution_getOutputOperandRank", "no place",
         [](Fixture& w) {
             return ANeuralNetworksExecution_getOutputOperandRank(w.ready(), 9, nullptr);
         },
         UNEXPECTED_NULL},
        {"Execution_getOutputOperandRank", "not computed",
         [](Fixture& w) {
             return ANeuralNetworksExecution_getOutputOperandRank(w.ready(), 9, &w.out.number);
         },
         BAD_STATE},
        {"Execution_getOutputOperandRank", "failed",
         [](Fixture& w) {
             return ANeuralNetworksExecution_getOutputOperandRank(w.wrong(), 9, &w.out.number);
         },
         BAD_STATE},
        {"Execution_getOutputOperandRank", "too far",
         [](Fixture& w) {
             return ANeuralNetworksExecution_getOutputOperandRank(w.computed(), 1, &w.out.number);
         },
         BAD_DATA},
        {"Execution_getOutputOperandRank", "negative",
         [](Fixture& w) {
             return ANeuralNetworksExecution_getOutputOperandRank(w.computed(), -1, &w.out.number);
         },
         BAD_DATA},
        {"Execution_getOutputOperandRank", "too small a buffer",
         [](Fixture& w) {
             ANeuralNetworksExecution* execution = open(w, 8);
             EXPECT_EQ(ANeuralNetworksExecution_compute(execution), INSUFFICIENT);
             const int code =
                     ANeuralNetworksExecution_getOutputOperandRank(execution, 0, &w.out.number);
             return w.out.number == 1 ? code : -1;
         },
         INSUFFICIENT},
        {"Execution_getOutputOperandRank", "one",
         [](Fixture& w) {
             const int code =
                     ANeuralNetworksExecution_getOutputOperandRank(w.computed(), 0, &w.out.number);
             return w.out.number == 1 ? code : -1;
         },
         OK},
        {"Execution_getOutputOperandDimensions", "no execution",
         [](Fixture& w) {
             return ANeuralNetworksExecution_getOutputOperandDimensions(nullptr, 0,
                                                                        w.out.dimensions);
         },
         UNEXPECTED_NULL},
        {"Execution_getOutputOperandDimensions", "no place",
         [](Fixture& w) {
             return ANeuralNetworksExecution_getOutputOperandDimensions(w.ready(), 9, nullptr);
         },
         UNEXPECTED_NULL},
        {"Execution_getOutputOperandDimensions", "not computed",
         [](Fixture& w) {
             return ANeuralNetworksExecution_getOutputOperandDimensions(w.ready(), 9,
                                                                        w.out.dimensions);
         },
         BAD_STATE},
        {"Execution_getOutputOperandDimensions", "failed",
         [](Fixture& w) {
             return ANeuralNetworksExecution_getOutputOperandDimensions(w.wrong(), 9,
                                                                        w.out.dimensions);
         },
         BAD_STATE},
        {"Execution_getOutputOperandDimensions", "too far",
         [](Fixture& w) {
             return ANeuralNetworksExecution_getOutputOperandDimensions(w.computed(), 1,
                                                                        w.out.dimensions);
         },
         BAD_DATA},
        {"Execution_getOutputOperandDimensions", "too small a buffer",
         [](Fixture& w) {
             ANeuralNetworksExecution* execution = open(w, 8);
             EXPECT_EQ(ANeuralNetworksExecution_compute(execution), INSUFFICIENT);
             const int code = ANeuralNetworksExecution_getOutputOperandDimensions(execution, 0,
                                                                                  w.out.dimensions);
             return w.out.dimensions[0] == 4 ? code : -1;
         },
         INSUFFICIENT},
        {"Execution_getOutputOperandDimensions", "that were open",
         [](Fixture& w) {
             ANeuralNetworksExecution* execution = open(w, 16);
             EXPECT_EQ(ANeuralNetworksExecution_compute(execution), OK);
             const int code = ANeuralNetworksExecution_getOutputOperandDimensions(execution, 0,
                                                                                  w.out.dimensions);
             return w.out.dimensions[0] == 4 ? code : -1;
         },
         OK},

        {"Execution_getDuration", "no execution",
         [](Fixture& w) { return ANeuralNetworksExecution_getDuration(nullptr, 0, &w.out.time); },
         UNEXPECTED_NULL},
        {"Execution_getDuration", "no place",
         [](Fixture& w) { return ANeuralNetworksExecution_getDuration(w.ready(), 9, nullptr); },
         UNEXPECTED_NULL},
        {"Execution_getDuration", "no such duration",
         [](Fixture& w) { return ANeuralNetworksExecution_getDuration(w.ready(), 4, &w.out.time); },
         BAD_DATA},
        {"Execution_getDuration", "negative",
         [](Fixture& w) {
             return ANeuralNetworksExecution_getDuration(w.ready(), -1, &w.out.time);
         },
         BAD_DATA},
        {"Execution_getDuration", "not computed",
         [](Fixture& w) {
             const int code = ANeuralNetworksExecution_getDuration(w.ready(), 0, &w.out.time);
             return w.out.time == UINT64_MAX ? code : -1;
         },
         BAD_STATE},
        {"Execution_getDuration", "failed",
         [](Fixture& w) { return ANeuralNetworksExecution_getDuration(w.wrong(), 0, &w.out.time); },
         BAD_STATE},
        {"Execution_getDuration", "not measured",
         [](Fixture& w) {
             return ANeuralNetworksExecution_getDuration(w.computed(), 0, &w.out.time);
         },
         BAD_STATE},
        {"Execution_getDuration", "no longer measured",
         [](Fixture& w) {
             ANeuralNetworksExecution* execution = w.ready();
             for (const bool isMeasured : {true, false}) {
                 EXPECT_EQ(ANeuralNetworksExecution_setMeasureTiming(execution, isMeasured), OK);
             }
             EXPECT_EQ(ANeuralNetworksExecution_compute(execution), OK);
             return ANeuralNetworksExecution_getDuration(execution, 0, &w.out.time);
         },
         BAD_STATE},
        {"Execution_getDuration", "not told",
         [](Fixture& w) {
             const int code = ANeuralNetworksExecution_getDuration(w.timed({}), 0, &w.out.time);
             return w.out.time == UINT64_MAX ? code : -1;
         },
         OK},
        {"Execution_getDuration", "in the driver",
         [](Fixture& w) {
             const int code = ANeuralNetworksExecution_getDuration(
                     w.timed({Duration(10), Duration(20)}), 1, &w.out.time);
             return w.out.time == 20 ? code : -1;
         },
         OK},
        {"Execution_getDuration", "on the hardware after fences",
         [](Fixture& w) {
             const int code = ANeuralNetworksExecution_getDuration(
                     w.timed({Duration(10), Duration(20)}), 2, &w.out.time);
             return w.out.time == 10 ? code : -1;
         },
         OK},

        {"Event_wait", "no event", [](Fixture&) { return ANeuralNetworksEvent_wait(nullptr); },
         UNEXPECTED_NULL},
        {"Event_wait", "twice",
         [](Fixture& w) {
             ANeuralNetworksEvent* event = w.event();
             EXPECT_EQ(ANeuralNetworksEvent_wait(event), OK);
             return ANeuralNetworksEvent_wait(event);
         },
         OK},
        {"Event_wait", "a failure",
         [](Fixture& w) {
             FakeOptions options = npuOptions();
             options.onExecute = [] { return error(ErrorStatus::DEAD_OBJECT) << "gone"; };
             useDevices({options});
             EXPECT_EQ(ANeuralNetworksExecution_startCompute(w.ready(), w.madeEvent.out()), OK);
             return ANeuralNetworksEvent_wait(w.madeEvent);
         },
         ANEURALNETWORKS_DEAD_OBJECT},
        {"Event_free", "null", [](Fixture&) { return ANeuralNetworksEvent_free(nullptr), OK; }, OK},
        {"Event_createFromSyncFenceFd", "no place",
         [](Fixture&) { return ANeuralNetworksEvent_createFromSyncFenceFd(-1, nullptr); },
         UNEXPECTED_NULL},
        {"Event_createFromSyncFenceFd", "0",
         [](Fixture& w) {
             return ANeuralNetworksEvent_createFromSyncFenceFd(0, w.madeEvent.out());
         },
         BAD_DATA},
        {"Event_createFromSyncFenceFd", "not open",
         [](Fixture& w) {
             return ANeuralNetworksEvent_createFromSyncFenceFd(1 << 20, w.madeEvent.out());
         },
         BAD_DATA},
        {"Event_createFromSyncFenceFd", "a pipe",
         [](Fixture& w) {
             w.pipe.signal();
             return ANeuralNetworksEvent_createFromSyncFenceFd(w.pipe.fence(), w.madeEvent.out());
         },
         OK},
        {"Event_getSyncFenceFd", "no place",
         [](Fixture& w) { return ANeuralNetworksEvent_getSyncFenceFd(w.event(), nullptr); },
         UNEXPECTED_NULL},
        {"Event_getSyncFenceFd", "no event",
         [](Fixture& w) { return ANeuralNetworksEvent_getSyncFenceFd(nullptr, &w.out.fd); },
         UNEXPECTED_NULL},
        {"Event_getSyncFenceFd", "of an execution in a thread",
         [](Fixture& w) {
             EXPECT_EQ(ANeuralNetworksExecution_startCompute(w.ready(), w.madeEvent.out()), OK);
             const int code = ANeuralNetworksEvent_getSyncFenceFd(w.madeEvent, &w.out.fd);
             return w.out.fd == -1 ? code : -1;
         },
         BAD_DATA},
        {"Event_getSyncFenceFd", "a descriptor of its own",
         [](Fixture& w) {
             const int code = ANeuralNetworksEvent_getSyncFenceFd(w.event(), &w.out.fd);
             return w.out.fd != w.pipe.fence() && close(w.out.fd) == 0 ? code : -1;
         },
         OK},
};

}  // namespace
}  // namespace execution_rows

std::span<const Row> executionRows() { return execution_rows::kRows; }

}  // namespace nn::c_api
