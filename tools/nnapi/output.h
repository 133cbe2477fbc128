// The output of a command and its exit code.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace nn::cli {

using Json = nlohmann::ordered_json;

// The exit codes; of several files, the largest counts.
enum Exit : int { kGood = 0, kInvalidOrDiffers = 1, kUsageOrUnreadable = 2, kInterrupted = 130 };
constexpr Exit worse(Exit a, Exit b) { return a < b ? b : a; }

// The output of a command: text for people, or one JSON object per line.
class Output {
   public:
    // `people`: another stream for text where standard output carries data.
    explicit Output(bool json, std::FILE* people = stdout) : mJson(json), mPeople(people) {}
    bool isJson() const { return mJson; }

    // An object on a line of its own.
    void object(const Json& object) const;

    // Prints text for people, unless the output is JSON.
    template <class... Args>
    void text(fmt::format_string<Args...> format, Args&&... args) const {
        if (!mJson) write(fmt::format(format, std::forward<Args>(args)...), mPeople);
    }

    // A message to standard error, on one line.
    static void complain(const std::string& message);

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

}  // namespace nn::cli
