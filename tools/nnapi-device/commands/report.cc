// One report of several files of results, which parts of a run have written.
#include "tools/nnapi-device/device_commands.h"
#include "tools/nnapi-device/report_output.h"

namespace nn::cli {

Exit report(const Options& options) {
    const Result<testing::DeviceReport> report = testing::mergeResults(
            options.files, reportFilesOf(options.cases), options.limits, maxBiasOf(options.cases));
    if (!report.ok()) return Output::complain(report.status());
    const Output output(options.json);
    ResultPrinter printer(output);
    for (const testing::CaseResult& result : report->results) printer.print(result, *report);
    return printReport(output, options.cases, *report);
}

}  // namespace nn::cli
