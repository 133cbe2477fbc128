// Text and numbers of libbase.
#include <errno.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "android-base/errors.h"
#include "android-base/parsebool.h"
#include "android-base/parsedouble.h"
#include "android-base/parseint.h"
#include "android-base/stringprintf.h"
#include "android-base/strings.h"
#include "android-base/threads.h"

namespace android::base {
namespace parse_internal {

bool fail(int error) {
    errno = error;
    return false;
}

namespace {

// The base of a number and its first character, after white space and, if it may have one, a sign.
int baseOf(const char* text, bool maySign) {
    while (isspace(static_cast<unsigned char>(*text))) ++text;
    if (maySign && (*text == '-' || *text == '+')) ++text;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) return 16;
    return 10;
}

// Multiplies with 1024 for "k", with its square for "m" and so on. False for other suffixes and
// for what 64 bits do not hold.
bool applySuffix(const char* suffix, uint64_t* value) {
    constexpr const char* kSuffixes = "bkmgtpe";
    const char* at = strchr(kSuffixes, tolower(static_cast<unsigned char>(*suffix)));
    if (at == nullptr || suffix[1] != '\0') return fail(EINVAL);
    const auto shift = 10 * static_cast<unsigned>(at - kSuffixes);
    if (*value > UINT64_MAX >> shift) return fail(ERANGE);
    *value <<= shift;
    return true;
}

}  // namespace

bool parseInt(const char* text, int64_t* value) {
    const int old = std::exchange(errno, 0);
    char* end = nullptr;
    const long long parsed = strtoll(text, &end, baseOf(text, true));
    if (errno != 0) return false;
    if (end == text || *end != '\0') return fail(EINVAL);
    *value = parsed;
    errno = old;
    return true;
}

bool parseUint(const char* text, uint64_t* value, bool allowsSuffix) {
    if (text[strspn(text, " \t\n\v\f\r")] == '-') return fail(EINVAL);
    const int old = std::exchange(errno, 0);
    char* end = nullptr;
    const unsigned long long parsed = strtoull(text, &end, baseOf(text, false));
    if (errno != 0) return false;
    uint64_t number = parsed;
    if (end == text) return fail(EINVAL);
    if (*end != '\0' && (!allowsSuffix || !applySuffix(end, &number))) {
        return fail(errno == 0 ? EINVAL : errno);
    }
    *value = number;
    errno = old;
    return true;
}

}  // namespace parse_internal

namespace {

template <class T, class Parse>
bool parseFloating(const char* text, T* out, T min, T max, const Parse& parse) {
    const int old = std::exchange(errno, 0);
    char* end = nullptr;
    const T value = parse(text, &end);
    if (errno != 0) return false;
    if (end == text || *end != '\0') return parse_internal::fail(EINVAL);
    if (!(value >= min && value <= max)) return parse_internal::fail(ERANGE);
    if (out != nullptr) *out = value;
    errno = old;
    return true;
}

}  // namespace

bool ParseDouble(const char* text, double* out, double min, double max) {
    return parseFloating(text, out, min, max, strtod);
}

bool ParseFloat(const char* text, float* out, float min, float max) {
    return parseFloating(text, out, min, max, strtof);
}

ParseBoolResult ParseBool(std::string_view text) {
    constexpr std::array<std::string_view, 5> kTrue = {"1", "y", "yes", "on", "true"};
    constexpr std::array<std::string_view, 5> kFalse = {"0", "n", "no", "off", "false"};
    if (std::find(kTrue.begin(), kTrue.end(), text) != kTrue.end()) return ParseBoolResult::kTrue;
    if (std::find(kFalse.begin(), kFalse.end(), text) != kFalse.end()) {
        return ParseBoolResult::kFalse;
    }
    return ParseBoolResult::kError;
}

std::vector<std::string> Split(std::string_view text, std::string_view delimiters) {
    std::vector<std::string> parts;
    while (true) {
        const size_t end = text.find_first_of(delimiters);
        parts.emplace_back(text.substr(0, end));
        if (end == text.npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string> Tokenize(std::string_view text, std::string_view delimiters) {
    std::vector<std::string> parts = Split(text, delimiters);
    std::erase(parts, "");
    return parts;
}

std::string Trim(std::string_view text) {
    constexpr std::string_view kSpace = " \t\n\v\f\r";
    const size_t begin = text.find_first_not_of(kSpace);
    if (begin == text.npos) return "";
    return std::string(text.substr(begin, text.find_last_not_of(kSpace) - begin + 1));
}

bool StartsWith(std::string_view text, std::string_view prefix) { return text.starts_with(prefix); }
bool StartsWith(std::string_view text, char prefix) { return text.starts_with(prefix); }
bool StartsWithIgnoreCase(std::string_view text, std::string_view prefix) {
    return EqualsIgnoreCase(text.substr(0, prefix.size()), prefix);
}
bool EndsWith(std::string_view text, std::string_view suffix) { return text.ends_with(suffix); }
bool EndsWith(std::string_view text, char suffix) { return text.ends_with(suffix); }
bool EndsWithIgnoreCase(std::string_view text, std::string_view suffix) {
    return text.size() >= suffix.size() &&
           EqualsIgnoreCase(text.substr(text.size() - suffix.size()), suffix);
}
bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
    return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

bool ConsumePrefix(std::string_view* text, std::string_view prefix) {
    if (!StartsWith(*text, prefix)) return false;
    text->remove_prefix(prefix.size());
    return true;
}
bool ConsumeSuffix(std::string_view* text, std::string_view suffix) {
    if (!EndsWith(*text, suffix)) return false;
    text->remove_suffix(suffix.size());
    return true;
}

std::string StringReplace(std::string_view text, std::string_view from, std::string_view to,
                          bool all) {
    std::string out;
    while (!from.empty()) {
        const size_t at = text.find(from);
        if (at == text.npos) break;
        out.append(text.substr(0, at)).append(to);
        text.remove_prefix(at + from.size());
        if (!all) break;
    }
    return out.append(text);
}

void StringAppendV(std::string* to, const char* format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(nullptr, 0, format, arguments);
    if (length > 0) {
        const size_t before = to->size();
        to->resize(before + static_cast<size_t>(length));
        vsnprintf(to->data() + before, static_cast<size_t>(length) + 1, format, again);
    }
    va_end(again);
}

void StringAppendF(std::string* to, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    StringAppendV(to, format, arguments);
    va_end(arguments);
}

std::string StringPrintf(const char* format, ...) {
    std::string text;
    va_list arguments;
    va_start(arguments, format);
    StringAppendV(&text, format, arguments);
    va_end(arguments);
    return text;
}

std::string SystemErrorCodeToString(int error_code) {
    char buffer[128];
    return strerror_r(error_code, buffer, sizeof(buffer));
}

uint64_t GetThreadId() { return static_cast<uint64_t>(syscall(SYS_gettid)); }

}  // namespace android::base
