#include "model_io/message_limits.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>

#include <optional>

#include "base/files.h"
#include "base/limits.h"

namespace nn::schema {
namespace {

namespace pb = google::protobuf;
using pb::FieldDescriptor;

class LimitCheck {
   public:
    LimitCheck(const Limits& limits, const FileBytes& inFile) : mLimits(limits), mInFile(inFile) {}

    Status check(const pb::Message& message) {
        const pb::Reflection& from = *message.GetReflection();
        std::vector<const FieldDescriptor*> fields;
        from.ListFields(message, &fields);
        for (const FieldDescriptor* field : fields) {
            const int count = field->is_repeated() ? from.FieldSize(message, field) : 1;
            NNAPI_RETURN_IF_ERROR(checkCount(*field, static_cast<uint64_t>(count)));
            if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
                NNAPI_RETURN_IF_ERROR(checkTexts(message, *field, count));
            } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
                NNAPI_RETURN_IF_ERROR(checkMessages(message, *field, count));
            }
        }
        return {};
    }

   private:
    Status checkCount(const FieldDescriptor& field, uint64_t count) {
        if (field.name() == "dimensions") {
            return nn::within(mLimits, &Limits::rank, count, "dimensions");
        }
        for (Total& total : mTotals) {
            if (field.name() != total.field || !field.is_repeated()) continue;
            total.found += count;
            return nn::within(mLimits, total.limit, total.found, total.field);
        }
        return {};
    }

    // Values and contents of pools are bytes; names are text.
    Status checkTexts(const pb::Message& message, const FieldDescriptor& field, int count) {
        const pb::Reflection& from = *message.GetReflection();
        std::string scratch;
        for (int i = 0; i < count; ++i) {
            const std::string& text =
                    field.is_repeated()
                            ? from.GetRepeatedStringReference(message, &field, i, &scratch)
                            : from.GetStringReference(message, &field, &scratch);
            if (field.type() == FieldDescriptor::TYPE_BYTES) {
                mBytes += mInFile.sizeOf(text);
                NNAPI_RETURN_IF_ERROR(
                        nn::within(mLimits, &Limits::constantBytes, mBytes, field.name()));
            } else {
                NNAPI_RETURN_IF_ERROR(
                        nn::within(mLimits, &Limits::nameBytes, text.size(), field.name()));
            }
        }
        return {};
    }

    Status checkMessages(const pb::Message& message, const FieldDescriptor& field, int count) {
        const pb::Reflection& from = *message.GetReflection();
        for (int i = 0; i < count; ++i) {
            const Status status =
                    check(field.is_repeated() ? from.GetRepeatedMessage(message, &field, i)
                                              : from.GetMessage(message, &field));
            if (status.ok()) continue;
            return within(field.is_repeated() ? fmt::format("{}[{}].", field.name(), i)
                                              : field.name() + ".",
                          status);
        }
        return {};
    }

    struct Total {
        std::string_view field;
        Limit limit;
        uint64_t found = 0;
    };

    const Limits& mLimits;
    const FileBytes& mInFile;
    Total mTotals[3] = {{"operands", &Limits::operands},
                        {"operations", &Limits::operations},
                        {"referenced", &Limits::subgraphs}};
    uint64_t mBytes = 0;
};

}  // namespace

Status checkLimits(const pb::Message& message, const Limits& limits, std::string_view path,
                   const FileBytes& inFile) {
    return within(path, LimitCheck(limits, inFile).check(message));
}

uint64_t objectsInText(std::string_view text) {
    uint64_t objects = 0;
    char before = ' ';  // the last character before, apart from spaces and comments
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '#') {
            i = std::min(text.find('\n', i), text.size());
            continue;
        }
        if (c == '"' || c == '\'') {
            // A literal ends at the end of its line at the latest, as in protobuf.
            const auto ends = [&](char next) { return next == c || next == '\n' || next == '\0'; };
            for (++i; i < text.size() && !ends(text[i]); ++i) {
                if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] != '\n') ++i;
            }
            if (before == '[' || before == ',') ++objects;
        } else if (c == '{' || c == '<') {
            ++objects;
        }
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n') before = c;
    }
    return objects;
}

}  // namespace nn::schema
