#include "nnapi/device_test/device_test_runner.h"

#include <string_view>

#include "nnapi/driver/reference.h"

using namespace nn;

// This program is its own worker.
int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "worker") {
        const Status served = testing::serveDeviceRun(
                [](const std::string&, const std::string&) -> GeneralResult<SharedDevice> {
                    return referenceDevice();
                });
        return served.ok() ? 0 : 2;
    }
    testing::DeviceRunOptions options{.device = "reference",
                                      .worker = {.arguments = {argv[0], "worker"}}};
    options.fits = [](const testing::DeviceCase& test) { return test.kind == "basics"; };
    auto run = testing::DeviceRun::list(std::move(options));
    if (!run.ok()) return 2;
    const Result<testing::DeviceReport> report = run->run();
    return report.ok() && report->isGood() && !report->results.empty() ? 0 : 1;
}
