#include "runtime/check_rows.h"

namespace nn::c_api {
namespace compilation_rows {
namespace {

using Preferred = int (*)(const ANeuralNetworksCompilation*, uint32_t, uint32_t*);

const ANeuralNetworksDevice* const kNoDevice[] = {nullptr};
const ANeuralNetworksDevice* const kNonsense[] = {
        reinterpret_cast<const ANeuralNetworksDevice*>(0x10)};
constexpr uint8_t kToken[32] = {};

int createFor(Fixture& w, ANeuralNetworksModel* model,
              std::vector<const ANeuralNetworksDevice*> devices) {
    // A failure must set the result to null.
    *w.compilation.out() = reinterpret_cast<ANeuralNetworksCompilation*>(0x10);
    const int code = ANeuralNetworksCompilation_createForDevices(
            model, devices.data(), static_cast<uint32_t>(devices.size()), w.compilation.out());
    EXPECT_EQ(w.compilation.get() == nullptr, code != OK);
    return code;
}

int addAttribute(ANeuralNetworksCompilation* compilation, const char* name = kExtension) {
    return ANeuralNetworksCompilation_addExtensionAttribute(compilation, name, 7, "ab", 2);
}

// The output pointer is checked before the state, and the state before the index.
template <Preferred kFunction, bool kIsInput>
int preferred(Fixture& w, int row) {
    switch (row) {
        case 0:
            return kFunction(nullptr, 0, &w.out.number);
        case 1:
            return kFunction(w.forOne(), 9, nullptr);
        case 2:
            return kFunction(w.forOne(), 9, &w.out.number);
        case 3:
            return kFunction(w.failed(), 9, &w.out.number);
        case 4:
            return kFunction(w.done(), kIsInput ? 2 : 1, &w.out.number);
        default:
            const int code = kFunction(w.done(), 0, &w.out.number);
            return w.out.number == 64 ? code : -1;
    }
}

#define PREFERRED(name, isInput)                                                             \
    {"Compilation_" #name, "no compilation",                                                 \
     [](Fixture& w) { return preferred<ANeuralNetworksCompilation_##name, isInput>(w, 0); }, \
     UNEXPECTED_NULL},                                                                       \
            {"Compilation_" #name, "no place",                                               \
             [](Fixture& w) {                                                                \
                 return preferred<ANeuralNetworksCompilation_##name, isInput>(w, 1);         \
             },                                                                              \
             UNEXPECTED_NULL},                                                               \
            {"Compilation_" #name, "not finished",                                           \
             [](Fixture& w) {                                                                \
                 return preferred<ANeuralNetworksCompilation_##name, isInput>(w, 2);         \
             },                                                                              \
             BAD_STATE},                                                                     \
            {"Compilation_" #name, "failed",                                                 \
             [](Fixture& w) {                                                                \
                 return preferred<ANeuralNetworksCompilation_##name, isInput>(w, 3);         \
             },                                                                              \
             BAD_STATE},                                                                     \
            {"Compilation_" #name, "too far",                                                \
             [](Fixture& w) {                                                                \
                 return preferred<ANeuralNetworksCompilation_##name, isInput>(w, 4);         \
             },                                                                              \
             BAD_DATA},                                                                      \
    {                                                                                        \
        "Compilation_" #name, "64",                                                          \
                [](Fixture& w) {                                                             \
                    return preferred<ANeuralNetworksCompilation_##name, isInput>(w, 5);      \
                },                                                                           \
                OK                                                                           \
    }

const Row kRows[] = {
        {"Compilation_create", "no place",
         [](Fixture&) { return ANeuralNetworksCompilation_create(nullptr, nullptr); },
         UNEXPECTED_NULL},
        {"Compilation_create", "no model",
         [](Fixture& w) { return ANeuralNetworksCompilation_create(nullptr, w.compilation.out()); },
         UNEXPECTED_NULL},
        {"Compilation_create", "not finished",
         [](Fixture& w) {
             return ANeuralNetworksCompilation_create(w.open(), w.compilation.out());
         },
         BAD_STATE},
        {"Compilation_create", "invalid",
         [](Fixture& w) {
             return ANeuralNetworksCompilation_create(w.invalid(), w.compilation.out());
         },
         BAD_STATE},
        {"Compilation_create", "a compilation",
         [](Fixture& w) {
             return ANeuralNetworksCompilation_create(w.finished(), w.compilation.out());
         },
         OK},
        {"Compilation_createForDevices", "no place",
         [](Fixture& w) {
             return ANeuralNetworksCompilation_createForDevices(w.open(), kNoDevice, 0, nullptr);
         },
         UNEXPECTED_NULL},
        {"Compilation_createForDevices", "no model",
         [](Fixture& w) { return createFor(w, nullptr, {nullptr}); }, UNEXPECTED_NULL},
        {"Compilation_createForDevices", "devices at null",
         [](Fixture& w) {
             return ANeuralNetworksCompilation_createForDevices(w.open(), nullptr, 0,
                                                                w.compilation.out());
         },
         UNEXPECTED_NULL},
        {"Compilation_createForDevices", "no devices",
         [](Fixture& w) {
             return ANeuralNetworksCompilation_createForDevices(w.open(), kNoDevice, 0,
                                                                w.compilation.out());
         },
         BAD_DATA},
        {"Compilation_createForDevices", "a device that is null",
         [](Fixture& w) {
             return createFor(w, w.open(), {w.device(), nullptr, w.device()});
         },
         UNEXPECTED_NULL},
        {"Compilation_createForDevices", "a device twice",
         [](Fixture& w) {
             return createFor(w, w.open(), {w.device(), w.device()});
         },
         BAD_DATA},
        {"Compilation_createForDevices", "not a device",
         [](Fixture& w) { return createFor(w, w.open(), {kNonsense[0]}); }, BAD_DATA},
        {"Compilation_createForDevices", "not finished",
         [](Fixture& w) { return createFor(w, w.open(), {w.device()}); }, BAD_STATE},
        {"Compilation_createForDevices", "invalid",
         [](Fixture& w) { return createFor(w, w.invalid(), {w.device()}); }, BAD_STATE},
        {"Compilation_createForDevices", "for two",
         [](Fixture& w) {
             return createFor(w, w.finished(), {w.device(), deviceAt(1)});
         },
         OK},
        {"Compilation_free", "null",
         [](Fixture&) { return ANeuralNetworksCompilation_free(nullptr), OK; }, OK},

        {"Compilation_setPreference", "no compilation",
         [](Fixture&) { return ANeuralNetworksCompilation_setPreference(nullptr, 3); },
         UNEXPECTED_NULL},
        {"Compilation_setPreference", "finished",
         [](Fixture& w) { return ANeuralNetworksCompilation_setPreference(w.done(), 3); },
         BAD_STATE},
        {"Compilation_setPreference", "failed",
         [](Fixture& w) { return ANeuralNetworksCompilation_setPreference(w.failed(), 3); },
         BAD_STATE},
        {"Compilation_setPreference", "too large",
         [](Fixture& w) { return ANeuralNetworksCompilation_setPreference(w.forAll(), 3); },
         BAD_DATA},
        {"Compilation_setPreference", "negative",
         [](Fixture& w) { return ANeuralNetworksCompilation_setPreference(w.forAll(), -1); },
         BAD_DATA},
        {"Compilation_setPreference", "low power",
         [](Fixture& w) { return ANeuralNetworksCompilation_setPreference(w.forAll(), 0); }, OK},
        {"Compilation_setPriority", "no compilation",
         [](Fixture&) { return ANeuralNetworksCompilation_setPriority(nullptr, 0); },
         UNEXPECTED_NULL},
        {"Compilation_setPriority", "finished",
         [](Fixture& w) { return ANeuralNetworksCompilation_setPriority(w.done(), 0); }, BAD_STATE},
        {"Compilation_setPriority", "no priority",
         [](Fixture& w) { return ANeuralNetworksCompilation_setPriority(w.forAll(), 91); },
         BAD_DATA},
        {"Compilation_setPriority", "high",
         [](Fixture& w) { return ANeuralNetworksCompilation_setPriority(w.forAll(), 110); }, OK},
        {"Compilation_setTimeout", "no compilation",
         [](Fixture&) { return ANeuralNetworksCompilation_setTimeout(nullptr, 1); },
         UNEXPECTED_NULL},
        {"Compilation_setTimeout", "finished",
         [](Fixture& w) { return ANeuralNetworksCompilation_setTimeout(w.done(false), 1); },
         BAD_STATE},
        {"Compilation_setTimeout", "for all devices",
         [](Fixture& w) { return ANeuralNetworksCompilation_setTimeout(w.forAll(), 1); }, BAD_DATA},
        {"Compilation_setTimeout", "for two",
         [](Fixture& w) {
             EXPECT_EQ(createFor(w, w.finished(), {w.device(), deviceAt(1)}), OK);
             return ANeuralNetworksCompilation_setTimeout(w.compilation, 1);
         },
         BAD_DATA},
        {"Compilation_setTimeout", "for one",
         [](Fixture& w) { return ANeuralNetworksCompilation_setTimeout(w.forOne(), 1); }, OK},
        {"Compilation_setCaching", "no compilation",
         [](Fixture&) { return ANeuralNetworksCompilation_setCaching(nullptr, "/", kToken); },
         UNEXPECTED_NULL},
        {"Compilation_setCaching", "no folder",
         [](Fixture& w) {
             return ANeuralNetworksCompilation_setCaching(w.done(), nullptr, kToken);
         },
         UNEXPECTED_NULL},
        {"Compilation_setCaching", "no token",
         [](Fixture& w) { return ANeuralNetworksCompilation_setCaching(w.done(), "/", nullptr); },
         UNEXPECTED_NULL},
        {"Compilation_setCaching", "a folder without a name",
         [](Fixture& w) { return ANeuralNetworksCompilation_setCaching(w.forAll(), "", kToken); },
         BAD_DATA},
        {"Compilation_setCaching", "finished",
         [](Fixture& w) { return ANeuralNetworksCompilation_setCaching(w.done(), "/", kToken); },
         BAD_STATE},
        {"Compilation_setCaching", "a folder",
         [](Fixture& w) { return ANeuralNetworksCompilation_setCaching(w.forAll(), "/x", kToken); },
         OK},
        {"Compilation_addExtensionAttribute", "no compilation",
         [](Fixture&) { return addAttribute(nullptr); }, UNEXPECTED_NULL},
        {"Compilation_addExtensionAttribute", "no name",
         [](Fixture& w) { return addAttribute(w.done(), nullptr); }, UNEXPECTED_NULL},
        {"Compilation_addExtensionAttribute", "bytes at null",
         [](Fixture& w) {
             return ANeuralNetworksCompilation_addExtensionAttribute(w.done(), kExtension, 0,
                                                                     nullptr, 1);
         },
         UNEXPECTED_NULL},
        {"Compilation_addExtensionAttribute", "finished",
         [](Fixture& w) { return addAttribute(w.done(false), "no.such"); }, BAD_STATE},
        {"Compilation_addExtensionAttribute", "for all devices",
         [](Fixture& w) { return addAttribute(w.forAll()); }, BAD_DATA},
        {"Compilation_addExtensionAttribute", "no such extension",
         [](Fixture& w) { return addAttribute(w.forOne(), "no.such"); }, BAD_DATA},
        {"Compilation_addExtensionAttribute", "twice",
         [](Fixture& w) {
             ANeuralNetworksCompilation* compilation = w.forOne();
             EXPECT_EQ(addAttribute(compilation), OK);
             return addAttribute(compilation);
         },
         BAD_DATA},
        {"Compilation_addExtensionAttribute", "once",
         [](Fixture& w) { return addAttribute(w.forOne()); }, OK},
        {"Compilation_finish", "no compilation",
         [](Fixture&) { return ANeuralNetworksCompilation_finish(nullptr); }, UNEXPECTED_NULL},
        {"Compilation_finish", "finished",
         [](Fixture& w) { return ANeuralNetworksCompilation_finish(w.done()); }, BAD_STATE},
        {"Compilation_finish", "failed",
         [](Fixture& w) { return ANeuralNetworksCompilation_finish(w.failed()); }, BAD_STATE},
        {"Compilation_finish", "too late",
         [](Fixture& w) {
             ANeuralNetworksCompilation* compilation = w.forOne();
             EXPECT_EQ(ANeuralNetworksCompilation_setTimeout(compilation, 1), OK);
             return ANeuralNetworksCompilation_finish(compilation);
         },
         LATE},
        {"Compilation_finish", "in time",
         [](Fixture& w) {
             ANeuralNetworksCompilation* compilation = w.forOne();
             EXPECT_EQ(ANeuralNetworksCompilation_setTimeout(compilation, UINT64_MAX), OK);
             return ANeuralNetworksCompilation_finish(compilation);
         },
         OK},
        PREFERRED(getPreferredMemoryAlignmentForInput, true),
        PREFERRED(getPreferredMemoryPaddingForInput, true),
        PREFERRED(getPreferredMemoryAlignmentForOutput, false),
        PREFERRED(getPreferredMemoryPaddingForOutput, false),

        {"Execution_create", "no place",
         [](Fixture& w) { return ANeuralNetworksExecution_create(w.forOne(), nullptr); },
         UNEXPECTED_NULL},
        {"Execution_create", "no compilation",
         [](Fixture& w) { return ANeuralNetworksExecution_create(nullptr, w.execution.out()); },
         UNEXPECTED_NULL},
        {"Execution_create", "not finished",
         [](Fixture& w) { return ANeuralNetworksExecution_create(w.forOne(), w.execution.out()); },
         BAD_STATE},
        {"Execution_create", "failed",
         [](Fixture& w) { return ANeuralNetworksExecution_create(w.failed(), w.execution.out()); },
         BAD_STATE},
        {"Execution_create", "an execution",
         [](Fixture& w) { return ANeuralNetworksExecution_create(w.done(), w.execution.out()); },
         OK},
        {"Burst_create", "no place",
         [](Fixture& w) { return ANeuralNetworksBurst_create(w.forOne(), nullptr); },
         UNEXPECTED_NULL},
        {"Burst_create", "no compilation",
         [](Fixture& w) { return ANeuralNetworksBurst_create(nullptr, w.madeBurst.out()); },
         UNEXPECTED_NULL},
        {"Burst_create", "not finished",
         [](Fixture& w) { return ANeuralNetworksBurst_create(w.forOne(), w.madeBurst.out()); },
         BAD_STATE},
        {"Burst_create", "failed",
         [](Fixture& w) { return ANeuralNetworksBurst_create(w.failed(), w.madeBurst.out()); },
         BAD_STATE},
        {"Burst_create", "of a driver without",
         [](Fixture& w) {
             useDevices({{.hasBursts = false}});
             return ANeuralNetworksBurst_create(w.done(), w.madeBurst.out());
         },
         OK},
        {"Burst_free", "null", [](Fixture&) { return ANeuralNetworksBurst_free(nullptr), OK; }, OK},
};

}  // namespace
}  // namespace compilation_rows

std::span<const Row> compilationRows() { return compilation_rows::kRows; }

}  // namespace nn::c_api
