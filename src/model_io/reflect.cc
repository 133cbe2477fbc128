#include "model_io/reflect.h"

#include "base/printable.h"

namespace nn::schema {

Status checkText(std::string_view field, std::string_view text) {
    if (endOfUtf8(text) == text.size()) return {};
    return contentError(fmt::format("{} is not UTF-8, which files demand", field));
}

}  // namespace nn::schema
