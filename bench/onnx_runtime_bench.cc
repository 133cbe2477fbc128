// Times of the MobileNets of examples/ in ONNX Runtime and on the XNNPACK device, alternating in
// one process:
//
//   nnapi_onnx_runtime_bench LIBRARY THREADS
//
//   LIBRARY  libonnxruntime.so of ONNX Runtime 1.14
//   THREADS  number of threads for each
//
// Writes a line "NETWORK RUNTIME EXECUTE COMPUTE DIFFERENCE" for each network: the shortest times
// in microseconds of a run in ONNX Runtime, of an execution and of a reusable execution on the
// device, and the largest difference of their outputs, which is checked first; for quantized
// outputs it is in steps. Inputs and outputs lie in memory of the program, images in the layout
// native to each side. Exits with 0, or with 1 and a message on standard error.
#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <functional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "examples.h"
#include "nnapi/driver/xnnpack.h"
#include "nnapi/type_utils.h"
#include "onnx_network.h"
#include "onnx_runtime.h"

namespace nn {
namespace {

struct Network {
    const char* name;
    const char* file;
    double tolerance;  // of outputs
};
constexpr Network kNetworks[] = {
        {"float32", "models/mobilenet_224_gender", 1e-4},
        {"quant8", "models/mobilenet_224_gender_quant8", 2},
        {"quant8_per_channel", "models/mobilenet_224_gender_quant8_per_channel", 2},
};

void require(bool condition, const std::string& otherwise) {
    if (!condition) throw std::runtime_error(otherwise);
}

Request::Argument argument(std::vector<uint8_t>& bytes) {
    return {.lifetime = Request::Argument::LifeTime::POINTER,
            .location = {.pointer = static_cast<void*>(bytes.data()),
                         .length = static_cast<uint32_t>(bytes.size())}};
}

// A network prepared on both sides, each with memory for its image and its result.
class Contest {
   public:
    Contest(const OnnxRuntime& runtime, const Network& network, int threads)
        : mCase(example(network.file)),
          mInput(mCase.model.main.operands[mCase.model.main.inputIndexes[0]]),
          mOutput(mCase.model.main.operands[mCase.model.main.outputIndexes[0]]),
          mImage(mCase.inputs[0].data),
          mNetwork(onnxNetwork(mCase.model)),
          mRuntimeImage(mImage.size()),
          mResult(operandSize(mOutput).value()),
          mRuntimeResult(mResult.size()),
          mSession(runtime, mNetwork.file, {.threads = threads},
                   {.name = kOnnxInput,
                    .type = mNetwork.type,
                    .dimensions = mNetwork.inputDimensions,
                    .bytes = mRuntimeImage},
                   {.name = kOnnxOutput,
                    .type = mNetwork.type,
                    .dimensions = mNetwork.outputDimensions,
                    .bytes = mRuntimeResult}) {
        const SharedDevice device =
                xnnpackDevice({.prepare = {.threads = static_cast<size_t>(threads)}});
        const auto prepared = device->prepareModel(mCase.model, ExecutionPreference::DEFAULT,
                                                   Priority::DEFAULT, {}, {}, {}, {}, {}, {});
        require(prepared.has_value(), "the device does not prepare the network");
        mPrepared = *prepared;
        mRequest = {.inputs = {argument(mImage)}, .outputs = {argument(mResult)}};
        const auto reusable =
                mPrepared->createReusableExecution(mRequest, MeasureTiming::NO, {}, {}, {});
        require(reusable.has_value(), "the device makes no reusable execution");
        mReusable = *reusable;
        putImage(mCase.inputs[0].data);
    }

    void run() { mSession.run(); }
    void execute() {
        require(mPrepared->execute(mRequest, MeasureTiming::NO, {}, {}, {}, {}).has_value(),
                "an execution fails");
    }
    void compute() { require(mReusable->compute({}).has_value(), "a reusable execution fails"); }

    // The largest difference of results, for the image of the example and random ones.
    double difference() {
        double largest = compare();
        std::mt19937 random(1);
        for (int i = 0; i < 4; ++i) {
            putImage(randomImage(random));
            largest = std::max(largest, compare());
        }
        return largest;
    }

   private:
    void putImage(const std::vector<uint8_t>& image) {
        std::copy(image.begin(), image.end(), mImage.begin());
        std::vector<uint8_t> moved = image;
        if (mNetwork.isChannelsFirst) {
            moved = channelsFirst(image, mInput.dimensions[0], mInput.dimensions[3],
                                  elementSize(mInput.type));
        }
        std::copy(moved.begin(), moved.end(), mRuntimeImage.begin());
    }

    // Reals from 0 to 1, or arbitrary bytes.
    std::vector<uint8_t> randomImage(std::mt19937& random) const {
        std::vector<uint8_t> bytes(mImage.size());
        if (mInput.type != OperandType::TENSOR_FLOAT32) {
            for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
            return bytes;
        }
        for (size_t i = 0; i < bytes.size(); i += sizeof(float)) {
            const float value = static_cast<float>(random() >> 8) / static_cast<float>(1 << 24);
            std::memcpy(&bytes[i], &value, sizeof(value));
        }
        return bytes;
    }

    double valueAt(const std::vector<uint8_t>& bytes, size_t i) const {
        if (mOutput.type != OperandType::TENSOR_FLOAT32) return bytes[i];
        float value = 0;
        std::memcpy(&value, &bytes[i * sizeof(value)], sizeof(value));
        return value;
    }

    // The result has one pixel, so the layout does not matter.
    double compare() {
        std::fill(mResult.begin(), mResult.end(), uint8_t{0});
        std::fill(mRuntimeResult.begin(), mRuntimeResult.end(), uint8_t{0xFF});
        run();
        execute();
        double largest = 0;
        for (size_t i = 0; i < mResult.size() / elementSize(mOutput.type); ++i) {
            const double apart = std::abs(valueAt(mResult, i) - valueAt(mRuntimeResult, i));
            if (!(apart <= largest)) largest = apart;  // also if one is NaN
        }
        return largest;
    }

    TestCase mCase;
    Operand mInput, mOutput;
    std::vector<uint8_t> mImage;
    OnnxNetwork mNetwork;
    std::vector<uint8_t> mRuntimeImage, mResult, mRuntimeResult;
    OnnxSession mSession;
    SharedPreparedModel mPrepared{};
    Request mRequest{};
    SharedExecution mReusable{};
};

// Gives each thread a processor of its own if there are enough: two polling threads on one
// processor of a busy machine depend on the scheduler. The first is the caller's.
class OwnProcessors {
   public:
    explicit OwnProcessors(int threads) {
        const bool isKnown = sched_getaffinity(0, sizeof(mAllowed), &mAllowed) == 0;
        mIsUsed = isKnown && threads > 1 && CPU_COUNT(&mAllowed) >= threads;
    }
    OwnProcessors(const OwnProcessors&) = delete;
    OwnProcessors& operator=(const OwnProcessors&) = delete;
    ~OwnProcessors() { set(mAllowed); }

    // For threads that the calling one starts.
    void giveToWorkers() const { set(split(/*isFirst=*/false)); }
    void giveToCaller() const { set(split(/*isFirst=*/true)); }

   private:
    void set(const cpu_set_t& processors) const {
        if (mIsUsed) sched_setaffinity(0, sizeof(processors), &processors);
    }
    // The first processor, or the others.
    cpu_set_t split(bool isFirst) const {
        cpu_set_t part;
        CPU_ZERO(&part);
        bool isFound = false;
        for (int i = 0; i < CPU_SETSIZE; ++i) {
            if (!CPU_ISSET(i, &mAllowed)) continue;
            if (isFound != isFirst) CPU_SET(i, &part);
            isFound = true;
        }
        return part;
    }

    cpu_set_t mAllowed{};
    bool mIsUsed = false;
};

using SteadyClock = std::chrono::steady_clock;

// Waits until polling threads have gone to sleep; otherwise they would slow down the next
// measurement.
void settle() {
    for (int i = 0; i < 100; ++i) {
        const std::clock_t before = std::clock();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        constexpr double kMaxBusy = 2e-4;  // seconds of processor time
        if (static_cast<double>(std::clock() - before) < kMaxBusy * CLOCKS_PER_SEC) return;
    }
}

// In microseconds, over two seconds in total.
template <size_t kCount>
std::array<double, kCount> shortestTimes(const std::array<std::function<void()>, kCount>& works) {
    constexpr auto kTogether = std::chrono::seconds(2);
    constexpr int kInARow = 10;  // so that each finds its own data in the caches
    std::array<SteadyClock::duration, kCount> shortest;
    shortest.fill(SteadyClock::duration::max());
    for (SteadyClock::duration spent{}; spent < kTogether;) {
        for (size_t i = 0; i < kCount; ++i) {
            settle();
            for (int n = 0; n < kInARow; ++n) {
                const auto begin = SteadyClock::now();
                works[i]();
                const SteadyClock::duration took = SteadyClock::now() - begin;
                shortest[i] = std::min(shortest[i], took);
                spent += took;
            }
        }
    }
    std::array<double, kCount> microseconds{};
    for (size_t i = 0; i < kCount; ++i) {
        microseconds[i] = std::chrono::duration<double, std::micro>(shortest[i]).count();
    }
    return microseconds;
}

void time(const OnnxRuntime& runtime, const Network& network, int threads) {
    const OwnProcessors processors(threads);
    processors.giveToWorkers();
    Contest contest(runtime, network, threads);
    const double difference = contest.difference();  // starts the threads of both
    processors.giveToCaller();
    require(difference <= network.tolerance,
            std::string(network.name) + ": outputs differ by " + std::to_string(difference));
    const std::array<std::function<void()>, 3> works{
            [&] { contest.run(); }, [&] { contest.execute(); }, [&] { contest.compute(); }};
    const auto [run, execute, compute] = shortestTimes(works);
    std::printf("%s %.1f %.1f %.1f %.2g\n", network.name, run, execute, compute, difference);
    std::fflush(stdout);
}

}  // namespace
}  // namespace nn

int main(int argc, char** argv) {
    try {
        nn::require(argc == 3, "usage: LIBRARY THREADS");
        const nn::OnnxRuntime runtime(argv[1]);
        const int threads = std::stoi(argv[2]);
        for (const nn::Network& network : nn::kNetworks) nn::time(runtime, network, threads);
        return 0;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "%s\n", failure.what());
        return 1;
    }
}
