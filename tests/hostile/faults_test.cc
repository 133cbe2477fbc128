// Faults of the system: allocations that fail at any point, files that other processes truncate,
// reads and writes that are partial or fail.
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>

#include "heap.h"
#include "held_by_process.h"
#include "hostile/hostile_models.h"
#include "hostile/partial_transfers.h"
#include "nnapi/convert.h"
#include "nnapi/interpreter.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "nnapi/slice.h"
#include "nnapi/validate.h"
#include "temporary_folder.h"

namespace nn::hostile::faults_test {
namespace {

constexpr size_t kModels = 50;

// ---- memory

Status validates(const Subject& s) { return validate(s.model).status(); }

template <HalVersion V>
Status converts(const Subject& s) {
    NNAPI_ASSIGN_OR_RETURN(converted, unvalidatedConvertTo(V, s.model));
    NNAPI_ASSIGN_OR_RETURN(back, unvalidatedConvertFrom(converted));
    return validateFor(back, kVersionFeatureLevel8);
}

// Makes the copy for prepare() in the caller; like every copy it may throw.
Result<Model> copyOf(const Model& model) try { return model; } catch (const std::bad_alloc&) {
    return Status(absl::StatusCode::kResourceExhausted, "");
}

Status executes(const Subject& s) {
    NNAPI_ASSIGN_OR_RETURN(copy, copyOf(s.model));
    NNAPI_ASSIGN_OR_RETURN(prepared, prepare(std::move(copy)));
    return prepared.run(s.inputs).status();
}

Status slices(const Subject& s) { return sliceForVersion(s.model, HalVersion::V1_0).status(); }

struct Step {
    std::string_view name;
    Status (*run)(const Subject&);
};

constexpr Step kSteps[] = {
        {"validate", validates},
        {"convert to 1.0", converts<HalVersion::V1_0>},
        {"convert to 1.3", converts<HalVersion::V1_3>},
        {"convert to AIDL 4", converts<HalVersion::AIDL4>},
        {"slice", slices},
        {"prepare and run", executes},
};

// Fails the n-th allocation of a step; returns whether the step failed.
bool failsWithout(const Step& step, const Subject& subject, size_t n, bool lasting) {
    const size_t blocks = heap::blocks;
    bool failed = false;
    {
        heap::failAt(n, lasting);
        const Status status = step.run(subject);
        heap::failAt(0);
        failed = !status.ok();
        EXPECT_TRUE(!failed || errorStatus(status) == ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
                << status;
    }
    EXPECT_EQ(heap::blocks, blocks) << "blocks are lost";
    return failed;
}

TEST(Faults, EveryAllocationMayFail) {
    constexpr size_t kMaxTried = 60;
    const std::vector<const Subject*> all = oneOfEach();
    size_t failures = 0;
    for (size_t i = 0; i < kModels; ++i) {
        const Subject& subject = *all[i * all.size() / kModels];
        for (const Step& step : kSteps) {
            SCOPED_TRACE(std::string(step.name) + " " + subject.name());
            const bool isGood = step.run(subject).ok();  // also performs one-time initializations
            const size_t before = heap::allocations;
            (void)step.run(subject);
            const size_t count = heap::allocations - before;
            const size_t stride = count / kMaxTried + 1;
            for (size_t n = 1; isGood && n <= count; n += stride) {
                for (const bool lasting : {false, true}) {
                    if (failsWithout(step, subject, n, lasting)) ++failures;
                }
            }
        }
    }
    EXPECT_GT(failures, kModels * std::size(kSteps) * 5);
}

// ---- files

SharedMemory unsealed(size_t size) {
    const UniqueFd fd(memfd_create("unsealed", MFD_CLOEXEC));
    EXPECT_EQ(ftruncate(fd.get(), static_cast<off_t>(size)), 0);
    return createSharedMemory(size, PROT_READ | PROT_WRITE, fd.get(), 0).value();
}

void shorten(const SharedMemory& memory) {
    EXPECT_EQ(ftruncate(std::get<Memory::Fd>(memory->handle).fd.get(), 0), 0);
}

// Moves the constants of the operation to pools that can be truncated.
void moveConstants(Subject& s) {
    for (size_t i = 0; i < s.operation().inputs.size(); ++i) {
        Operand& operand = *s.input(i);
        if (operand.lifetime != LifeTime::CONSTANT_COPY) continue;
        SharedMemory pool = unsealed(operand.location.length);
        const uint8_t* data = s.model.operandValues.data() + operand.location.offset;
        EXPECT_TRUE(writeMemory(pool, 0, {data, operand.location.length}).ok());
        operand.lifetime = LifeTime::CONSTANT_REFERENCE;
        operand.location.poolIndex = static_cast<uint32_t>(s.model.pools.size());
        operand.location.offset = 0;
        s.model.pools.push_back(std::move(pool));
    }
}

TEST(Faults, PoolsOfAModelThatBecomeShorter) {
    for (const Subject* subject : oneOfEach()) {
        SCOPED_TRACE(subject->name());
        Subject moved = *subject;
        moveConstants(moved);
        if (moved.model.pools.size() == subject->model.pools.size()) continue;
        const Result<PreparedModel> prepared = prepare(moved.model);
        ASSERT_TRUE(prepared.ok()) << prepared.status();
        for (size_t i = subject->model.pools.size(); i < moved.model.pools.size(); ++i) {
            shorten(moved.model.pools[i]);
        }
        EXPECT_TRUE(prepared->run(moved.inputs).ok());
        EXPECT_EQ(resultOf(moved), "prepare:interpreter.constant");
    }
}

TEST(Faults, PoolsOfARequestThatBecomeShorter) {
    for (const Subject* subject : oneOfEach()) {
        SCOPED_TRACE(subject->name());
        const Result<PreparedModel> prepared = prepare(subject->model);
        ASSERT_TRUE(prepared.ok()) << prepared.status();
        const Request request = requestFor(*subject, unsealed);
        ASSERT_TRUE(prepared->execute(request).status.ok());

        const SharedMemory& output = std::get<SharedMemory>(request.pools.back());
        const auto whileItRuns = prepared->execute(
                request, {.observer = [&](const ComputedOperation&) { shorten(output); }});
        EXPECT_EQ(diagnostic(whileItRuns.status)->rule, "request.pool_map");
        EXPECT_EQ(diagnostic(prepared->execute(request).status)->rule, "request.pool_map");
    }
}

// Memory that can be truncated gives the same results as other memory.
TEST(Faults, UnsealedPoolsGiveTheSameResults) {
    for (const Subject* subject : oneOfEach()) {
        SCOPED_TRACE(subject->name());
        Subject moved = *subject;
        moveConstants(moved);
        const auto expected = prepare(subject->model)->run(subject->inputs);
        const auto found = prepare(moved.model)->run(moved.inputs);
        ASSERT_EQ(found.ok(), expected.ok());
        if (found.ok()) {
            EXPECT_EQ(*found, *expected);
        }
    }
}

// ---- reads and writes

// Runs a function with modified reads and writes; returns their number.
template <class F>
size_t with(const Transfers& those, F&& function) {
    transfers = those;
    function();
    return std::exchange(transfers, {}).calls;
}

constexpr std::string_view kFiles[] = {"model.pb", "model.textproto", "model.json"};

// The models of subjects with constants in pools, some of which can be truncated.
std::vector<Subject> withPools() {
    std::vector<Subject> all;
    for (const Subject* subject : oneOfEach()) {
        Subject moved = *subject;
        moveConstants(moved);
        if (moved.model.pools.size() > subject->model.pools.size()) all.push_back(std::move(moved));
        if (all.size() == 10) break;
    }
    return all;
}

TEST(Faults, PartialTransfersChangeNothing) {
    const TemporaryFolder folder;
    for (const Subject& subject : withPools()) {
        SCOPED_TRACE(subject.name());
        const auto expected = prepare(subject.model)->run(subject.inputs);
        for (const std::string_view name : kFiles) {
            const std::filesystem::path path = folder / name;
            std::optional<Model> back;
            const size_t calls = with({.most = 7, .interrupted = 3}, [&] {
                ASSERT_TRUE(writeModel(path, subject.model).ok());
                Result<AnyModel> read = readModel(path);
                ASSERT_TRUE(read.ok()) << read.status();
                back = std::get<Model>(*std::move(read));
            });
            EXPECT_GT(calls, 30u);
            // The pools are different files with the same bytes.
            EXPECT_EQ(back->main, subject.model.main);
            EXPECT_EQ(prepare(*back)->run(subject.inputs), expected);
        }
        with({.most = 1, .interrupted = 2},
             [&] { EXPECT_EQ(prepare(subject.model)->run(subject.inputs), expected); });
    }
}

TEST(Faults, EveryTransferMayFail) {
    const TemporaryFolder folder;
    const std::vector<Subject> subjects = withPools();
    for (const Subject& subject : subjects) {
        SCOPED_TRACE(subject.name());
        for (const std::string_view name : kFiles) {
            const std::filesystem::path path = folder / name;
            const auto writes = [&] { return writeModel(path, subject.model); };
            const auto reads = [&] { return readModel(path).status(); };
            const auto prepares = [&] { return prepare(subject.model).status(); };
            const auto tryAll = [&](auto step) {
                const size_t calls = with({}, [&] { EXPECT_TRUE(step().ok()); });
                const auto files = folder.files();
                for (size_t n = 1; n <= calls; ++n) {
                    for (const int error : {EIO, ENOSPC, EBADF, 0}) {
                        with({.failing = n, .error = error}, [&] {
                            const Status status = step();
                            EXPECT_FALSE(status.ok());
                            EXPECT_FALSE(status.message().empty());
                        });
                    }
                }
                EXPECT_EQ(folder.files(), files) << "no part of a file is left behind";
                EXPECT_TRUE(reads().ok()) << "the previous content is unchanged";
                return calls;
            };
            EXPECT_GT(tryAll(writes), 0u);
            EXPECT_GT(tryAll(reads), 0u);
            EXPECT_GT(tryAll(prepares), 0u);
        }
    }
    EXPECT_EQ(subjects.size(), 10u);
}

TEST(Faults, ClosedDescriptors) {
    for (Subject& subject : withPools()) {
        SCOPED_TRACE(subject.name());
        const SharedMemory& pool = subject.model.pools.front();
        const int fd = std::get<Memory::Fd>(pool->handle).fd.get();
        const UniqueFd kept(dup(fd));
        close(fd);
        EXPECT_EQ(resultOf(subject), "prepare:interpreter.constant");
        for (const HalVersion version : kConvertibleVersions) {
            EXPECT_FALSE(unvalidatedConvertTo(version, subject.model).ok()) << toString(version);
        }
        dup2(kept.get(), fd);  // restored so that its owner can close it
    }
}

TEST(Faults, NoFileStaysOpen) {
    const size_t before = held::descriptors();
    for (const Subject* subject : oneOfEach()) {
        Subject moved = *subject;
        moveConstants(moved);
        (void)resultOf(moved);
    }
    EXPECT_EQ(held::descriptors(), before);
}

}  // namespace
}  // namespace nn::hostile::faults_test
