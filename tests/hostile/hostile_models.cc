#include "hostile/hostile_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "environment.h"
#include "golden.h"
#include "hostile/memory_writer.h"
#include "nnapi/convert.h"
#include "nnapi/drawing.h"
#include "nnapi/graph_dump.h"
#include "nnapi/half.h"
#include "nnapi/interpreter.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "nnapi/passes.h"
#include "nnapi/print.h"
#include "nnapi/slice.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "op_support/rules/op_view.h"
#include "strict_device.h"
#include "validate/operation_check.h"
#include "vectors.h"

namespace nn::hostile {
namespace {

// Enough for every valid model, and small enough that a malicious one reaches them soon.
constexpr Limits kLimits{.peakBytes = 16 << 20, .loopFuel = 1000, .time = 10'000};

std::string failureText(std::string_view verb, const Status& status) {
    const auto why = diagnostic(status);
    return fmt::format("{}:{}", verb, why ? why->rule : toString(errorStatus(status)));
}

// Large models take seconds as text, and are no more useful than small ones.
bool isLarge(const Model& model) {
    return model.referenced.size() > 1000 || model.main.operations.empty() ||
           model.main.operations.front().inputs.size() +
                           model.main.operations.front().outputs.size() >
                   1000;
}

// In presets where the full test takes too long, each pair uses a random sample of versions and
// formats: a case applies to a hundred operations. The cases of control flow apply to two, and use
// all.
bool isTaken(const Model& model) {
    static const uint64_t share = fromEnvironment("NNAPI_DEVICE_SHARE", 1);
    static std::minstd_rand random;
    return random() % share == 0 || (!model.referenced.empty() && !isLarge(model));
}

// Checks that require a valid model, and checks of any model.
void tryConversions(const Model& model, bool isLegal) {
    for (const HalVersion version : kConvertibleVersions) {
        if (!isTaken(model)) continue;
        const Result<HalModel> converted = convertTo(version, model);
        EXPECT_TRUE(isLegal || !converted.ok()) << "converted though illegal";
        Losses losses;
        const Result<HalModel> any = unvalidatedConvertTo(version, model, &losses);
        if (!any.ok()) continue;
        const Result<Model> back = unvalidatedConvertFrom(*any);
        const Result<Model> legal = convertFrom(*any);
        EXPECT_TRUE(back.ok() || !legal.ok());
        if (isLegal && back.ok() && losses.empty()) {
            EXPECT_EQ(*back, model);
        }
    }
}

void tryText(const Model& model, bool isLegal) {
    if (isLarge(model)) return;
    if (isTaken(model)) {
        EXPECT_FALSE(print(model).empty());
        EXPECT_FALSE(graphDump(model).empty());
        EXPECT_FALSE(
                drawing(model, {.marks = marksForVersion(model, kVersionFeatureLevel1)}).empty());
    }
    for (const Format format : {Format::BINARY, Format::TEXT, Format::JSON}) {
        if (!isTaken(model)) continue;
        const Result<std::string> bytes = serializeModel(model, format);
        if (!bytes.ok()) continue;
        const Result<AnyModel> read = parseModel(*bytes, format);
        if (isLegal) {
            EXPECT_TRUE(read.ok()) << read.status();
        }
    }
}

void tryPasses(const Model& model, bool isLegal) {
    const Minimized minimized = minimize(model);
    if (isLegal) {
        EXPECT_TRUE(validate(minimized.model).ok());
    }
    EXPECT_TRUE(isLegal || !sliceForVersion(model, HalVersion::V1_0).ok());
}

template <class E>
std::vector<uint8_t> repeated(E value, size_t size) {
    std::vector<uint8_t> bytes(size);
    for (size_t at = 0; at + sizeof(E) <= size; at += sizeof(E)) {
        std::memcpy(bytes.data() + at, &value, sizeof(E));
    }
    return bytes;
}

std::optional<std::vector<uint8_t>> filled(OperandType type, double value, size_t size) {
    const bool isInteger = std::abs(value) <= UINT32_MAX;  // not NaN
    switch (type) {
        case OperandType::INT32:
        case OperandType::TENSOR_INT32:
        case OperandType::UINT32:
            if (!isInteger) return std::nullopt;
            return repeated(static_cast<uint32_t>(static_cast<int64_t>(value)), size);
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            return repeated(static_cast<float>(value), size);
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            return repeated(floatToHalf(static_cast<float>(value)), size);
        default:
            return std::nullopt;
    }
}

std::vector<Subject> readSubjects() {
    std::vector<Subject> subjects;
    for (const std::filesystem::path& file : vectorFiles()) {
        Result<TestCaseReader> reader = TestCaseReader::open(file);
        auto next = reader.ok() ? reader->next() : std::nullopt;
        if (!next || !next->ok() || (*next)->expectFailure) continue;
        TestCase& testCase = **next;
        if (testCase.model.main.operations.size() != 1) continue;
        subjects.push_back({std::move(testCase.model), std::move(testCase.inputs)});
    }
    return subjects;
}

}  // namespace

std::string Subject::name() const { return toString(operation().type); }

Operand* Subject::input(size_t i) {
    if (i >= operation().inputs.size()) return nullptr;
    return &model.main.operands[operation().inputs[i]];
}

Operand* Subject::output(size_t i) {
    if (i >= operation().outputs.size()) return nullptr;
    return &model.main.operands[operation().outputs[i]];
}

Operand* Subject::tensor() {
    for (size_t i = 0; i < operation().inputs.size(); ++i) {
        if (input(i)->lifetime == LifeTime::SUBGRAPH_INPUT && isNonExtensionTensor(input(i)->type))
            return input(i);
    }
    return nullptr;
}

Operand* Subject::constant() {
    for (size_t i = 0; i < operation().inputs.size(); ++i) {
        if (isConstant(input(i)->lifetime)) return input(i);
    }
    return nullptr;
}

std::optional<size_t> Subject::position(std::string_view parameter) const {
    DeclaredOperands declared;
    if (ops::specOf(operation().type) == nullptr || !declared.take(operation(), model.main))
        return std::nullopt;
    const std::span<const ops::Value> ins = declared.inputs();
    Report report;
    const ops::Form* form =
            checkOperation(operation().type, ins, declared.outputs(), Place{}, report);
    if (form == nullptr) return std::nullopt;
    for (size_t i = 0; i < ins.size(); ++i) {
        const ops::Param* param = ops::paramAt(form->inputs, i, ins.size());
        if (param != nullptr && param->name == parameter) return i;
    }
    return std::nullopt;
}

bool Subject::fill(std::optional<size_t> i, double value) {
    Operand* operand = i ? input(*i) : nullptr;
    if (operand == nullptr) return false;
    if (operand->lifetime == LifeTime::SUBGRAPH_INPUT) {
        const auto at = std::ranges::find(model.main.inputIndexes, operation().inputs[*i]);
        Tensor& tensor = inputs[static_cast<size_t>(at - model.main.inputIndexes.begin())];
        const auto bytes = filled(operand->type, value, tensor.data.size());
        if (bytes) tensor.data = *bytes;
        return bytes.has_value();
    }
    if (!isConstant(operand->lifetime)) return false;
    const auto bytes = filled(operand->type, value, operand->location.length);
    if (!bytes) return false;
    operand->lifetime = LifeTime::CONSTANT_COPY;
    operand->location = *model.operandValues.append(bytes->data(), bytes->size());
    return true;
}

const std::vector<Subject>& subjects() {
    static const std::vector<Subject> all = readSubjects();
    return all;
}

std::vector<const Subject*> oneOfEach() {
    std::vector<const Subject*> chosen;
    std::set<OperationType> types;
    for (const Subject& subject : subjects()) {
        if (types.insert(subject.operation().type).second) chosen.push_back(&subject);
    }
    return chosen;
}

Request requestFor(const Subject& subject, SharedMemory (*newPool)(size_t size)) {
    using Argument = Request::Argument;
    constexpr size_t kRoom = 1 << 16;
    Request request;
    const auto add = [&](std::vector<Argument>& arguments, std::span<const uint8_t> data,
                         size_t size) {
        SharedMemory pool = newPool(std::max<size_t>(size, 1));
        EXPECT_TRUE(writeMemory(pool, 0, data).ok());
        arguments.push_back({.location = {.poolIndex = static_cast<uint32_t>(request.pools.size()),
                                          .length = static_cast<uint32_t>(size)}});
        request.pools.emplace_back(std::move(pool));
    };
    for (const Tensor& input : subject.inputs) {
        add(request.inputs, input.data, input.data.size());
        if (input.hasNoValue) request.inputs.back() = {.lifetime = Argument::LifeTime::NO_VALUE};
    }
    for (const uint32_t operand : subject.model.main.outputIndexes) {
        const auto size = operandSize(subject.model.main.operands[operand]).value_or(0);
        add(request.outputs, {}, size == 0 ? kRoom : size);
    }
    return request;
}

std::string resultOf(const Subject& subject) {
    const Model& model = subject.model;
    const Result<Version> needed = validate(model);
    EXPECT_EQ(validateAll(model).valid(), needed.ok());
    tryConversions(model, needed.ok());
    tryText(model, needed.ok());
    tryPasses(model, needed.ok());
    const Result<PreparedModel> prepared = prepare(model, {.limits = kLimits});
    EXPECT_EQ(strictContradiction(model, {.limits = kLimits}), std::nullopt);
    if (!needed.ok()) {
        EXPECT_EQ(prepared.status(), needed.status());
        return failureText("validate", needed.status());
    }
    if (!prepared.ok()) return failureText("prepare", prepared.status());
    const auto outputs =
            prepared->run(subject.inputs, {.loopTimeout = std::chrono::milliseconds(5)});
    return outputs.ok() ? "ok" : failureText("run", outputs.status());
}

void Section::add(std::string_view name, const Subject& subject, std::string_view result) {
    mResults[fmt::format("{} {}", name, result)].insert(subject.name());
}

void Section::run(std::span<const Case> cases) {
    Peer peer;
    peer.rest();
    Outcomes withPeer;
    for (const Subject* subject : oneOfEach()) {
        for (const Case& hostile : cases) {
            Subject broken = *subject;
            if (!hostile.apply(broken)) continue;
            SCOPED_TRACE(fmt::format("{} {}", hostile.name, subject->name()));
            const std::string result = resultOf(broken);
            add(hostile.name, *subject, result);
            if (result.starts_with("validate:"))
                continue;  // rejected before a byte of a pool is read
            useWithPeer(peer, broken.model, broken.inputs, Exposed::AND_SCALARS, withPeer);
            peer.rest();
        }
    }
}

void Section::expectPinned(std::string_view name) const {
    std::string found;
    for (const auto& [result, operations] : mResults) {
        found += fmt::format("{}: {}\n", result, fmt::join(operations, " "));
    }
    expectGolden(fmt::format("hostile/{}.txt", name), found);
}

void runSection(std::string_view name, std::span<const Case> cases) {
    Section section;
    section.run(cases);
    section.expectPinned(name);
}

}  // namespace nn::hostile
