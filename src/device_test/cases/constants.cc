// Cases of models that are equal but for their constants: nothing of one is used for the other.
#include <algorithm>

#include "device_test/cases/cache_fixture.h"
#include "device_test/cases/cases.h"
#include "device_test/cases/prepared_case.h"
#include "nnapi/generate/generate.h"

namespace nn::testing {
namespace {

constexpr uint32_t kSize = 4;

// x plus a constant vector, which begins with `first`.
Job addedVector(float first) {
    Job job;
    SubgraphBuilder main(job.model);
    const auto x = main.input(floatTensor({kSize}));
    const auto constant = main.constant<float>(floatTensor({kSize}), ramp(kSize, first, 1));
    main.add(OperationType::ADD, {x, constant, main.scalar(0)},
             {main.output(floatTensor({kSize}))});
    job.model.main = std::move(main.graph);
    job.inputs = {tensorOf({kSize}, ramp(kSize, 0, 1))};
    job.outputs = {tensorOf({kSize}, ramp(kSize, first, 2))};
    return job;
}

// The same, with the constant in a pool.
Job addedReference(float first) {
    Job job = addedVector(first);
    Operand& constant = job.model.main.operands[1];
    const Tensor values = tensorOf({kSize}, ramp(kSize, first, 1));
    job.model.pools = {memoryOf(values.data)};
    constant.lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
    constant.location = {.poolIndex = 0, .length = static_cast<uint32_t>(values.data.size())};
    return job;
}

// x times a matrix that has `factor` in its diagonal.
Job multipliedMatrix(float factor) {
    Job job;
    SubgraphBuilder main(job.model);
    const auto x = main.input(floatTensor({1, kSize}));
    std::vector<float> weights(size_t{kSize} * kSize);
    for (uint32_t i = 0; i < kSize; ++i) weights[i * kSize + i] = factor;
    const auto matrix = main.constant<float>(floatTensor({kSize, kSize}), weights);
    const auto bias = main.constant<float>(floatTensor({kSize}), std::vector<float>(kSize));
    main.add(OperationType::FULLY_CONNECTED, {x, matrix, bias, main.scalar(0)},
             {main.output(floatTensor({1, kSize}))});
    job.model.main = std::move(main.graph);
    job.inputs = {tensorOf({1, kSize}, ramp(kSize, 0, 1))};
    job.outputs = {tensorOf({1, kSize}, ramp(kSize, 0, factor))};
    return job;
}

// The larger of x and 0 where `first` is 2: the constant is a parameter.
Job activated(float first) {
    Job job = sumJob(kSize, -20);
    const bool isClamped = first == 2;
    Model& model = job.model;
    const DataLocation& location = model.main.operands[2].location;
    std::vector<uint8_t> values(model.operandValues.data(),
                                model.operandValues.data() + model.operandValues.size());
    values[location.offset] = isClamped ? 1 : 0;
    model.operandValues = Model::OperandValues(std::move(values));
    std::vector<float> sums = ramp(kSize, 10, -10);
    for (float& sum : sums) sum = isClamped ? std::max(sum, 0.0f) : sum;
    job.outputs = {tensorOf({kSize}, sums)};
    return job;
}

struct TwinRow {
    const char* name;
    Job (*make)(float number);
};
constexpr TwinRow kTwins[] = {{"vector", addedVector},
                              {"pool", addedReference},
                              {"matrix", multipliedMatrix},
                              {"activation", activated}};

Failure computesTwin(const char* place, const IPreparedModel& prepared, const JobCase& job) {
    return checkComputes(fmt::format("execute of {} two models that differ in a constant", place),
                         prepared, job);
}

// Rules prepare.arguments and execution.result: prepares both, and executes both in turn; then in
// the other order.
Failure twins(const SharedDevice& device, const TwinRow& row) {
    for (const auto& [first, second] : {std::pair(1.0f, 2.0f), std::pair(2.0f, 1.0f)}) {
        const JobCase one(row.make(first)), other(row.make(second));
        SharedPreparedModel preparedOne, preparedOther;
        if (Failure failure = prepareOn(*device, one.model(), &preparedOne)) return failure;
        if (Failure failure = prepareOn(*device, other.model(), &preparedOther)) return failure;
        for (int round = 0; round < 2; ++round) {
            if (Failure failure = computesTwin("the first of", *preparedOne, one)) return failure;
            if (Failure failure = computesTwin("the second of", *preparedOther, other)) {
                return failure;
            }
        }
    }
    return std::nullopt;
}

// Rules cache.reload and cache.other_token: each is saved under a token of its own.
Failure cachedTwins(const SharedDevice& device, const std::string& folder, const TwinRow& row) {
    CacheFixture one(device, folder, row.make(1)), other(device, folder, row.make(2));
    other.token = cacheToken(2);
    for (CacheFixture* each : {&one, &other}) {
        if (Failure failure = each->begin()) return failure;
        if (Failure failure = each->save()) return failure;
    }
    for (CacheFixture* each : {&other, &one, &other}) {
        const auto loaded = each->load();
        if (!loaded.has_value() && loaded.error().code == ErrorStatus::GENERAL_FAILURE) {
            return notSupported(fmt::format("caching of this model ({})", loaded.error().message));
        }
        if (Failure failure = each->computes("prepareModelFromCache of one of two models that "
                                             "differ in a constant",
                                             loaded)) {
            return failure;
        }
    }
    return std::nullopt;
}

}  // namespace

void addConstants(Cases& cases, const DeviceTestOptions&) {
    addRows(cases, "execution/twins", kTwins, twins);
}

void addCachedConstants(Cases& cases, const DeviceTestOptions& options) {
    addRows(cases, "cache/twins", kTwins,
            [folder = options.temporaryFolder](const SharedDevice& device, const TwinRow& row) {
                return cachedTwins(device, folder, row);
            });
}

}  // namespace nn::testing
