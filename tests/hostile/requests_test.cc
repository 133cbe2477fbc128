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
    std::string_view expected;
};

constexpr RequestCase kCases[] = {
        {"Fits", [](Request&) {}, "ok"},
        {"NoInputs", [](Request& r) { r.inputs.clear(); }, "validate:request.arguments"},
        {"OneInputMissing", [](Request& r) { r.inputs.pop_back(); }, "validate:request.arguments"},
        {"OneInputTooMany", [](Request& r) { r.inputs.push_back(r.inputs[0]); },
         "validate:request.arguments"},
        {"ManyInputs", [](Request& r) { r.inputs.resize(10'000, r.inputs[0]); },
         "validate:request.arguments"},
        {"NoOutputs", [](Request& r) { r.outputs.clear(); }, "validate:request.arguments"},
        {"OneOutputTooMany", [](Request& r) { r.outputs.push_back(r.outputs[0]); },
         "validate:request.arguments"},
        {"OmittedWithDimensions",
         [](Request& r) {
             r.inputs[0] = {.lifetime = Argument::LifeTime::NO_VALUE, .dimensions = {1}};
         },
         "validate:request.dimensions"},
        {"OmittedWithLocation",
         [](Request& r) {
             r.inputs[0].lifetime = Argument::LifeTime::NO_VALUE;
             r.inputs[0].location.length = 1;
         },
         "validate:request.location"},
        {"OmittedOutput",
         [](Request& r) { r.outputs[0] = {.lifetime = Argument::LifeTime::NO_VALUE}; },
         "run:request.output_omitted"},
        {"LifetimeUnknown",
         [](Request& r) { r.inputs[0].lifetime = static_cast<Argument::LifeTime>(3); },
         "validate:request.lifetime"},
        {"LifetimeNegative",
         [](Request& r) { r.inputs[0].lifetime = static_cast<Argument::LifeTime>(-1); },
         "validate:request.lifetime"},
        {"NullPointer",
         [](Request& r) {
             r.inputs[0].lifetime = Argument::LifeTime::POINTER;
             r.inputs[0].location.poolIndex = 0;
         },
         "validate:request.location"},
        {"PoolDoesNotExist", [](Request& r) { r.inputs[0].location.poolIndex = UINT32_MAX; },
         "validate:request.location"},
        {"OffsetAndLengthWrap",
         [](Request& r) {
             r.inputs[0].location.offset = UINT32_MAX - r.inputs[0].location.length + 1;
         },
         "validate:request.location"},
        {"LengthIsTheLargest", [](Request& r) { r.inputs[0].location.length = UINT32_MAX; },
         "validate:request.location"},
        {"PaddingIsTheLargest", [](Request& r) { r.inputs[0].location.padding = UINT32_MAX; },
         "validate:request.location"},
        {"LengthOneTooShort", [](Request& r) { --r.inputs[0].location.length; },
         "validate:request.length validate:request.location"},
        {"Length0", [](Request& r) { r.inputs[0].location.length = 0; },
         "validate:request.location"},
        {"OutputLengthIsTheLargest", [](Request& r) { r.outputs[0].location.length = UINT32_MAX; },
         "validate:request.location"},
        {"Rank9", [](Request& r) { r.inputs[0].dimensions.assign(9, 1); },
         "validate:request.dimensions"},
        {"Rank1000", [](Request& r) { r.inputs[0].dimensions.assign(1000, 1); },
         "validate:limits.rank"},
        {"DimensionsWrap", [](Request& r) { r.inputs[0].dimensions.assign(4, UINT32_MAX); },
         "validate:request.dimensions"},
        {"Dimension0", [](Request& r) { r.inputs[0].dimensions = {0}; },
         "validate:request.dimensions"},
        {"OutputRank9", [](Request& r) { r.outputs[0].dimensions.assign(9, 1); },
         "validate:request.dimensions"},
        {"Token0", [](Request& r) { r.pools[0] = MemoryDomainToken{0}; }, "validate:request.pool"},
        {"TokenOfNobody",
         [](Request& r) {
             r.pools[0] = MemoryDomainToken{7};
             r.inputs[0].location.length = 0;
         },
         "run:request.pool_kind"},
        {"NullBuffer", [](Request& r) { r.pools[0] = SharedBuffer(); }, "validate:request.pool"},
        {"NullPool", [](Request& r) { r.pools[0] = SharedMemory(); }, "validate:memory.null"},
        {"NoPools", [](Request& r) { r.pools.clear(); }, "validate:request.location"},
        {"PoolWithoutFile",
         [](Request& r) {
             r.pools[0] = std::make_shared<const Memory>(
                     Memory{Memory::Ashmem{.fd = {}, .size = 1 << 20}});
         },
         "validate:memory.fd"},
        {"PoolLargerThanItsFile",
         [](Request& r) {
             const int fd =
                     std::get<Memory::Ashmem>(std::get<SharedMemory>(r.pools[0])->handle).fd.get();
             r.pools[0] = *createSharedMemory(1 << 20, 3, fd, 0);
         },
         "run:request.pool_map"},
        {"OutputIsReadOnly",
         [](Request& r) {
             auto& pool = r.pools.back();
             const auto& memory = std::get<Memory::Ashmem>(std::get<SharedMemory>(pool)->handle);
             pool = *createSharedMemory(memory.size, 1, memory.fd.get(), 0);
         },
         "run:request.read_only"},
        {"InputIsNotReadable",
         [](Request& r) {
             auto& pool = r.pools[0];
             const auto& memory = std::get<Memory::Ashmem>(std::get<SharedMemory>(pool)->handle);
             pool = *createSharedMemory(memory.size, 0, memory.fd.get(), 0);
         },
         "run:request.pool_map"},
        {"OutputOverItsInput",
         [](Request& r) { r.outputs[0].location.poolIndex = r.inputs[0].location.poolIndex; },
         "ok validate:request.*"},
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
            section.add(row.name, *subject, resultOf(*prepared, request), row.expected);
        }
    }
    section.expectPinned("requests", kRequests);
}

}  // namespace
}  // namespace nn::hostile::requests_test
