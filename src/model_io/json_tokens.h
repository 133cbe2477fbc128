// A tokenizer for JSON (RFC 8259); each token has its place.
//
//   JsonTokens tokens(text);
//   while (tokens.next() != JsonToken::END && tokens.token() != JsonToken::WRONG) ...
//
// Allocates memory only for one string at a time, and only if it has escapes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nn::schema {

enum class JsonToken {
    BEGIN_OBJECT,
    END_OBJECT,
    BEGIN_LIST,
    END_LIST,
    COLON,
    COMMA,
    STRING,
    NUMBER,
    TRUE,
    FALSE,
    NULL_VALUE,
    END,    // of the text
    WRONG,  // not a token
};

class JsonTokens {
   public:
    // The text is UTF-8 (endOfUtf8) and outlives this.
    explicit JsonTokens(std::string_view text) : mText(text) {}

    // The next token; the last one again if that was END or WRONG.
    JsonToken next();

    JsonToken token() const { return mToken; }
    size_t start() const { return mStart; }  // of the token, in bytes of the text

    // The content of a string, the digits of a number, or the beginning of a wrong token; valid
    // until the next call of next().
    std::string_view value() const { return mValue; }

    // The error inside the token; empty if the text is not a token at all.
    std::string_view error() const { return mError; }

    // The token as a message quotes it: "a list", "the number 7", "the end of the text"
    std::string describe() const;

   private:
    JsonToken scan();
    JsonToken scanString();
    JsonToken scanEscapes(size_t from);
    JsonToken scanNumber();
    JsonToken scanWord(std::string_view word, JsonToken token);
    JsonToken notAToken();
    JsonToken wrong(size_t at, std::string_view error);
    bool decodeEscape();

    std::string_view mText;
    size_t mAt = 0;  // the first byte not yet read
    size_t mStart = 0;
    JsonToken mToken = JsonToken::COMMA;
    std::string_view mValue;
    std::string mDecoded;
    std::string_view mError;
};

// The length of the JSON number at the start of the text; 0 if there is none.
size_t jsonNumberLength(std::string_view text);

}  // namespace nn::schema
