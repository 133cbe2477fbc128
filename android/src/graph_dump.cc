#include "nnapi_android/graph_dump.h"

#include <android-base/logging.h>

#include <ostream>
#include <sstream>
#include <string>

#include "nnapi/convert.h"
#include "nnapi/graph_dump.h"

namespace nnapi_android {

void dumpGraph(const char* name, const ::nn::Model& model, std::ostream* out) {
    const std::string text = ::nn::graphDump(model, name == nullptr ? "" : name);
    if (out != nullptr) {
        *out << text;
        return;
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) LOG(INFO) << line;
}

void dumpGraph(const char* name, const ::nn::V1_3::Model& model, std::ostream* out) {
    const auto canonical = ::nn::unvalidatedConvert(model);
    if (canonical.ok()) {
        dumpGraph(name, *canonical, out);
    } else {
        LOG(ERROR) << "graphDump: " << std::string(canonical.status().message());
    }
}

}  // namespace nnapi_android
