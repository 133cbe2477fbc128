#include "tools/nnapi/vlog.h"

#include <cstdio>
#include <cstdlib>

#include "base/printable.h"
#include "tools/nnapi/output.h"

namespace nn::cli {
namespace {

SharedLog makeLog() {
    constexpr size_t kMaxShown = 256;  // bytes of an unknown tag
    const char* value = std::getenv("NNAPI_VLOG");
    const VlogSetting setting = parseVlog(value == nullptr ? "" : value);
    for (const std::string& name : setting.unknown) {
        Output::complain(
                fmt::format("NNAPI_VLOG has the unknown tag {}, allowed all, model, "
                            "compilation, execution, cpuexe, manager, driver, memory",
                            printable(name, kMaxShown)));
    }
    if (setting.mask == kVlogNone) return nullptr;
    return std::make_shared<const Log>(
            [](const LogRecord& record) { Output::write(toString(record) + "\n", stderr); },
            setting.mask);
}

}  // namespace

const SharedLog& programLog() {
    static const SharedLog log = makeLog();
    return log;
}

}  // namespace nn::cli
