// Requests against models: one that fits, an arbitrary one, or one that fits except for one field.
#include "fuzz/input.h"
#include "nnapi/convert.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"

namespace nn::fuzz {
namespace {

using testing::any;
using testing::Source;

bool areAllKnown(const Model& model, const std::vector<uint32_t>& indexes) {
    return std::ranges::none_of(indexes, [&](uint32_t index) {
        const Operand& operand = model.main.operands[index];
        return hasUnspecifiedDimensions(operand.type, operand.dimensions) ||
               operandSize(operand).value_or(UINT64_MAX) > 4096;
    });
}

void breakOne(Source& source, std::vector<Request::Argument>& arguments) {
    if (source.oneIn(4)) arguments.push_back(any<Request::Argument>(source));
    if (arguments.empty()) return;
    Request::Argument& argument = arguments[source.below(arguments.size())];
    switch (source.below(6)) {
        case 0:
            argument.lifetime = any<Request::Argument::LifeTime>(source);
            break;
        case 1:
            argument.location = any<DataLocation>(source);
            break;
        case 2:
            argument.location.offset = any<uint32_t>(source);
            break;
        case 3:
            argument.location.length = any<uint32_t>(source);
            break;
        case 4:
            argument.dimensions = any<std::vector<uint32_t>>(source);
            break;
        default:
            arguments.pop_back();
    }
}

// Makes an output overlap another argument, completely or in part.
void alias(Source& source, Request& request) {
    auto& others = source.coin() ? request.inputs : request.outputs;
    if (others.empty() || request.outputs.empty()) return;
    const Request::Argument& from = others[source.below(others.size())];
    Request::Argument& to = request.outputs[source.below(request.outputs.size())];
    if (from.lifetime != Request::Argument::LifeTime::POOL || to.lifetime != from.lifetime) return;
    to.location.poolIndex = from.location.poolIndex;
    to.location.offset = from.location.offset + static_cast<uint32_t>(source.below(9));
}

Request anyRequest(Source& source, const Model& model) {
    if (source.oneIn(4) || !areAllKnown(model, model.main.inputIndexes) ||
        !areAllKnown(model, model.main.outputIndexes)) {
        return any<Request>(source);
    }
    Request request = testing::validRequest(source, model);
    for (size_t n = source.below(4); n > 0; --n) alias(source, request);
    if (source.coin()) breakOne(source, source.coin() ? request.inputs : request.outputs);
    if (source.oneIn(8)) request.pools = any<std::vector<Request::MemoryPool>>(source);
    return request;
}

template <HalVersion V>
void convertsTo(const Request& request) {
    Losses losses;
    const auto down = unvalidatedConvertTo<V>(request, &losses);
    if (!down.ok()) return;
    const auto up = unvalidatedConvert(*down);
    expect(up.ok(), textOf(up.status()));
    expect((*up == request) == losses.empty(), "loses something silently");
}

}  // namespace

NNAPI_FUZZ_TARGET(request, MODEL) {
    const ModelInput input = split(bytes);
    const auto model = canonicalOf(input);
    if (!model || !validate(*model).ok()) return;
    Source source(input.choices);
    const Request request = anyRequest(source, *model);
    const bool fits = validateRequestForModel(request, *model).ok();
    expect(!fits || validate(request).ok(), "fits a model, but is not legal");
    convertsTo<HalVersion::V1_0>(request);
    convertsTo<HalVersion::V1_2>(request);
    convertsTo<HalVersion::V1_3>(request);
    convertsTo<HalVersion::AIDL1>(request);

    const Result<PreparedModel> prepared = prepare(*model, littleWork());
    if (!prepared.ok()) return;
    const ExecutionOutcome result = prepared->execute(request, littleTime());
    expect(fits || !result.status.ok(), "executes what does not fit");
}

}  // namespace nn::fuzz
