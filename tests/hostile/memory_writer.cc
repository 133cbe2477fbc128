#include "hostile/memory_writer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "nnapi/interpreter.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"

namespace nn::hostile {
namespace {

// The mask that each round applies to the bytes. There are five, so that a test that exposes each
// model in three ways combines every mask with every way.
constexpr uint8_t kMasks[] = {0, 0xFF, 0, 0x80, 0x01};

}  // namespace

struct Peer::Shared {
    std::atomic<size_t> size;
    std::atomic<uint64_t> rounds;
    uint8_t bytes[kSize];  // the intended content of the memory
};

Peer::Peer() : mMemory(createSharedMemory(kSize).value()) {
    const int fd = std::get<Memory::Ashmem>(mMemory->handle).fd.get();
    const auto mapped = [](size_t size, int flags, int file) {
        void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | flags, file, 0);
        EXPECT_NE(data, MAP_FAILED);
        return data;
    };
    mTarget = static_cast<uint8_t*>(mapped(kSize, 0, fd));
    mShared = static_cast<Shared*>(mapped(sizeof(Shared), MAP_ANONYMOUS, -1));
    mProcess = fork();
    EXPECT_NE(mProcess, -1);
    if (mProcess == 0) write();
}

Peer::~Peer() {
    kill(mProcess, SIGKILL);
    waitpid(mProcess, nullptr, 0);
    munmap(mShared, sizeof(Shared));
    munmap(mTarget, kSize);
}

void Peer::write() const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const auto* from = static_cast<const volatile uint8_t*>(mShared->bytes);
    auto* to = static_cast<volatile uint8_t*>(mTarget);
    const pid_t parent = getppid();
    for (uint64_t round = 0; getppid() == parent; mShared->rounds = ++round) {
        const uint8_t mask = kMasks[round % std::size(kMasks)];
        for (size_t i = 0; i < mShared->size; ++i) to[i] = from[i] ^ mask;
    }
    _exit(0);
}

void Peer::flip(std::span<const uint8_t> bytes) {
    mShared->size = 0;
    std::ranges::copy(bytes, mShared->bytes);
    // The other process may start its first round only after the memory is used.
    const uint8_t mask = kMasks[mFlips++ % std::size(kMasks)];
    std::ranges::transform(bytes, mTarget, [mask](uint8_t byte) { return byte ^ mask; });
    mShared->size = bytes.size();
    kill(mProcess, SIGCONT);
}

void Peer::rest() {
    mShared->size = 0;
    kill(mProcess, SIGSTOP);
}

uint64_t Peer::rounds() const { return mShared->rounds; }

namespace {

// Places values consecutively in the memory that the peer writes.
class Layout {
   public:
    explicit Layout(uint32_t pool) : mPool(pool) {}

    std::vector<uint8_t> bytes;

    DataLocation add(std::span<const uint8_t> value) {
        const DataLocation location = reserve(value.size());
        std::ranges::copy(value, bytes.begin() + location.offset);
        return location;
    }
    DataLocation reserve(size_t size) {
        const size_t offset = (bytes.size() + 7) / 8 * 8;
        bytes.resize(offset + size);
        return {.poolIndex = mPool,
                .offset = static_cast<uint32_t>(offset),
                .length = static_cast<uint32_t>(size)};
    }

   private:
    uint32_t mPool;
};

bool isExposed(const Operand& operand, Exposed exposed, size_t available) {
    const DataLocation& at = operand.location;
    return operand.lifetime == Operand::LifeTime::CONSTANT_COPY && at.length != 0 &&
           at.length <= available && at.offset <= available - at.length &&
           (exposed == Exposed::AND_SCALARS ||
            (exposed == Exposed::AND_TENSORS && isNonExtensionTensor(operand.type)));
}

}  // namespace

void useWithPeer(Peer& peer, const Model& original, std::span<const Tensor> inputs, Exposed exposed,
                 Outcomes& outcomes) {
    constexpr size_t kRoom = 1 << 12;
    constexpr int kExecutions = 3;
    Model model = original;
    Layout constants(static_cast<uint32_t>(model.pools.size()));
    const auto expose = [&](Model::Subgraph& graph) {
        const std::span values(original.operandValues.bytes());
        for (Operand& operand : graph.operands) {
            if (!isExposed(operand, exposed, values.size())) continue;
            const DataLocation& at = operand.location;
            operand.location = constants.add(values.subspan(at.offset, at.length));
            operand.lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
        }
    };
    expose(model.main);
    for (Model::Subgraph& graph : model.referenced) expose(graph);
    if (!constants.bytes.empty()) model.pools.push_back(peer.memory());

    Layout arguments(0);
    arguments.bytes = std::move(constants.bytes);
    Request request{.pools = {peer.memory()}};
    for (const Tensor& input : inputs) {
        Request::Argument argument{.lifetime = Request::Argument::LifeTime::NO_VALUE};
        if (!input.hasNoValue) {
            argument = {.location = arguments.add(input.data), .dimensions = input.dimensions};
        }
        request.inputs.push_back(argument);
    }
    for (const uint32_t output : model.main.outputIndexes) {
        if (output >= model.main.operands.size()) return;  // rejected, so nothing is executed
        const size_t size = operandSize(model.main.operands[output]).value_or(0);
        if (size > Peer::kSize / 8) return;
        request.outputs.push_back({.location = arguments.reserve(size == 0 ? kRoom : size)});
    }
    if (arguments.bytes.size() > Peer::kSize) return;

    peer.flip(arguments.bytes);
    const Result<PreparedModel> prepared = prepare(
            std::move(model), {.limits = {.peakBytes = 64 << 20, .loopFuel = 1000}, .threads = 1});
    if (!prepared.ok()) {
        ++outcomes.refused;
        EXPECT_NE(prepared.status().message(), "");
        return;
    }
    for (int i = 0; i < kExecutions; ++i) {
        const ExecutionOutcome result =
                prepared->execute(request, {.loopTimeout = std::chrono::milliseconds(5)});
        ++(result.status.ok() ? outcomes.computed : outcomes.refused);
        if (!result.status.ok()) {
            EXPECT_NE(result.status.message(), "");
        }
    }
}

}  // namespace nn::hostile
