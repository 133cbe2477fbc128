// Makes text from outside safe for a terminal and for one line of a message.
//
//   printable("mobilenet_v1")            mobilenet_v1
//   printable("x\nforged: valid")        "x\nforged: valid"      with the quotes, the line end
//   printable("\x1b[31m")                "\u001b[31m"           escaped
//   printable("caf\xe9")                 "caf\xe9"              a byte that is not UTF-8
//   printable("mobilenet_v1", 6)         mobile...             cut
//
// Thread-safe, no global state.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nn {

// Escapes as JSON does, but adds no quotes: control characters, format characters (invisible ones
// and those that change the writing direction), Unicode line ends, quotes and backslashes. Each
// byte that is not UTF-8 becomes \xNN.
std::string escaped(std::string_view text);

// As escaped(), but quotes and backslashes stay: for sentences that contain quotes themselves.
std::string onOneLine(std::string_view text);

// As escaped(), in double quotes.
std::string inQuotes(std::string_view text);

// The name itself if it consists only of letters, digits and file name punctuation. All other
// names, including an empty one, are quoted.
std::string printable(std::string_view name);

// The same of at most that many bytes, and three dots if there are more.
std::string onOneLine(std::string_view text, size_t most);
std::string inQuotes(std::string_view text, size_t most);
std::string printable(std::string_view name, size_t most);

// The first bytes of a text, at most that many, without a part of a character at the end.
std::string_view beginningOf(std::string_view text, size_t most);

// The first character of a text.
struct Utf8Character {
    char32_t code = 0;
    size_t size = 0;  // in bytes; 0 if the text does not start with UTF-8
};
Utf8Character firstCharacter(std::string_view text);

// The position of the first byte that is not UTF-8; the size of the text if there is none.
size_t endOfUtf8(std::string_view text);

}  // namespace nn
