#include "model_io/formats.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/wire_format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "base/files.h"
#include "base/limits.h"
#include "base/printable.h"
#include "model_io/json.h"
#include "model_io/message_limits.h"

namespace nn::schema {
namespace {

using pb::internal::WireFormat;
using pb::internal::WireFormatLite;

static_assert(std::endian::native == std::endian::little, "values in files are little-endian");

constexpr int kMaxNesting = 100;
constexpr size_t kMaxShown = 256;  // bytes of a message of the text parser, which repeats the file

// Messages of protobuf end with a full stop, messages of this library do not.
std::string_view withoutFullStop(std::string_view text) {
    return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

// Keeps the first error of the text parser.
class FirstError : public pb::io::ErrorCollector {
   public:
    void AddError(int line, pb::io::ColumnNumber column, const std::string& message) override {
        if (!text.empty()) return;
        text = fmt::format("{}:{}: {}", line + 1, column + 1,
                           onOneLine(withoutFullStop(message), kMaxShown));
        if (text.ends_with("got: ")) text += "end of file";
    }
    std::string text;
};

bool hasWireType(const pb::FieldDescriptor& field, WireFormatLite::WireType type) {
    return type == WireFormat::WireTypeForField(&field) ||
           (field.is_packable() && (type == WireFormatLite::WIRETYPE_LENGTH_DELIMITED ||
                                    type == WireFormat::WireTypeForFieldType(field.type())));
}

// Replaces large bytes of a file by tokens. The lengths of the enclosing messages change, but not
// the number of bytes that encode each length.
class LargeBytesCut {
   public:
    explicit LargeBytesCut(const FileBytes& file) : mFile(file) {}

    // True for bytes that may be a token in the message.
    static bool isOf(const pb::FieldDescriptor& field, uint32_t length) {
        return field.type() == pb::FieldDescriptor::TYPE_BYTES && length >= FileBytes::kLeast &&
               (field.name() == "contents" || field.name() == "value");
    }

    // Cuts bytes, and their length, which begins at `start`.
    void cut(int start, int position, uint32_t length) {
        const std::string token = mFile.tokenOf(static_cast<uint64_t>(position), length);
        std::string text(1, static_cast<char>(token.size()));
        text += token;
        const auto removed = static_cast<uint64_t>(position - start) + length;
        mRemoved += removed - text.size();
        mEdits.push_back({static_cast<uint64_t>(start), removed, std::move(text)});
    }

    // The number of bytes that have been cut.
    uint64_t removed() const { return mRemoved; }

    // Shortens a message whose bytes have been cut: the place of its length, and its new length.
    void shorten(int start, int end, uint64_t length) {
        std::string text;
        for (int i = start; i < end; ++i, length >>= 7) {
            text += static_cast<char>((length & 0x7F) | (i + 1 < end ? 0x80 : 0));
        }
        mEdits.push_back({static_cast<uint64_t>(start), text.size(), text});
    }

    // The message with tokens.
    Result<std::string> apply(uint64_t size) {
        absl::c_sort(mEdits, [](const Edit& a, const Edit& b) { return a.position < b.position; });
        std::string message;
        uint64_t done = 0;
        const auto keep = [&](uint64_t end) -> Status {
            NNAPI_ASSIGN_OR_RETURN(bytes, readBytes(mFile.fd(), done, end - done));
            message += bytes;
            return {};
        };
        for (const Edit& edit : mEdits) {
            NNAPI_RETURN_IF_ERROR(keep(edit.position));
            message += edit.inserted;
            done = edit.position + edit.removed;
        }
        NNAPI_RETURN_IF_ERROR(keep(size));
        return message;
    }

   private:
    struct Edit {
        uint64_t position;
        uint64_t removed;
        std::string inserted;
    };

    const FileBytes& mFile;
    std::vector<Edit> mEdits{};
    uint64_t mRemoved = 0;
};

// The first position that is not part of a message of that type. Protobuf's parser does not report
// positions, and it would silently skip unknown fields. `objects` counts messages, and strings in
// lists. `large` may be null.
std::optional<std::string> wireError(const pb::Descriptor& type, pb::io::CodedInputStream& in,
                                     const std::string& path, uint64_t& objects,
                                     LargeBytesCut* large) {
    for (;;) {
        const int start = in.CurrentPosition();
        const auto error = [&](std::string_view what) {
            return fmt::format("byte {}: {}{}{}", start, path, path.empty() ? "" : ": ", what);
        };
        const uint32_t tag = in.ReadTag();
        if (tag == 0) {
            if (in.ConsumedEntireMessage()) return std::nullopt;
            return error("malformed or truncated field");
        }
        const int number = WireFormatLite::GetTagFieldNumber(tag);
        const auto wireType = WireFormatLite::GetTagWireType(tag);
        const pb::FieldDescriptor* field = type.FindFieldByNumber(number);
        if (field == nullptr || !hasWireType(*field, wireType)) {
            return error(fmt::format("field {} of wire type {} is not part of {}", number,
                                     static_cast<int>(wireType), type.full_name()));
        }
        if (field->message_type() == nullptr) {
            if (field->is_repeated() && field->cpp_type() == pb::FieldDescriptor::CPPTYPE_STRING) {
                ++objects;
            }
            const int lengthStart = in.CurrentPosition();
            if (large == nullptr || wireType != WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
                if (!WireFormatLite::SkipField(&in, tag)) {
                    return error(field->name() + " is truncated");
                }
                continue;
            }
            uint32_t length = 0;
            if (!in.ReadVarint32(&length) || length > kMaxMessageBytes) {
                return error(field->name() + " is truncated");
            }
            const int position = in.CurrentPosition();
            if (!in.Skip(static_cast<int>(length))) return error(field->name() + " is truncated");
            if (LargeBytesCut::isOf(*field, length)) large->cut(lengthStart, position, length);
            continue;
        }
        const int lengthStart = in.CurrentPosition();
        uint32_t length = 0;
        if (!in.ReadVarint32(&length) || length > kMaxMessageBytes ||
            (in.BytesUntilLimit() >= 0 && length > static_cast<uint32_t>(in.BytesUntilLimit()))) {
            return error(field->name() + " is truncated");
        }
        ++objects;
        const int lengthEnd = in.CurrentPosition();
        const uint64_t removed = large == nullptr ? 0 : large->removed();
        const auto limit = in.PushLimit(static_cast<int>(length));
        if (auto inner = wireError(*field->message_type(), in,
                                   path.empty() ? field->name() : path + "." + field->name(),
                                   objects, large)) {
            return inner;
        }
        in.PopLimit(limit);
        if (large != nullptr && large->removed() != removed) {
            large->shorten(lengthStart, lengthEnd, length - (large->removed() - removed));
        }
    }
}

Status checkObjects(std::string_view origin, const Limits& limits, uint64_t objects) {
    return nn::within(limits, &Limits::fileObjects, objects,
                      origin.empty() ? "" : printable(origin));
}

Status parseBinary(std::string_view origin, std::string_view bytes, const Limits& limits,
                   pb::Message& message) {
    pb::io::CodedInputStream in(reinterpret_cast<const uint8_t*>(bytes.data()),
                                static_cast<int>(bytes.size()));
    const auto limit = in.PushLimit(static_cast<int>(bytes.size()));
    uint64_t objects = 0;
    if (auto error = wireError(*message.GetDescriptor(), in, "", objects, nullptr)) {
        return contentError(prefix(origin) + *error);
    }
    NNAPI_RETURN_IF_ERROR(checkObjects(origin, limits, objects));
    in.PopLimit(limit);
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
        return contentError(prefix(origin) + "holds a string that is not UTF-8, or a damaged list");
    }
    return {};
}

Status parseText(std::string_view origin, std::string_view bytes, pb::Message& message) {
    FirstError error;
    pb::TextFormat::Parser parser;
    parser.RecordErrorsTo(&error);
    parser.SetRecursionLimit(kMaxNesting);
    if (parser.ParseFromString(std::string(bytes), &message)) return {};
    return contentError(
            fmt::format("{}{}", origin.empty() ? "" : printable(origin) + ":", error.text));
}

Status parse(std::string_view origin, std::string_view bytes, Format format, const Limits& limits,
             pb::Message& message) {
    switch (format) {
        case Format::BINARY:
            return parseBinary(origin, bytes, limits, message);
        case Format::TEXT:
            return parseText(origin, bytes, message);
        case Format::JSON:
            return parseJson(origin, bytes, limits, message);
    }
    return contentError(prefix(origin) + "format is unknown, allowed BINARY, TEXT and JSON");
}

}  // namespace

std::string prefix(std::string_view origin) {
    return origin.empty() ? "" : fmt::format("{}: ", printable(origin));
}

namespace {

Status checkSize(std::string_view origin, const Limits& limits, uint64_t size) {
    return nn::within({.fileBytes = std::min(limits.fileBytes, kMaxMessageBytes)},
                      &Limits::fileBytes, size, origin.empty() ? "" : printable(origin));
}

}  // namespace

Status parseMessage(std::string_view origin, std::string_view bytes, Format format,
                    const Limits& limits, pb::Message& message) {
    const pb::LogSilencer silencer;  // protobuf also prints some errors
    NNAPI_RETURN_IF_ERROR(checkSize(origin, limits, bytes.size()));
    if (bytes.starts_with("\x1f\x8b")) {
        return contentError(prefix(origin) + "is compressed, allowed only in .jsonl.gz");
    }
    if (format == Format::TEXT) {
        NNAPI_RETURN_IF_ERROR(checkObjects(origin, limits, objectsInText(bytes)));
    }
    NNAPI_RETURN_IF_ERROR(parse(origin, bytes, format, limits, message));
    return checkLimits(message, limits, prefix(origin));
}

Result<FileBytes> parseBinaryFile(std::string_view origin, UniqueFd fd, const Limits& limits,
                                  pb::Message& message) {
    const pb::LogSilencer silencer;
    NNAPI_ASSIGN_OR_RETURN(size, sizeOfFile(fd.get()));
    NNAPI_RETURN_IF_ERROR(checkSize(origin, limits, size));
    FileBytes file(std::move(fd));
    LargeBytesCut large(file);
    {
        pb::io::FileInputStream stream(file.fd());
        pb::io::CodedInputStream in(&stream);
        in.PushLimit(static_cast<int>(size));
        uint64_t objects = 0;
        if (auto error = wireError(*message.GetDescriptor(), in, "", objects, &large)) {
            return contentError(prefix(origin) + *error);
        }
    }
    auto bytes = large.apply(size);
    if (!bytes.ok()) return within(prefix(origin), bytes.status());
    NNAPI_RETURN_IF_ERROR(parseBinary(origin, *bytes, limits, message));
    NNAPI_RETURN_IF_ERROR(checkLimits(message, limits, prefix(origin), file));
    return file;
}

Result<std::string> serializeMessage(const pb::Message& message, Format format, Layout layout) {
    const pb::LogSilencer silencer;
    if (const uint64_t size = message.ByteSizeLong(); size > kMaxMessageBytes) {
        return contentError(fmt::format("model has {} bytes, allowed {} outside a side file", size,
                                        kMaxMessageBytes));
    }
    std::string bytes;
    switch (format) {
        case Format::BINARY:
            if (message.SerializeToString(&bytes)) return bytes;
            return contentError("model cannot be serialized");
        case Format::TEXT:
            if (pb::TextFormat::PrintToString(message, &bytes)) return bytes;
            return contentError("model cannot be printed");
        case Format::JSON: {
            pb::util::JsonPrintOptions options;
            options.add_whitespace = layout == Layout::INDENTED;
            options.preserve_proto_field_names = true;
            const auto status = pb::util::MessageToJsonString(message, &bytes, options);
            if (status.ok()) return bytes;
            return contentError({status.message().data(), status.message().size()});
        }
    }
    return contentError("format is unknown, allowed BINARY, TEXT and JSON");
}

}  // namespace nn::schema
