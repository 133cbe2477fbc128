// Text from outside, made fit for a terminal and for one line of a message.
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

// Escapes as JSON does, without quotes around it: control and format characters (those that turn
// the direction of writing or show nothing), line ends of Unicode, quotes and backslashes. What is
// not UTF-8 becomes \xNN, byte by byte.
std::string escaped(std::string_view text);

// The same but for quotes and backslashes, which stay: for a sentence that quotes something itself.
std::string onOneLine(std::string_view text);

// As escaped(), in double quotes.
std::string inQuotes(std::string_view text);

// A name as it is where that can be taken for nothing else: of letters, digits, and punctuation
// that names of files have. Quoted otherwise, also where it is empty.
std::string printable(std::string_view name);

// Where the first byte lies that is not part of UTF-8; the size of the text where all is.
size_t endOfUtf8(std::string_view text);

}  // namespace nn
