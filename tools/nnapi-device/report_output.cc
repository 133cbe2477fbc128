#include "tools/nnapi-device/report_output.h"

#include "tools/nnapi/interrupt.h"

namespace nn::cli {

testing::ReportFiles reportFilesOf(const CaseOptions& options) {
    return {.knownFailures = options.knownFailures, .earlier = options.earlier};
}

double maxBiasOf(const CaseOptions& options) { return static_cast<double>(options.bias) / 100; }

void ResultPrinter::print(const testing::CaseResult& result, const testing::DeviceReport& report) {
    if (mOutput.isJson()) return Output::write(jsonLineOf(result, report) + "\n");
    if (!result.isBad() || result.isKnown || !mCauses.insert(causeOf(result)).second) return;
    mOutput.text("{}\n{}", Colored::bad(toString(result)), Lines{detailsOf(result)});
}

Exit printReport(const Output& output, const CaseOptions& options,
                 const testing::DeviceReport& report) {
    if (output.isJson()) {
        for (const testing::NotRun& left : report.notRun) Output::write(jsonLineOf(left) + "\n");
    }
    output.text("{}", Lines{summaryOf(report)});
    if (report.isInterrupted && !output.isJson()) setInterruptReported();
    Exit exit = report.isGood() ? kGood : kInvalidOrDiffers;
    const auto look = [&](const Status& written) {
        if (written.ok()) return;
        exit = Output::complain(written);
    };
    if (!options.junit.empty()) look(writeJunit(options.junit, report));
    if (!options.html.empty()) look(writeHtml(options.html, report));
    return exit;
}

}  // namespace nn::cli
