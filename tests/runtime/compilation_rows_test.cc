#include "runtime/check_rows.h"

namespace nn::c_api {
namespace compilation_rows {
namespace {

// The functions that several rows call.
constexpr auto createForDevices = ANeuralNetworksCompilation_createForDevices;
constexpr auto setCaching = ANeuralNetworksCompilation_setCaching;
constexpr auto setPreference = ANeuralNetworksCompilation_setPreference;
constexpr auto setPriority = ANeuralNetworksCompilation_setPriority;
constexpr auto setTimeout = ANeuralNetworksCompilation_setTimeout;

using Preferred = int (*)(const ANeuralNetworksCompilation*, uint32_t, uint32_t*);

const ANeuralNetworksDevice* const kNoDevice[] = {nullptr};
const ANeuralNetworksDevice* const kNonsense[] = {
        reinterpret_cast<const ANeuralNetworksDevice*>(0x10)};
constexpr uint8_t kToken[32] = {};

int createFor(Fixture& w, ANeuralNetworksModel* model,
              std::vector<const ANeuralNetworksDevice*> devices) {
    // A failure must set the result to null.
    *w.compilation.out() = reinterpret_cast<ANeuralNetworksCompilation*>(0x10);
    const int code = createForDevices(model, devices.data(), static_cast<uint32_t>(devices.size()),
                                      w.compilation.out());
    EXPECT_EQ(w.compilation.get() == nullptr, code != OK);
    return code;
}

int addAttribute(ANeuralNetworksCompilation* compilation, const char* name = kExtension) {
    return ANeuralNetworksCompilation_addExtensionAttribute(compilation, name, 7, "ab", 2);
}

// The output pointer is checked before the state, and the state before the index.
template <Preferred kGet, bool kIsInput>
std::vector<Row> preferredRows() {
    return {{"no compilation", UNEXPECTED_NULL,
             [](Fixture& w) { return kGet(nullptr, 0, &w.out.number); }},
            {"no place", UNEXPECTED_NULL, [](Fixture& w) { return kGet(w.forOne(), 9, nullptr); }},
            {"not finished", BAD_STATE,
             [](Fixture& w) { return kGet(w.forOne(), 9, &w.out.number); }},
            {"failed", BAD_STATE, [](Fixture& w) { return kGet(w.failed(), 9, &w.out.number); }},
            {"too far", BAD_DATA,
             [](Fixture& w) { return kGet(w.done(), kIsInput ? 2 : 1, &w.out.number); }},
            {"64", OK, [](Fixture& w) {
                 const int code = kGet(w.done(), 0, &w.out.number);
                 return w.out.number == 64 ? code : -1;
             }}};
}

const FunctionRows kFunctions[] = {
        {"Compilation_create",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture&) { return ANeuralNetworksCompilation_create(nullptr, nullptr); }},
          {"no model", UNEXPECTED_NULL,
           [](Fixture& w) {
               return ANeuralNetworksCompilation_create(nullptr, w.compilation.out());
           }},
          {"not finished", BAD_STATE,
           [](Fixture& w) {
               return ANeuralNetworksCompilation_create(w.open(), w.compilation.out());
           }},
          {"invalid", BAD_STATE,
           [](Fixture& w) {
               return ANeuralNetworksCompilation_create(w.invalid(), w.compilation.out());
           }},
          {"a compilation", OK,
           [](Fixture& w) {
               return ANeuralNetworksCompilation_create(w.finished(), w.compilation.out());
           }}}},
        {"Compilation_createForDevices",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture& w) { return createForDevices(w.open(), kNoDevice, 0, nullptr); }},
          {"no model", UNEXPECTED_NULL,
           [](Fixture& w) { return createFor(w, nullptr, {nullptr}); }},
          {"devices at null", UNEXPECTED_NULL,
           [](Fixture& w) { return createForDevices(w.open(), nullptr, 0, w.compilation.out()); }},
          {"no devices", BAD_DATA,
           [](Fixture& w) {
               return createForDevices(w.open(), kNoDevice, 0, w.compilation.out());
           }},
          {"a device that is null", UNEXPECTED_NULL,
           [](Fixture& w) {
               return createFor(w, w.open(), {w.device(), nullptr, w.device()});
           }},
          {"a device twice", BAD_DATA,
           [](Fixture& w) {
               return createFor(w, w.open(), {w.device(), w.device()});
           }},
          {"not a device", BAD_DATA,
           [](Fixture& w) { return createFor(w, w.open(), {kNonsense[0]}); }},
          {"not finished", BAD_STATE,
           [](Fixture& w) { return createFor(w, w.open(), {w.device()}); }},
          {"invalid", BAD_STATE,
           [](Fixture& w) { return createFor(w, w.invalid(), {w.device()}); }},
          {"for two", OK,
           [](Fixture& w) {
               return createFor(w, w.finished(), {w.device(), deviceAt(1)});
           }}}},
        {"Compilation_free",
         {{"null", OK, [](Fixture&) { return ANeuralNetworksCompilation_free(nullptr), OK; }}}},
        {"Compilation_setPreference",
         {{"no compilation", UNEXPECTED_NULL, [](Fixture&) { return setPreference(nullptr, 3); }},
          {"finished", BAD_STATE, [](Fixture& w) { return setPreference(w.done(), 3); }},
          {"failed", BAD_STATE, [](Fixture& w) { return setPreference(w.failed(), 3); }},
          {"too large", BAD_DATA, [](Fixture& w) { return setPreference(w.forAll(), 3); }},
          {"negative", BAD_DATA, [](Fixture& w) { return setPreference(w.forAll(), -1); }},
          {"low power", OK, [](Fixture& w) { return setPreference(w.forAll(), 0); }}}},
        {"Compilation_setPriority",
         {{"no compilation", UNEXPECTED_NULL, [](Fixture&) { return setPriority(nullptr, 0); }},
          {"finished", BAD_STATE, [](Fixture& w) { return setPriority(w.done(), 0); }},
          {"no priority", BAD_DATA, [](Fixture& w) { return setPriority(w.forAll(), 91); }},
          {"high", OK, [](Fixture& w) { return setPriority(w.forAll(), 110); }}}},
        {"Compilation_setTimeout",
         {{"no compilation", UNEXPECTED_NULL, [](Fixture&) { return setTimeout(nullptr, 1); }},
          {"finished", BAD_STATE, [](Fixture& w) { return setTimeout(w.done(false), 1); }},
          {"for all devices", BAD_DATA, [](Fixture& w) { return setTimeout(w.forAll(), 1); }},
          {"for two", BAD_DATA,
           [](Fixture& w) {
               EXPECT_EQ(createFor(w, w.finished(), {w.device(), deviceAt(1)}), OK);
               return setTimeout(w.compilation, 1);
           }},
          {"for one", OK, [](Fixture& w) { return setTimeout(w.forOne(), 1); }}}},
        {"Compilation_setCaching",
         {{"no compilation", UNEXPECTED_NULL,
           [](Fixture&) { return setCaching(nullptr, "/", kToken); }},
          {"no folder", UNEXPECTED_NULL,
           [](Fixture& w) { return setCaching(w.done(), nullptr, kToken); }},
          {"no token", UNEXPECTED_NULL,
           [](Fixture& w) { return setCaching(w.done(), "/", nullptr); }},
          {"a folder without a name", BAD_DATA,
           [](Fixture& w) { return setCaching(w.forAll(), "", kToken); }},
          {"finished", BAD_STATE, [](Fixture& w) { return setCaching(w.done(), "/", kToken); }},
          {"a folder", OK, [](Fixture& w) { return setCaching(w.forAll(), "/x", kToken); }}}},
        {"Compilation_addExtensionAttribute",
         {{"no compilation", UNEXPECTED_NULL, [](Fixture&) { return addAttribute(nullptr); }},
          {"no name", UNEXPECTED_NULL, [](Fixture& w) { return addAttribute(w.done(), nullptr); }},
          {"bytes at null", UNEXPECTED_NULL,
           [](Fixture& w) {
               return ANeuralNetworksCompilation_addExtensionAttribute(w.done(), kExtension, 0,
                                                                       nullptr, 1);
           }},
          {"finished", BAD_STATE,
           [](Fixture& w) { return addAttribute(w.done(false), "no.such"); }},
          {"for all devices", BAD_DATA, [](Fixture& w) { return addAttribute(w.forAll()); }},
          {"no such extension", BAD_DATA,
           [](Fixture& w) { return addAttribute(w.forOne(), "no.such"); }},
          {"twice", BAD_DATA,
           [](Fixture& w) {
               ANeuralNetworksCompilation* compilation = w.forOne();
               EXPECT_EQ(addAttribute(compilation), OK);
               return addAttribute(compilation);
           }},
          {"once", OK, [](Fixture& w) { return addAttribute(w.forOne()); }}}},
        {"Compilation_finish",
         {{"no compilation", UNEXPECTED_NULL,
           [](Fixture&) { return ANeuralNetworksCompilation_finish(nullptr); }},
          {"finished", BAD_STATE,
           [](Fixture& w) { return ANeuralNetworksCompilation_finish(w.done()); }},
          {"failed", BAD_STATE,
           [](Fixture& w) { return ANeuralNetworksCompilation_finish(w.failed()); }},
          {"too late", LATE,
           [](Fixture& w) {
               ANeuralNetworksCompilation* compilation = w.forOne();
               EXPECT_EQ(setTimeout(compilation, 1), OK);
               return ANeuralNetworksCompilation_finish(compilation);
           }},
          {"in time", OK,
           [](Fixture& w) {
               ANeuralNetworksCompilation* compilation = w.forOne();
               EXPECT_EQ(setTimeout(compilation, UINT64_MAX), OK);
               return ANeuralNetworksCompilation_finish(compilation);
           }}}},
        {"Compilation_getPreferredMemoryAlignmentForInput",
         preferredRows<ANeuralNetworksCompilation_getPreferredMemoryAlignmentForInput, true>()},
        {"Compilation_getPreferredMemoryPaddingForInput",
         preferredRows<ANeuralNetworksCompilation_getPreferredMemoryPaddingForInput, true>()},
        {"Compilation_getPreferredMemoryAlignmentForOutput",
         preferredRows<ANeuralNetworksCompilation_getPreferredMemoryAlignmentForOutput, false>()},
        {"Compilation_getPreferredMemoryPaddingForOutput",
         preferredRows<ANeuralNetworksCompilation_getPreferredMemoryPaddingForOutput, false>()},
        {"Execution_create",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture& w) { return ANeuralNetworksExecution_create(w.forOne(), nullptr); }},
          {"no compilation", UNEXPECTED_NULL,
           [](Fixture& w) { return ANeuralNetworksExecution_create(nullptr, w.execution.out()); }},
          {"not finished", BAD_STATE,
           [](Fixture& w) {
               return ANeuralNetworksExecution_create(w.forOne(), w.execution.out());
           }},
          {"failed", BAD_STATE,
           [](Fixture& w) {
               return ANeuralNetworksExecution_create(w.failed(), w.execution.out());
           }},
          {"an execution", OK,
           [](Fixture& w) {
               return ANeuralNetworksExecution_create(w.done(), w.execution.out());
           }}}},
        {"Burst_create",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture& w) { return ANeuralNetworksBurst_create(w.forOne(), nullptr); }},
          {"no compilation", UNEXPECTED_NULL,
           [](Fixture& w) { return ANeuralNetworksBurst_create(nullptr, w.madeBurst.out()); }},
          {"not finished", BAD_STATE,
           [](Fixture& w) { return ANeuralNetworksBurst_create(w.forOne(), w.madeBurst.out()); }},
          {"failed", BAD_STATE,
           [](Fixture& w) { return ANeuralNetworksBurst_create(w.failed(), w.madeBurst.out()); }},
          {"of a driver without", OK,
           [](Fixture& w) {
               useDevices({{.hasBursts = false}});
               return ANeuralNetworksBurst_create(w.done(), w.madeBurst.out());
           }}}},
        {"Burst_free",
         {{"null", OK, [](Fixture&) { return ANeuralNetworksBurst_free(nullptr), OK; }}}},
};

}  // namespace
}  // namespace compilation_rows

std::span<const FunctionRows> compilationRows() { return compilation_rows::kFunctions; }

}  // namespace nn::c_api
