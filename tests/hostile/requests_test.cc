// Requests that do not fit their model, or their memory.
#include "hostile/hostile_models.h"
#include "nnapi/interpreter.h"
#include "nnapi/memory.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::hostile::requests_test {
namespace {

using Argument = Request::Argument;

struct RequestCase {
    std::string_view name;
    void (*apply)(Request&);
};

constexpr RequestCase kCases[] = {
        {"Fits", [](Request&) {}},
        {"NoInputs", [](Request& r) { r.inputs.clear(); }},
        {"OneInputMissing", [](Request& r) { r.inputs.pop_back(); }},
        {"OneInputTooMany", [](Request& r) { r.inputs.push_back(r.inputs[0]); }},
        {"ManyInputs", [](Request& r) { r.inputs.resize(10'000, r.inputs[0]); }},
        {"NoOutputs", [](Request& r) { r.outputs.clear(); }},
        {"OneOutputTooMany", [](Request& r) { r.outputs.push_back(r.outputs[0]); }},
        {"OmittedWithDimensions",
         [](Request& r) {
             r.inputs[0] = {.lifetime = Argument::LifeTime::NO_VALUE, .dimensions = {1}};
         }},
        {"OmittedWithLocation",
         [](Request& r) {
             r.inputs[0].lifetime = Argument::LifeTime::NO_VALUE;
             r.inputs[0].location.length = 1;
         }},
        {"OmittedOutput",
         [](Request& r) { r.outputs[0] = {.lifetime = Argument::LifeTime::NO_VALUE}; }},
        {"LifetimeUnknown",
         [](Request& r) { r.inputs[0].lifetime = static_cast<Argument::LifeTime>(3); }},
        {"LifetimeNegative",
         [](Request& r) { r.inputs[0].lifetime = static_cast<Argument::LifeTime>(-1); }},
        {"NullPointer",
         [](Request& r) {
             r.inputs[0].lifetime = Argument::LifeTime::POINTER;
             r.inputs[0].location.poolIndex = 0;
         }},
        {"PoolDoesNotExist", [](Request& r) { r.inputs[0].location.poolIndex = UINT32_MAX; }},
        {"OffsetAndLengthWrap",
         [](Request& r) {
             r.inputs[0].location.offset = UINT32_MAX - r.inputs[0].location.length + 1;
         }},
        {"LengthIsTheLargest", [](Request& r) { r.inputs[0].location.length = UINT32_MAX; }},
        {"PaddingIsTheLargest", [](Request& r) { r.inputs[0].location.padding = UINT32_MAX; }},
        {"LengthOneTooShort", [](Request& r) { --r.inputs[0].location.length; }},
        {"Length0", [](Request& r) { r.inputs[0].location.length = 0; }},
        {"OutputLengthIsTheLargest", [](Request& r) { r.outputs[0].location.length = UINT32_MAX; }},
        {"Rank9", [](Request& r) { r.inputs[0].dimensions.assign(9, 1); }},
        {"Rank1000", [](Request& r) { r.inputs[0].dimensions.assign(1000, 1); }},
        {"DimensionsWrap", [](Request& r) { r.inputs[0].dimensions.assign(4, UINT32_MAX); }},
        {"Dimension0", [](Request& r) { r.inputs[0].dimensions = {0}; }},
        {"OutputRank9", [](Request& r) { r.outputs[0].dimensions.assign(9, 1); }},
        {"Token0", [](Request& r) { r.pools[0] = MemoryDomainToken{0}; }},
        {"TokenOfNobody",
         [](Request& r) {
             r.pools[0] = MemoryDomainToken{7};
             r.inputs[0].location.length = 0;
         }},
        {"NullBuffer", [](Request& r) { r.pools[0] = SharedBuffer(); }},
        {"NullPool", [](Request& r) { r.pools[0] = SharedMemory(); }},
        {"NoPools", [](Request& r) { r.pools.clear(); }},
        {"PoolWithoutFile",
         [](Request& r) {
             r.pools[0] = std::make_shared<const Memory>(
                     Memory{Memory::Ashmem{.fd = {}, .size = 1 << 20}});
         }},
        {"PoolLargerThanItsFile",
         [](Request& r) {
             const int fd =
                     std::get<Memory::Ashmem>(std::get<SharedMemory>(r.pools[0])->handle).fd.get();
             r.pools[0] = *createSharedMemory(1 << 20, 3, fd, 0);
         }},
        {"OutputIsReadOnly",
         [](Request& r) {
             auto& pool = r.pools.back();
             const auto& memory = std::get<Memory::Ashmem>(std::get<SharedMemory>(pool)->handle);
             pool = *createSharedMemory(memory.size, 1, memory.fd.get(), 0);
         }},
        {"InputIsNotReadable",
         [](Request& r) {
             auto& pool = r.pools[0];
             const auto& memory = std::get<Memory::Ashmem>(std::get<SharedMemory>(pool)->handle);
             pool = *createSharedMemory(memory.size, 0, memory.fd.get(), 0);
         }},
        {"OutputOverItsInput",
         [](Request& r) { r.outputs[0].location.poolIndex = r.inputs[0].location.poolIndex; }},
};

std::string resultOf(const PreparedModel& prepared, const Request& request) {
    const Result<Version> needed = validateRequestForModel(request, prepared.model());
    const ExecutionOutcome result =
            prepared.execute(request, {.loopTimeout = std::chrono::milliseconds(5)});
    EXPECT_FALSE(print(request).empty());
    EXPECT_TRUE(validate(request).ok() || !needed.ok());
    if (!needed.ok()) {
        EXPECT_EQ(result.status, needed.status());
    }
    if (result.status.ok()) return "ok";
    const auto why = diagnostic(result.status);
    return (needed.ok() ? "run:" : "validate:") +
           (why ? why->rule : toString(errorStatus(result.status)));
}

TEST(Hostile, Requests) {
    Section section;
    for (const Subject* subject : oneOfEach()) {
        const Result<PreparedModel> prepared = prepare(subject->model);
        ASSERT_TRUE(prepared.ok()) << subject->name() << prepared.status();
        for (const RequestCase& row : kCases) {
            Request request = requestFor(
                    *subject, [](size_t size) { return createSharedMemory(size).value(); });
            if (request.inputs[0].lifetime != Argument::LifeTime::POOL) continue;
            row.apply(request);
            SCOPED_TRACE(std::string(row.name) + " " + subject->name());
            section.add(row.name, *subject, resultOf(*prepared, request));
        }
    }
    section.expectPinned("requests");
}

}  // namespace
}  // namespace nn::hostile::requests_test
