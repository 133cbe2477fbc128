// Makes text from outside safe for a terminal and for one line of a message.
//
//   printable("mobilenet_v1")            mobilenet_v1
//   printable("x\nforged: valid")        "x\nforged: valid"      with the quotes, the line end
//   printable("\x1b[31m")                "\u001b[31m"           escaped
//   printable("caf\xe9")                 "caf\xe9"              a byte that is not UTF-8
//
// Thread-safe, no global state.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nn {

// Escapes as JSON does, but adds no quotes: control characters, format characters (invisible ones
// and those that change the direction of writing), line ends of Unicode, quotes and backslashes.
// Each byte that is not UTF-8 becomes \xNN.
std::string escaped(std::string_view text);

// The same, but quotes and backslashes stay: for sentences that contain quotes themselves.
std::string onOneLine(std::string_view text);

// As escaped(), in double quotes.
std::string inQuotes(std::string_view text);

// The name itself where it cannot be misread: it has only letters, digits, and punctuation of file
// names. All other names, also an empty one, in quotes.
std::string printable(std::string_view name);

// The first character of a text.
struct Utf8Character {
    char32_t code = 0;
    size_t size = 0;  // bytes; 0 where the text does not begin with UTF-8
};
Utf8Character firstCharacter(std::string_view text);

// The place of the first byte that is not UTF-8; the size of the text where all bytes are.
size_t endOfUtf8(std::string_view text);

}  // namespace nn
