#include "model_io/json.h"

#include <absl/algorithm/container.h>
#include <absl/strings/charconv.h>
#include <absl/strings/escaping.h>
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/limits.h"
#include "base/printable.h"
#include "model_io/formats.h"
#include "model_io/json_tokens.h"

namespace nn::schema {
namespace {

using pb::FieldDescriptor;

constexpr size_t kMaxDepth = 100;
constexpr size_t kMaxErrors = 16;

// "3:7: ", or "column 7: " for single-line text. Places are requested in order, so lines are
// counted from the last one.
class Places {
   public:
    explicit Places(std::string_view text) : mText(text) {}

    // The same with the name of the text in front: "m.json:3:7: ", "m.json: column 7: "
    std::string of(size_t offset, std::string_view origin) {
        std::string place = of(offset);
        if (origin.empty()) return place;
        return fmt::format("{}:{}{}", printable(origin), place.starts_with("column") ? " " : "",
                           place);
    }

    std::string of(size_t offset) {
        if (offset < mAt) mLine = 1, mAt = 0;
        mLine += absl::c_count(mText.substr(mAt, offset - mAt), '\n');
        mAt = offset;
        const size_t column = offset - (mText.substr(0, offset).rfind('\n') + 1) + 1;
        if (mText.find('\n') == std::string_view::npos) return fmt::format("column {}: ", column);
        return fmt::format("{}:{}: ", mLine, column);
    }

   private:
    std::string_view mText;
    size_t mAt = 0;
    std::ptrdiff_t mLine = 1;
};

bool isNumber(std::string_view text) {
    return !text.empty() && jsonNumberLength(text) == text.size();
}

// Also 1e3 and 2.0, which are integers.
template <std::integral T>
std::optional<T> integerOf(std::string_view text) {
    T value{};
    const char* end = text.data() + text.size();
    if (const auto [at, error] = std::from_chars(text.data(), end, value);
        error == std::errc() && at == end) {
        return value;
    }
    double number = 0;
    constexpr double kExact = 1LL << 53;
    if (absl::from_chars(text.data(), end, number).ec != std::errc() ||
        std::nearbyint(number) != number || std::abs(number) > kExact) {
        return std::nullopt;
    }
    const auto whole = static_cast<int64_t>(number);
    if (!std::in_range<T>(whole)) return std::nullopt;
    return static_cast<T>(whole);
}

template <std::floating_point T>
std::optional<T> floatOf(std::string_view text) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    if (text == "NaN") return std::numeric_limits<T>::quiet_NaN();
    if (text == "Infinity") return kInfinity;
    if (text == "-Infinity") return -kInfinity;
    if (!isNumber(text)) return std::nullopt;
    T value{};
    const auto result = absl::from_chars(text.data(), text.data() + text.size(), value);
    const bool tooLarge = result.ec == std::errc::result_out_of_range && std::abs(value) > 1;
    if (tooLarge || result.ec == std::errc::invalid_argument) return std::nullopt;
    return value;
}

std::optional<std::string> bytesOf(std::string_view text) {
    const absl::string_view encoded(text.data(), text.size());
    std::string bytes;
    if (absl::Base64Unescape(encoded, &bytes) || absl::WebSafeBase64Unescape(encoded, &bytes)) {
        return bytes;
    }
    return std::nullopt;
}

// The values that a field accepts, for messages.
std::string allowedFor(const FieldDescriptor& field) {
    switch (field.cpp_type()) {
        case FieldDescriptor::CPPTYPE_MESSAGE:
            return "an object";
        case FieldDescriptor::CPPTYPE_ENUM:
            return fmt::format("a name or number of {}", field.enum_type()->full_name());
        case FieldDescriptor::CPPTYPE_BOOL:
            return "true and false";
        case FieldDescriptor::CPPTYPE_INT32:
            return "an integer of 32 bits";
        case FieldDescriptor::CPPTYPE_UINT32:
            return "an integer of 32 bits from 0 on";
        case FieldDescriptor::CPPTYPE_INT64:
            return "an integer of 64 bits";
        case FieldDescriptor::CPPTYPE_UINT64:
            return "an integer of 64 bits from 0 on";
        case FieldDescriptor::CPPTYPE_FLOAT:
            return "a number of single precision";
        case FieldDescriptor::CPPTYPE_DOUBLE:
            return "a number of double precision";
        case FieldDescriptor::CPPTYPE_STRING:
            return field.type() == FieldDescriptor::TYPE_BYTES ? "base64 in a string" : "a string";
    }
    return "";
}

// Each reading function starts at the first token of its value, ends at its last one, and returns
// false if parsing cannot continue.
class JsonReader {
   public:
    JsonReader(std::string_view origin, std::string_view text, const Limits& limits)
        : mOrigin(origin), mLimits(limits), mTokens(text), mPlaces(text) {}

    Status read(pb::Message& message) {
        mTokens.next();
        if (mTokens.token() != JsonToken::BEGIN_OBJECT) {
            stop("an object");
        } else if (readObject(message) && mTokens.next() != JsonToken::END) {
            stop("the end of the text");
        }
        if (!mStopped.ok()) return mStopped;
        if (mErrors == 0) return {};
        if (mErrors > kMaxErrors) mText += fmt::format("; and {} more", mErrors - kMaxErrors);
        return contentError(mText);
    }

   private:
    struct Step {
        const FieldDescriptor* field = nullptr;
        std::optional<size_t> element{};  // if the field is a list
    };

    // "main.operands[3].type: "; empty for the root.
    std::string path() const {
        std::string path;
        for (const Step& step : mPath) {
            path += (path.empty() ? "" : ".") + step.field->name();
            if (step.element) path += fmt::format("[{}]", *step.element);
        }
        return path.empty() ? path : path + ": ";
    }

    // Records an error at the token. Parsing continues, so that all errors are reported.
    void error(std::string_view what) { error(what, mTokens.start()); }
    void error(std::string_view what, size_t at) {
        if (++mErrors > kMaxErrors) return;
        mText += mErrors > 1 ? "; " + mPlaces.of(at) : mPlaces.of(at, mOrigin);
        mText += path();
        mText += what;
    }
    void errorFound(const std::string& allowed) {
        error(fmt::format("found {}, allowed {}", mTokens.describe(), allowed));
    }

    // Ends reading at text that is not JSON; only this error is reported then.
    bool stop(std::string_view allowed) {
        std::string text = mPlaces.of(mTokens.start(), mOrigin);
        if (mTokens.error().empty()) {
            text += fmt::format("found {}, allowed {}", mTokens.describe(), allowed);
        } else {
            text += mTokens.error();
        }
        mStopped = contentError(text);
        return false;
    }

    // Counts an object, a list, or a string in a list: each one allocates memory.
    bool count() {
        if (mStopped = nn::within(mLimits, &Limits::fileObjects, ++mObjects,
                                  mOrigin.empty() ? "" : printable(mOrigin));
            !mStopped.ok()) {
            return false;
        }
        return true;
    }

    // Calls onField for each name of an object, at the token of its value; the current token is
    // `{`.
    template <class OnField>
    bool forEachField(const OnField& onField) {
        if (!count()) return false;
        if (mTokens.next() == JsonToken::END_OBJECT) return true;
        if (mTokens.token() != JsonToken::STRING) return stop("a name in quotes and '}'");
        for (;; mTokens.next()) {
            if (mTokens.token() != JsonToken::STRING) return stop("a name in quotes");
            if (!onField()) return false;
            if (mTokens.next() == JsonToken::END_OBJECT) return true;
            if (mTokens.token() != JsonToken::COMMA) return stop("',' and '}'");
        }
    }

    // The same for each element of a list.
    template <class OnElement>
    bool forEachElement(const OnElement& onElement) {
        if (!count()) return false;
        if (mTokens.next() == JsonToken::END_LIST) return true;
        for (;; mTokens.next()) {
            if (!onElement()) return false;
            if (mTokens.next() == JsonToken::END_LIST) return true;
            if (mTokens.token() != JsonToken::COMMA) return stop("',' and ']'");
        }
    }

    bool takeColon() {
        if (mTokens.next() != JsonToken::COLON) return stop("':'");
        mTokens.next();
        return true;
    }

    // Reads a value and drops it.
    bool skip(size_t depth) {
        switch (mTokens.token()) {
            case JsonToken::BEGIN_OBJECT:
            case JsonToken::BEGIN_LIST:
                if (depth == kMaxDepth) {
                    return stop(fmt::format("no more than {} inside each other", kMaxDepth));
                }
                if (mTokens.token() == JsonToken::BEGIN_LIST) {
                    return forEachElement([&] { return skip(depth + 1); });
                }
                return forEachField([&] { return takeColon() && skip(depth + 1); });
            case JsonToken::STRING:
            case JsonToken::NUMBER:
            case JsonToken::TRUE:
            case JsonToken::FALSE:
            case JsonToken::NULL_VALUE:
                return true;
            default:
                return stop("a value");
        }
    }

    bool readObject(pb::Message& message) {
        const pb::Descriptor& type = *message.GetDescriptor();
        std::vector<bool> seen(static_cast<size_t>(type.field_count()));
        int expected = 0;  // fields mostly come in the order of the schema
        return forEachField([&] {
            const FieldDescriptor* field = find(type, mTokens.value(), expected);
            if (field == nullptr) {
                error(fmt::format("{} is not a field of {}", mTokens.describe(), type.full_name()));
                return takeColon() && skip(0);
            }
            expected = field->index() + 1;
            const auto index = static_cast<size_t>(field->index());
            const pb::OneofDescriptor* oneof = field->real_containing_oneof();
            const bool isFirst = !seen[index];
            seen[index] = true;
            if (!isFirst) error(fmt::format("{} is given twice, allowed once", field->name()));
            const size_t start = mTokens.start();
            if (!takeColon()) return false;
            if (mTokens.token() == JsonToken::NULL_VALUE) return true;
            if (oneof != nullptr && message.GetReflection()->HasOneof(message, oneof) && isFirst) {
                error(fmt::format("{} stands beside another field, allowed one of '{}'",
                                  field->name(), oneof->name()),
                      start);
            }
            mPath.push_back({.field = field});
            const bool goesOn = !isFirst               ? skip(0)
                                : field->is_repeated() ? readList(message, *field)
                                                       : readValue(message, *field);
            mPath.pop_back();
            return goesOn;
        });
    }

    static const FieldDescriptor* find(const pb::Descriptor& type, std::string_view name,
                                       int expected) {
        for (int i = 0; i < type.field_count(); ++i) {
            const FieldDescriptor* field = type.field((expected + i) % type.field_count());
            if (field->name() == name || field->json_name() == name) return field;
        }
        return nullptr;
    }

    bool readList(pb::Message& message, const FieldDescriptor& field) {
        if (mTokens.token() != JsonToken::BEGIN_LIST) {
            errorFound("a list");
            return skip(0);
        }
        size_t i = 0;
        const bool goesOn = forEachElement([&] {
            mPath.back().element = i++;
            if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING && !count()) return false;
            return readValue(message, field);
        });
        mPath.back().element.reset();
        return goesOn;
    }

    // A value that is not null, or an element of a list.
    bool readValue(pb::Message& message, const FieldDescriptor& field) {
        const pb::Reflection& to = *message.GetReflection();
        const JsonToken token = mTokens.token();
        if (field.message_type() != nullptr && token == JsonToken::BEGIN_OBJECT) {
            return readObject(field.is_repeated() ? *to.AddMessage(&message, &field)
                                                  : *to.MutableMessage(&message, &field));
        }
        if (field.message_type() == nullptr && readScalar(message, field, to)) return true;
        errorFound(allowedFor(field));
        return skip(0);
    }

    // Sets or adds a value unless it is empty.
    template <class T, class Set, class Add>
    static bool put(const std::optional<T>& value, pb::Message& message,
                    const FieldDescriptor& field, const pb::Reflection& to, Set set, Add add) {
        if (!value) return false;
        if (field.is_repeated()) {
            (to.*add)(&message, &field, *value);
        } else {
            (to.*set)(&message, &field, *value);
        }
        return true;
    }

    // False if the token is not a value of the field.
    bool readScalar(pb::Message& message, const FieldDescriptor& field, const pb::Reflection& to) {
        using R = pb::Reflection;
        const JsonToken token = mTokens.token();
        const std::string_view value = mTokens.value();
        const auto with = [&](const auto& found, auto set, auto add) {
            return put(found, message, field, to, set, add);
        };
        const bool isString = token == JsonToken::STRING;
        const bool isNumeric = token == JsonToken::NUMBER || (isString && isNumber(value));
        switch (field.cpp_type()) {
            case FieldDescriptor::CPPTYPE_BOOL:
                if (token != JsonToken::TRUE && token != JsonToken::FALSE) return false;
                return with(std::optional(token == JsonToken::TRUE), &R::SetBool, &R::AddBool);
            case FieldDescriptor::CPPTYPE_ENUM: {
                std::optional<int32_t> number;
                if (token == JsonToken::NUMBER) number = integerOf<int32_t>(value);
                if (isString) {
                    const auto* named = field.enum_type()->FindValueByName(std::string(value));
                    if (named != nullptr) number = named->number();
                }
                return with(number, &R::SetEnumValue, &R::AddEnumValue);
            }
            case FieldDescriptor::CPPTYPE_INT32:
                return isNumeric && with(integerOf<int32_t>(value), &R::SetInt32, &R::AddInt32);
            case FieldDescriptor::CPPTYPE_UINT32:
                return isNumeric && with(integerOf<uint32_t>(value), &R::SetUInt32, &R::AddUInt32);
            case FieldDescriptor::CPPTYPE_INT64:
                return isNumeric && with(integerOf<int64_t>(value), &R::SetInt64, &R::AddInt64);
            case FieldDescriptor::CPPTYPE_UINT64:
                return isNumeric && with(integerOf<uint64_t>(value), &R::SetUInt64, &R::AddUInt64);
            case FieldDescriptor::CPPTYPE_FLOAT:
                return (isNumeric || isString) &&
                       with(floatOf<float>(value), &R::SetFloat, &R::AddFloat);
            case FieldDescriptor::CPPTYPE_DOUBLE:
                return (isNumeric || isString) &&
                       with(floatOf<double>(value), &R::SetDouble, &R::AddDouble);
            case FieldDescriptor::CPPTYPE_STRING: {
                if (!isString) return false;
                auto text = field.type() == FieldDescriptor::TYPE_BYTES
                                    ? bytesOf(value)
                                    : std::optional<std::string>(value);
                if (!text) return false;
                if (field.is_repeated()) {
                    to.AddString(&message, &field, *std::move(text));
                } else {
                    to.SetString(&message, &field, *std::move(text));
                }
                return true;
            }
            case FieldDescriptor::CPPTYPE_MESSAGE:
                return false;
        }
        return false;
    }

    std::string_view mOrigin;
    const Limits& mLimits;
    JsonTokens mTokens;
    Places mPlaces;
    std::vector<Step> mPath;
    uint64_t mObjects = 0;
    size_t mErrors = 0;
    std::string mText;  // of the errors
    Status mStopped;
};

}  // namespace

Status parseJson(std::string_view origin, std::string_view text, const Limits& limits,
                 pb::Message& message) {
    if (const size_t end = endOfUtf8(text); end != text.size()) {
        return contentError(fmt::format("{}found {}, allowed UTF-8", Places(text).of(end, origin),
                                        inQuotes(text.substr(end, 1))));
    }
    return JsonReader(origin, text, limits).read(message);
}

std::string_view firstKey(std::string_view json) {
    JsonTokens tokens(json);
    const bool hasKey =
            tokens.next() == JsonToken::BEGIN_OBJECT && tokens.next() == JsonToken::STRING;
    const std::string_view key = tokens.value();
    // A key with escapes is in the tokens' storage, not in the text.
    const bool isInText = key.data() >= json.data() && key.data() < json.data() + json.size();
    return hasKey && isInText ? key : std::string_view{};
}

}  // namespace nn::schema
