// The program nnapi, with devices that have a fault: test-device --device bad:HANGS_IN_EXECUTE
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/open_device.h"
#include "cli/program.h"
#include "device_testing/bad_device.h"

namespace {

nn::GeneralResult<nn::SharedDevice> openBad(const std::string& spec) {
    constexpr std::string_view kPrefix = "bad:";
    const auto fault =
            spec.starts_with(kPrefix) ? nn::faultNamed(spec.substr(kPrefix.size())) : std::nullopt;
    if (!fault || fault == nn::Fault::CANNOT_OPEN) {
        return nn::error(nn::ErrorStatus::DEVICE_UNAVAILABLE) << "no device";
    }
    if (fault == nn::Fault::ABORTS_WHEN_OPENED) {
        signal(SIGABRT, SIG_DFL);
        raise(SIGABRT);
    }
    return nn::badDevice(*fault);
}

}  // namespace

int main(int argc, char** argv) {
    const rlimit none = {};
    setrlimit(RLIMIT_CORE, &none);  // they crash on purpose
    nn::cli::setOtherDevices(openBad);
    return nn::cli::program(argc, argv);
}
