// The output of a command and its exit code.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/printable.h"
#include "nnapi/result.h"

namespace nn::cli {

using Json = nlohmann::ordered_json;

// The exit codes; of several files, the largest counts.
enum Exit : int { kGood = 0, kInvalidOrDiffers = 1, kUsageOrUnreadable = 2, kInterrupted = 130 };
constexpr Exit worse(Exit a, Exit b) { return a < b ? b : a; }

// Text of several lines: a table, a report. Each line is shown as onOneLine() says. The caller
// makes names in it safe (base/untrusted_text.h), so that none of them begins a line.
struct Lines {
    std::string text{};
};
std::string shownLines(std::string_view text);

// Text that a terminal shows in the color of its meaning.
struct Colored {
    enum class Meaning { GOOD, BAD, DOUBTFUL };
    std::string text{};
    Meaning meaning = Meaning::GOOD;

    static Colored good(std::string text) { return {std::move(text), Meaning::GOOD}; }
    static Colored bad(std::string text) { return {std::move(text), Meaning::BAD}; }
    static Colored doubtful(std::string text) { return {std::move(text), Meaning::DOUBTFUL}; }
};
// With the codes of the color if the stream shows colors: as --color says, else if it is a terminal
// and NO_COLOR is not set.
std::string shownColored(const Colored& text, std::FILE* stream);

// Sets --color of the program: "auto", "always" or "never".
void setColor(std::string_view when);

// How text for people shows a value: a string on one line, without control characters; others as
// their formatters do.
template <class T>
using Shown = std::conditional_t<std::is_convertible_v<const T&, std::string_view> ||
                                         std::is_same_v<T, Colored>,
                                 std::string, const T&>;

template <class T>
Shown<T> shown(const T& value, std::FILE* stream) {
    if constexpr (std::is_same_v<T, Colored>) {
        return shownColored(value, stream);
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
        return onOneLine(std::string_view(value));
    } else {
        return value;
    }
}

// The output of a command: text for people, or one JSON object per line.
class Output {
   public:
    // `people`: another stream for text where standard output carries data.
    explicit Output(bool json, std::FILE* people = stdout) : mJson(json), mPeople(people) {}
    bool isJson() const { return mJson; }

    // An object on a line of its own.
    void object(const Json& object) const;

    // Prints text for people, unless the output is JSON. Strings are shown on one line; text of
    // several lines is passed as Lines.
    template <class... Args>
    void text(fmt::format_string<Shown<Args>...> format, const Args&... args) const {
        if (!mJson) write(fmt::format(format, shown(args, mPeople)...), mPeople);
    }

    // A message to standard error, on one line. Returns the exit code.
    static Exit complain(const std::string& message, Exit exit = kUsageOrUnreadable);
    static Exit complain(const Status& status);

    // Writes raw bytes.
    static void write(std::string_view bytes, std::FILE* to = stdout);

    // True once a write has failed, so that further work is useless.
    static bool hasFailed();

    // Ends standard output. Returns the exit code, or kUsageOrUnreadable, after a complaint, where
    // output was lost.
    static Exit finish(Exit exit);

   private:
    bool mJson;
    std::FILE* mPeople;
};

// Does work with an input, "m.onnx". If memory runs out there, the input is reported, and the
// caller goes on with the next one.
Exit withMemory(std::string_view input, const std::function<Exit()>& work);

}  // namespace nn::cli

template <>
struct fmt::formatter<nn::cli::Lines> : fmt::formatter<std::string_view> {
    template <class Context>
    auto format(const nn::cli::Lines& lines, Context& context) const {
        return fmt::formatter<std::string_view>::format(nn::cli::shownLines(lines.text), context);
    }
};
