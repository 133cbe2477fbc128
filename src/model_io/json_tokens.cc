#include "model_io/json_tokens.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/printable.h"

namespace nn::schema {
namespace {

// The result of a search, or the end of the text if it found none.
size_t orEnd(size_t found, std::string_view text) { return std::min(found, text.size()); }

bool hasControls(std::string_view text) {
    uint8_t found = 0;  // without a branch, so that compilers vectorize the loop
    for (const char c : text) found |= static_cast<uint8_t>(static_cast<uint8_t>(c) < 0x20);
    return found != 0;
}

size_t digitsAt(std::string_view text, size_t at) {
    return orEnd(text.find_first_not_of("0123456789", at), text) - at;
}

void appendUtf8(char32_t code, std::string& out) {
    const auto append = [&](char32_t byte) {
        out += static_cast<char>(static_cast<uint8_t>(byte));
    };
    if (code < 0x80) return append(code);
    if (code < 0x800) {
        append(0xC0U | code >> 6U);
    } else if (code < 0x10000) {
        append(0xE0U | code >> 12U);
        append(0x80U | (code >> 6U & 0x3FU));
    } else {
        append(0xF0U | code >> 18U);
        append(0x80U | (code >> 12U & 0x3FU));
        append(0x80U | (code >> 6U & 0x3FU));
    }
    append(0x80U | (code & 0x3FU));
}

std::optional<char32_t> hexOf(std::string_view digits) {
    if (digits.size() != 4) return std::nullopt;
    char32_t value = 0;
    for (const char c : digits) {
        constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
        const size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        value = value << 4U | static_cast<char32_t>(digit < 16 ? digit : digit - 6);
    }
    return value;
}

}  // namespace

size_t jsonNumberLength(std::string_view text) {
    size_t at = text.starts_with('-') ? 1 : 0;
    const size_t digits = digitsAt(text, at);
    if (digits == 0 || (digits > 1 && text[at] == '0')) return 0;
    at += digits;
    if (at < text.size() && text[at] == '.') {
        const size_t decimals = digitsAt(text, at + 1);
        if (decimals == 0) return 0;
        at += 1 + decimals;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
        const size_t exponent = digitsAt(text, at);
        if (exponent == 0) return 0;
        at += exponent;
    }
    return at;
}

JsonToken JsonTokens::next() {
    if (mToken != JsonToken::END && mToken != JsonToken::WRONG) mToken = scan();
    return mToken;
}

JsonToken JsonTokens::scan() {
    mAt = mStart = orEnd(mText.find_first_not_of(" \t\r\n", mAt), mText);
    mValue = {};
    if (mAt == mText.size()) return JsonToken::END;
    const auto single = [&](JsonToken token) {
        ++mAt;
        return token;
    };
    switch (mText[mAt]) {
        case '{':
            return single(JsonToken::BEGIN_OBJECT);
        case '}':
            return single(JsonToken::END_OBJECT);
        case '[':
            return single(JsonToken::BEGIN_LIST);
        case ']':
            return single(JsonToken::END_LIST);
        case ':':
            return single(JsonToken::COLON);
        case ',':
            return single(JsonToken::COMMA);
        case '"':
            return scanString();
        case 't':
            return scanWord("true", JsonToken::TRUE);
        case 'f':
            return scanWord("false", JsonToken::FALSE);
        case 'n':
            return scanWord("null", JsonToken::NULL_VALUE);
        default:
            return scanNumber();
    }
}

JsonToken JsonTokens::wrong(size_t at, std::string_view error) {
    mStart = at;
    mError = error;
    return JsonToken::WRONG;
}

JsonToken JsonTokens::notAToken() {
    constexpr std::string_view kSeparators = "\"\\ \t\r\n,:[]{}";
    mValue = mText.substr(mAt, orEnd(mText.find_first_of(kSeparators, mAt + 1), mText) - mAt);
    return JsonToken::WRONG;
}

JsonToken JsonTokens::scanWord(std::string_view word, JsonToken token) {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    const size_t end = orEnd(mText.find_first_not_of(kLetters, mAt), mText);
    if (mText.substr(mAt, end - mAt) != word) return notAToken();
    mAt = end;
    return token;
}

JsonToken JsonTokens::scanNumber() {
    const size_t length = jsonNumberLength(mText.substr(mAt));
    if (length == 0) return notAToken();
    mValue = mText.substr(mAt, length);
    mAt += length;
    return JsonToken::NUMBER;
}

JsonToken JsonTokens::scanString() {
    const size_t from = mAt + 1;
    const size_t quote = mText.find('"', from);
    if (quote == std::string_view::npos) return wrong(mAt, "a string has no end");
    const std::string_view content = mText.substr(from, quote - from);
    if (content.find('\\') != std::string_view::npos || hasControls(content)) {
        return scanEscapes(from);
    }
    mValue = content;
    mAt = quote + 1;
    return JsonToken::STRING;
}

JsonToken JsonTokens::scanEscapes(size_t from) {
    mDecoded.clear();
    mAt = from;
    while (mAt < mText.size()) {
        const char c = mText[mAt];
        if (c == '"') {
            ++mAt;
            mValue = mDecoded;
            return JsonToken::STRING;
        }
        if (static_cast<uint8_t>(c) < 0x20) {
            return wrong(mAt, "a string holds a control character, allowed as an escape");
        }
        if (c == '\\') {
            const size_t at = mAt;
            if (!decodeEscape()) {
                return wrong(at, "a string holds an escape that JSON does not have");
            }
        } else {
            mDecoded += c;
            ++mAt;
        }
    }
    return wrong(mStart, "a string has no end");
}

// Reads an escape; a pair of surrogates counts as one.
bool JsonTokens::decodeEscape() {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    const std::string_view rest = mText.substr(mAt + 1);
    if (rest.empty()) return false;
    if (const size_t i = kNames.find(rest[0]); i != std::string_view::npos) {
        mDecoded += kMeant[i];
        mAt += 2;
        return true;
    }
    const auto first = rest[0] == 'u' ? hexOf(rest.substr(1, 4)) : std::nullopt;
    if (!first || (*first >= 0xDC00 && *first <= 0xDFFF)) return false;
    mAt += 6;
    if (*first < 0xD800 || *first > 0xDFFF) {
        appendUtf8(*first, mDecoded);
        return true;
    }
    const auto second = rest.substr(5).starts_with("\\u") ? hexOf(rest.substr(7, 4)) : std::nullopt;
    if (!second || *second < 0xDC00 || *second > 0xDFFF) return false;
    mAt += 6;
    appendUtf8(0x10000 + ((*first - 0xD800) << 10U) + (*second - 0xDC00), mDecoded);
    return true;
}

std::string JsonTokens::describe() const {
    constexpr size_t kMaxShown = 40;
    switch (mToken) {
        case JsonToken::BEGIN_OBJECT:
            return "an object";
        case JsonToken::END_OBJECT:
            return "'}'";
        case JsonToken::BEGIN_LIST:
            return "a list";
        case JsonToken::END_LIST:
            return "']'";
        case JsonToken::COLON:
            return "':'";
        case JsonToken::COMMA:
            return "','";
        case JsonToken::STRING:
        case JsonToken::WRONG:
            return inQuotes(mValue, kMaxShown);
        case JsonToken::NUMBER:
            return onOneLine(mValue, kMaxShown);
        case JsonToken::TRUE:
            return "true";
        case JsonToken::FALSE:
            return "false";
        case JsonToken::NULL_VALUE:
            return "null";
        case JsonToken::END:
            return "the end of the text";
    }
    return "";
}

}  // namespace nn::schema
