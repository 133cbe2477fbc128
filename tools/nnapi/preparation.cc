#include "tools/nnapi/preparation.h"

#include <chrono>
#include <utility>

#include "tools/nnapi/interrupt.h"

namespace nn::cli {
namespace {

PrepareOptions prepareOptions(const Options& options) {
    return {.limits = options.limits,
            .threads = options.threads,
            .until = {.isCancelled = interrupted}};
}

}  // namespace

Result<PreparedModel> prepareFor(const Options& options, Model model) {
    return prepare(std::move(model), prepareOptions(options));
}

Result<PreparedModel> prepareFor(const Options& options, const ValidatedModel& model) {
    return prepare(model, prepareOptions(options));
}

ExecuteOptions executeOptions(const TestCase& testCase) {
    ExecuteOptions options{.isCancelled = interrupted};
    if (testCase.expectFailure) options.loopTimeout = std::chrono::milliseconds(1);
    return options;
}

}  // namespace nn::cli
