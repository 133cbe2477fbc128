#include "schema/reflect.h"

#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/wire_format_lite.h>

namespace nn::schema {

Status checkText(std::string_view field, std::string_view text) {
    using pb::internal::WireFormatLite;
    const pb::LogSilencer silencer;
    if (text.size() <= kMostBytes &&
        WireFormatLite::VerifyUtf8String(text.data(), static_cast<int>(text.size()),
                                         WireFormatLite::SERIALIZE, "")) {
        return {};
    }
    return contentError(fmt::format("{} is not UTF-8, which files demand", field));
}

}  // namespace nn::schema
