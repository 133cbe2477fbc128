// custom_options.h -- Options of custom operators: a FlexBuffer whose root is a map.
//
//   const auto options = CustomOptions::read(bytes);
//   if (const auto* read = std::get_if<CustomOptions>(&options)) read->find("max_detections");
//
// Accepts any bytes: offsets, sizes and widths are checked before they are used, and the work is
// bounded.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace nn::tflite {

class CustomOptions {
   public:
    // monostate is a value of another type.
    using Value = std::variant<std::monostate, int64_t, double, bool>;

    // The options, or the reason why they cannot be read. They refer to the bytes.
    static std::variant<CustomOptions, std::string> read(std::span<const uint8_t> bytes);

    // Null if there is none of that name.
    const Value* find(std::string_view name) const;

   private:
    std::map<std::string_view, Value> mValues;
};

}  // namespace nn::tflite
