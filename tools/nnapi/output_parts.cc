#include "tools/nnapi/output_parts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/status_message.h"

namespace nn::cli {

Json toJson(const std::vector<Diagnostic>& diagnostics) {
    Json list = Json::array();
    for (const Diagnostic& d : diagnostics) {
        std::string message = toString(d);
        list.push_back({{"rule", d.rule}, {"path", d.path}, {"message", std::move(message)}});
    }
    return list;
}

Json toJson(const Losses& losses) {
    Json list = Json::array();
    for (const Loss& loss : losses) {
        list.push_back({{"path", loss.path},
                        {"before", loss.before},
                        {"after", loss.after},
                        {"why", loss.why}});
    }
    return list;
}

Json dimensionsToJson(const std::vector<uint32_t>& dimensions) {
    Json list = Json::array();
    for (const uint32_t dimension : dimensions) list.push_back(dimension);
    return list;
}

std::vector<Diagnostic> diagnosticsOf(const Status& status) {
    if (status.ok()) return {};
    if (auto found = diagnostic(status)) return {*std::move(found)};
    return {{.message = messageOf(status)}};
}

std::string withLevel(Version version) {
    return fmt::format("{} (feature level {})", toString(version), featureLevel(version));
}

std::string counted(size_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace nn::cli
