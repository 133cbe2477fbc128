// JSON text as a row of tokens (RFC 8259), each with its place.
//
//   JsonTokens tokens(text);
//   while (tokens.next() != JsonToken::END && tokens.token() != JsonToken::WRONG) ...
//
// Takes memory for one string that has escapes, and none beside that.
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
    NOTHING,  // null
    END,      // of the text
    WRONG,    // what is none
};

class JsonTokens {
   public:
    // The text is UTF-8 (endOfUtf8) and outlives this.
    explicit JsonTokens(std::string_view text) : mText(text) {}

    // The next token; the last one again where that was END or WRONG.
    JsonToken next();

    JsonToken token() const { return mToken; }
    size_t start() const { return mStart; }  // of the token, in bytes of the text

    // Of a string its content, of a number its digits, of what is no token its begin; until the
    // next token is asked for.
    std::string_view value() const { return mValue; }

    // What is wrong inside the token; nothing where it is just no token at all.
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
    size_t mAt = 0;  // the first byte not yet taken
    size_t mStart = 0;
    JsonToken mToken = JsonToken::COMMA;
    std::string_view mValue;
    std::string mDecoded;
    std::string_view mError;
};

// How many bytes in front are a number as JSON writes it; 0 where they are none.
size_t jsonNumberLength(std::string_view text);

}  // namespace nn::schema
