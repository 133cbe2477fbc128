#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/status_message.h"
#include "nnapi/convert.h"
#include "nnapi/validate.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/import_files.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/preparation.h"

namespace nn::cli {
namespace {

// The median time of a step in nanoseconds.
template <class Step>
int64_t medianOf(size_t repeat, const Step& step) {
    std::vector<int64_t> times(repeat);
    for (int64_t& time : times) {
        const TimePoint start = Clock::now();
        step();
        time = (Clock::now() - start).count();
    }
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(repeat / 2));
    return times[repeat / 2];
}

// Reads the file, or the content of the pipe, again up to the model of that name.
int64_t loadTime(const Input& input, const Options& options) {
    const Limits& limits = options.limits;
    return medianOf(options.repeat, [&] {
        if (input.import) {
            (void)(input.content ? importBytes(input.content->bytes, "", options)
                                 : importFile(input.file, options));
            return;
        }
        if (!input.testCase) {
            (void)(input.content ? modelOf(*input.content, limits) : readModel(input.file, limits));
            return;
        }
        Result<TestCaseReader> reader = input.content ? testCasesOf(*input.content, limits)
                                                      : testCasesOf(input.file, limits);
        while (reader.ok()) {
            const auto next = reader->next();
            if (!next || (next->ok() && (*next)->name == input.name.raw)) return;
        }
    });
}

// The times of preparation and execution; empty if they fail, with the reason.
struct ExecutionTimes {
    std::optional<int64_t> preparation{};
    std::optional<int64_t> execution{};
    Status status{};
    std::optional<uint64_t> seed{};  // of random inputs
    std::string origin{};            // of the inputs
};

ExecutionTimes executionTimes(const Input& input, const Model& model, const Options& options) {
    ExecutionTimes times;
    const Result<PreparedModel> prepared = prepareFor(options, model);
    times.status = prepared.status();
    if (!prepared.ok()) return times;
    times.preparation = medianOf(options.repeat, [&] { (void)prepareFor(options, model); });
    const Result<ExecutionInputs> inputs = inputsOf(input, model, options);
    times.status = inputs.status();
    if (!inputs.ok()) return times;
    times.seed = inputs->seed;
    const int64_t execution = medianOf(
            options.repeat, [&] { times.status = prepared->run(inputs->values).status(); });
    if (!times.status.ok()) return times;
    times.execution = execution;
    if (inputs->seed) times.origin = " " + inputs->origin();
    return times;
}

Json jsonOf(const std::optional<int64_t>& time) { return time ? Json(*time) : Json(); }
std::string shownTime(const std::optional<int64_t>& time) {
    return time ? fmt::format("{:>12} ns", *time) : fmt::format("{:>12}", "-");
}

Exit benchModel(const Output& output, Input& input, const Options& options) {
    const size_t repeat = options.repeat;
    const Limits& limits = options.limits;
    const int64_t load = loadTime(input, options);
    const Result<Model> model = canonical(std::move(input.model));
    const Status legal = model.ok() ? nn::validate(*model, limits).status() : model.status();
    if (!legal.ok()) {
        return Output::complain(fmt::format("{}: {}", input.name, messageOf(legal)),
                                kInvalidOrDiffers);
    }
    const int64_t validation = medianOf(repeat, [&] { (void)nn::validate(*model, limits); });
    Json conversions = Json::object();
    std::string table;
    for (const HalVersion version : kConvertibleVersions) {
        const Result<HalModel> versioned = convertTo(version, *model, nullptr, limits);
        if (!versioned.ok()) continue;
        const int64_t to =
                medianOf(repeat, [&] { (void)convertTo(version, *model, nullptr, limits); });
        const int64_t from = medianOf(repeat, [&] { (void)convertFrom(*versioned, limits); });
        conversions[std::string(toString(version))] = {{"to", to}, {"from", from}};
        table +=
                fmt::format("  to {:<7}   {:>12} ns, back {:>12} ns\n", titleOf(version), to, from);
    }
    const ExecutionTimes times = executionTimes(input, *model, options);
    if (output.isJson()) {
        output.object(
                {{"name", input.name},
                 {"loadNs", load},
                 {"validateNs", validation},
                 {"convertNs", conversions},
                 {"prepareNs", jsonOf(times.preparation)},
                 {"executeNs", jsonOf(times.execution)},
                 {"inputsSeed", times.seed ? Json(*times.seed) : Json()},
                 {"notExecuted", times.status.ok() ? Json() : Json(messageOf(times.status))}});
    }
    output.text("{}\n  load         {:>12} ns\n  validate     {:>12} ns\n{}", input.name, load,
                validation, Lines{table});
    output.text("  prepare      {}\n  execute      {}{}\n", shownTime(times.preparation),
                shownTime(times.execution), times.origin);
    if (times.status.ok()) return kGood;
    output.text("  not executed: {}\n", messageOf(times.status));
    return input.testCase && input.testCase->expectFailure ? kGood : kInvalidOrDiffers;
}

}  // namespace

Exit bench(const Options& options) {
    const Output output(options.json);
    return forEachInput(options, [&](Input& input) { return benchModel(output, input, options); });
}

}  // namespace nn::cli
