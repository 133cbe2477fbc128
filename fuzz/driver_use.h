// Calls of wrapped and adapted drivers, shared by the fuzz targets.
#pragma once

#include <array>
#include <utility>

#include "fuzz/input.h"
#include "nnapi/convert.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/memory.h"

namespace nn::fuzz {

using testing::any;
using testing::Source;

// ---- nearly valid objects

// Changes one thing in an object: a number to its neighbor, the elements of a list, or any part to
// an arbitrary value.
template <class T>
void tweak(Source& source, T& object) {
    using namespace testing::generate_internal;
    if constexpr (isVector<T> && !std::is_same_v<T, std::vector<bool>>) {
        const auto swap = [&](size_t i, size_t j) {
            if (i != j) std::swap(object[i], object[j]);
        };
        const size_t size = object.size();
        const size_t at = source.below(size);
        switch (size == 0 ? 0 : source.below(6)) {
            case 0:  // one more
                object.resize(size + 1);
                object[size] = any<typename T::value_type>(source);
                return swap(at, size);
            case 1:  // one less
                swap(at, size - 1);
                return object.resize(size - 1);
            case 2:
                return swap(at, source.below(size));
            default:
                return tweak(source, object[at]);
        }
    } else if constexpr (isOptional<T>) {
        if (object && source.coin()) return tweak(source, *object);
        object = any<T>(source);
    } else if constexpr (HasFields<T>) {
        size_t fields = 0;
        visitFields(std::type_identity<T>{}, [&](std::string_view, auto) { ++fields; });
        const size_t chosen = source.below(fields);
        size_t field = 0;
        visitFields(std::type_identity<T>{}, [&](std::string_view, auto member) {
            if (field++ == chosen) tweak(source, object.*member);
        });
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        constexpr T kMost = std::numeric_limits<T>::max(), kLeast = std::numeric_limits<T>::min();
        switch (source.below(4)) {
            case 0:
                object = object == kMost ? kLeast : static_cast<T>(object + 1);
                return;
            case 1:
                object = object == kLeast ? kMost : static_cast<T>(object - 1);
                return;
            default:
                object = any<T>(source);
        }
    } else {
        object = any<T>(source);
    }
}

// The object with few changes or none.
template <class T>
T nearly(Source& source, T object) {
    while (source.oneIn(4)) tweak(source, object);
    return object;
}

// ---- use of a wrapped driver

inline const Model& relu() {
    static const Model kModel = [] {
        const Operand tensor = {.type = OperandType::TENSOR_FLOAT32, .dimensions = {4}};
        Model model;
        model.main.operands = {tensor, tensor};
        model.main.operands[0].lifetime = Operand::LifeTime::SUBGRAPH_INPUT;
        model.main.operands[1].lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT;
        model.main.operations = {{.type = OperationType::RELU, .inputs = {0}, .outputs = {1}}};
        model.main.inputIndexes = {0};
        model.main.outputIndexes = {1};
        return model;
    }();
    return kModel;
}

inline void expectSound(const ExecutionResult<Executed>& executed) {
    if (executed.has_value()) {
        const auto& [shapes, timing] = *executed;
        expect(shapes.empty() || shapes.size() == 1, "shapes of another model");
        for (const OutputShape& shape : shapes) {
            expect(shape.isSufficient, "a success with an output that did not fit");
            expect(shape.dimensions == Dimensions{4}, "a shape against the model");
        }
        expect(!timing.timeOnDevice || !timing.timeInDriver ||
                       *timing.timeOnDevice <= *timing.timeInDriver,
               "a device that took longer than its driver");
        return;
    }
    const ExecutionError error = executed.error();
    expect(error.code != ErrorStatus::NONE && !error.message.empty(), "failed silently");
    expect(error.outputShapes.empty() || error.code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE,
           "shapes with another failure");
}

template <class T>
void expectSoundResult(const GeneralResult<T>& result) {
    if (result.has_value()) return;
    expect(result.error().code != ErrorStatus::NONE && !result.error().message.empty(),
           "failed silently");
}

inline void execute(Source& source, const IPreparedModel& preparedModel) {
    std::array<float, 8> values{};
    const auto at = [&](size_t i) {
        return Request::Argument{
                .lifetime = Request::Argument::LifeTime::POINTER,
                .location = {.pointer = static_cast<void*>(&values[i]), .length = 16}};
    };
    const Request request =
            source.oneIn(4) ? any<Request>(source) : Request{.inputs = {at(0)}, .outputs = {at(4)}};
    const auto measure = source.coin() ? MeasureTiming::YES : MeasureTiming::NO;
    expectSound(preparedModel.execute(request, measure, {}, {}, {}, {}));
    const auto execution = preparedModel.createReusableExecution(request, measure, {}, {}, {});
    expectSoundResult(execution);
    if (execution.has_value()) expectSound((*execution)->compute({}));
    const auto fenced = preparedModel.executeFenced(request, {}, measure, {}, {}, {}, {}, {});
    expectSoundResult(fenced);
    if (fenced.has_value()) expectSoundResult(fenced->second());
    const auto burst = preparedModel.configureExecutionBurst();
    expectSoundResult(burst);
    if (!burst.has_value()) return;
    for (int i = 0; i < 2; ++i) {
        expectSound((*burst)->execute(request, measure, {}, {}, {}, {}));
    }
}

inline void use(Source& source, const IDevice& device) {
    expect(!device.getVersionString().empty(), "no version");
    const auto [models, data] = device.getNumberOfCacheFilesNeeded();
    expect(models <= kMaxNumberOfCacheFiles && data <= kMaxNumberOfCacheFiles, "too many files");
    expectSoundResult(device.wait());
    const auto supported = device.getSupportedOperations(relu());
    expectSoundResult(supported);
    if (supported.has_value())
        expect(supported->size() == 1, "returns the support of another model");
    const auto prepared = device.prepareModel(relu(), ExecutionPreference::DEFAULT,
                                              Priority::DEFAULT, {}, {}, {}, {}, {}, {});
    expectSoundResult(prepared);
    if (!prepared.has_value()) return;
    expect(prepared->get() != nullptr, "null without an error");
    execute(source, **prepared);
    const auto buffer = device.allocate({}, {*prepared}, {BufferRole{.probability = 1.0f}}, {});
    expectSoundResult(buffer);
    if (!buffer.has_value()) return;
    expect((*buffer)->getToken() != Request::MemoryDomainToken{}, "token 0");
    const auto memory = createSharedMemory(16);
    if (!memory.ok()) return;
    expectSoundResult((*buffer)->copyFrom(*memory, {}));
    expectSoundResult((*buffer)->copyTo(*memory));
}

// ---- requests to an adapter

// A model of the version, usually valid or nearly so. `canonical` receives the model that it was
// made from.
template <HalVersion V>
HalType<Model, V> anyModel(Source& source, Model& canonical) {
    canonical = source.coin() ? testing::validModel(source,
                                                    {.version = V, .executable = !source.oneIn(4)})
                              : relu();
    auto legal = unvalidatedConvertTo<V>(canonical);
    if (!legal.ok() || source.oneIn(16)) return any<HalType<Model, V>>(source);
    return nearly(source, *std::move(legal));
}

// The same for requests.
template <HalVersion V>
HalType<Request, V> anyRequest(Source& source, const Model& model) {
    auto legal = unvalidatedConvertTo<V>(testing::validRequest(source, model));
    if (!legal.ok() || source.oneIn(16)) return any<HalType<Request, V>>(source);
    return nearly(source, *std::move(legal));
}

}  // namespace nn::fuzz
