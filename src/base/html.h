// Composes self-contained HTML pages. Text is escaped unless it is Html already.
//
//   Html page = pageHead(fmt::format("Test of {}", device));
//   page += html("<h1>Test of {}</h1>\n{}", device, filterBox("operation, type"));
//   page += html("<p data-bad=\"no\">{}: {}</p>\n", Plural{3, "losses"}, untrustedName);
//   page += pageEnd();
//   return writeFile(path, page.markup);
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/plurals.h"
#include "base/untrusted_text.h"

namespace nn {

// Escapes text for HTML and XML, between tags and in attributes, and control characters as
// onOneLine() does.
std::string escapedForXml(std::string_view text);

// Markup whose texts from outside are escaped. html() makes it.
struct Html {
    std::string markup{};

    Html& operator+=(const Html& other) {
        markup += other.markup;
        return *this;
    }
    friend Html operator+(Html a, const Html& b) { return a += b; }
    bool empty() const { return markup.empty(); }
};

namespace html_arguments {

inline const std::string& shown(const Html& part) { return part.markup; }
inline std::string shown(const UntrustedText& text) { return escapedForXml(text.raw); }
inline std::string shown(std::string_view text) { return escapedForXml(text); }
inline std::string shown(const Plural& counted) { return toString(counted); }
template <class Number>
requires std::is_arithmetic_v<Number> Number shown(Number number) { return number; }

// Other types would be formatted without escapes; they do not compile.
template <class T>
using Shown = decltype(shown(std::declval<const T&>()));

}  // namespace html_arguments

// Formats as fmt::format() does; arguments are numbers, Plural, Html, and text, which is escaped.
template <class... Args>
Html html(fmt::format_string<html_arguments::Shown<Args>...> format, const Args&... args) {
    return {fmt::format(format, html_arguments::shown(args)...)};
}

// The beginning of a page, up to <body>: it loads nothing from elsewhere.
Html pageHead(std::string_view title);

// A box whose words select elements with data-bad="yes" or "no": shows those with all words, and on
// request only bad ones. The address can select too: report.html#q=conv_2d+float16&only=bad. An
// address that is the id of such an element, as page.html#main.operations[4], shows and marks it.
// Without scripts all elements are shown.
Html filterBox(std::string_view hint);

// The end of a page, with the script of the box.
Html pageEnd();

// A list; empty without items.
Html listOf(const std::vector<Html>& items);

// "<details>" with a summary; only the summary if there is nothing to expand.
Html expandable(const Html& summary, const Html& content);

}  // namespace nn
