#include <fmt/format.h>

#include <concepts>

#include "base/files.h"
#include "base/no_throw.h"
#include "base/printable.h"
#include "model_io/canonical.h"
#include "model_io/formats.h"
#include "model_io/inputs.h"
#include "model_io/json.h"
#include "model_io/pools.h"
#include "model_io/reflect.h"
#include "model_io/streams.h"
#include "nnapi/io.h"
#include "nnapi/model_file.pb.h"
#include "nnapi/test_case.pb.h"

namespace nn {
namespace {

namespace fs = std::filesystem;
using namespace schema;

bool hasField(const pb::Descriptor& type, std::string_view name) {
    return type.FindFieldByName({name.data(), name.size()}) != nullptr;
}

Status parseFile(std::string_view origin, std::string_view bytes, Format format,
                 const Limits& limits, nnapi::ModelFile& file) {
    if (format == Format::JSON) {
        const std::string_view key = firstKey(bytes);
        if (hasField(*nnapi::Model::descriptor(), key)) {
            return parseMessage(origin, bytes, format, limits, *file.mutable_canonical());
        }
        if (hasField(*nnapi::TestCase::descriptor(), key)) {
            return contentError(prefix(origin) +
                                "holds a test case, allowed a model (test cases are read from "
                                ".jsonl and .jsonl.gz)");
        }
    }
    return parseMessage(origin, bytes, format, limits, file);
}

template <class M>
Result<AnyModel> read(const pb::Message& message, const PoolReader& pools) {
    M model;
    NNAPI_RETURN_IF_ERROR(StructReader(pools).read(message, model));
    return AnyModel(std::move(model));
}

// The message counts versions from 1 on.
constexpr int kBeforeAidl = static_cast<int>(HalVersion::AIDL1) - 1;

Result<AnyModel> read(const nnapi::aidl::VersionedModel& message, const PoolReader& pools) {
    constexpr int kMax = static_cast<int>(HalVersion::AIDL4) - kBeforeAidl;
    if (message.version() < 1 || message.version() > kMax) {
        return contentError(fmt::format("version is {}, allowed 1 to {}", message.version(), kMax));
    }
    AidlModel held{.version = static_cast<HalVersion>(message.version() + kBeforeAidl)};
    NNAPI_RETURN_IF_ERROR(within("model.", StructReader(pools).read(message.model(), held.model)));
    return AnyModel(std::move(held));
}

Status writeAidl(const AidlModel& held, nnapi::aidl::VersionedModel& message, PoolWriter& pools) {
    message.set_version(static_cast<uint32_t>(static_cast<int>(held.version) - kBeforeAidl));
    return within("model.", StructWriter(pools).write(held.model, *message.mutable_model()));
}

Result<AnyModel> read(const nnapi::ModelFile& file, const PoolReader& pools) {
    switch (file.model_case()) {
        case nnapi::ModelFile::kCanonical: {
            NNAPI_ASSIGN_OR_RETURN(model, readCanonical(file.canonical(), pools));
            return AnyModel(std::move(model));
        }
        case nnapi::ModelFile::kV10:
            return read<V1_0::Model>(file.v1_0(), pools);
        case nnapi::ModelFile::kV11:
            return read<V1_1::Model>(file.v1_1(), pools);
        case nnapi::ModelFile::kV12:
            return read<V1_2::Model>(file.v1_2(), pools);
        case nnapi::ModelFile::kV13:
            return read<V1_3::Model>(file.v1_3(), pools);
        case nnapi::ModelFile::kAidl:
            return read(file.aidl(), pools);
        case nnapi::ModelFile::MODEL_NOT_SET:
            break;
    }
    return contentError("holds no model");
}

Status write(const AnyModel& model, nnapi::ModelFile& file, PoolWriter& pools) {
    // The message's fields are in the order of the variant.
    const pb::FieldDescriptor* field = file.GetDescriptor()->field(static_cast<int>(model.index()));
    pb::Message& message = *file.GetReflection()->MutableMessage(&file, field);
    return std::visit(
            [&]<class M>(const M& m) {
                if constexpr (std::same_as<M, Model>) {
                    return writeCanonical(m, *file.mutable_canonical(), pools);
                } else if constexpr (std::same_as<M, AidlModel>) {
                    return writeAidl(m, *file.mutable_aidl(), pools);
                } else {
                    return StructWriter(pools).write(m, message);
                }
            },
            model);
}

Status unknownExtension(const fs::path& path) {
    return contentError(
            fmt::format("{}: extension is {}, allowed .pb, .textproto and .json for a model",
                        nameOf(path), inQuotes(path.extension().string())));
}

}  // namespace

std::optional<Format> formatOf(const fs::path& path) {
    const fs::path extension = path.extension();
    if (extension == ".pb") return Format::BINARY;
    if (extension == ".textproto") return Format::TEXT;
    if (extension == ".json") return Format::JSON;
    return std::nullopt;
}

Result<AnyModel> readModel(const fs::path& path, const Limits& limits) try {
    NNAPI_ASSIGN_OR_RETURN(head, readHead(path, kFormatBytes));
    const auto format = formatOfFile(path, head);
    if (!format) return unknownContent(path);
    if (*format == StreamFormat::TEST_CASES && isTestCaseFile(path)) return unknownExtension(path);
    nnapi::ModelFile file;
    FileBytes inFile;
    if (modelFormat(*format) == Format::BINARY) {
        NNAPI_ASSIGN_OR_RETURN(fd, openRegularFile(path));
        NNAPI_ASSIGN_OR_RETURN(left, parseBinaryFile(path.string(), std::move(fd), limits, file));
        inFile = std::move(left);
    } else {
        NNAPI_ASSIGN_OR_RETURN(bytes, readFile(path, limits));
        NNAPI_RETURN_IF_ERROR(parseFile(path.string(), bytes, modelFormat(*format), limits, file));
    }
    auto model = read(file, PoolReader(path.parent_path(), std::move(inFile), limits));
    if (!model.ok()) return within(prefix(path.string()), model.status());
    return model;
} catch (...) {
    return statusOfException();
}

Status writeModel(const fs::path& path, const AnyModel& model, const WriteOptions& options) try {
    const auto format = formatOf(path);
    if (!format) return unknownExtension(path);
    fs::path sideFile = path;
    sideFile += ".data";
    PoolWriter pools =
            options.sideFileAbove ? PoolWriter(sideFile, *options.sideFileAbove) : PoolWriter();
    nnapi::ModelFile message;
    NNAPI_RETURN_IF_ERROR(within(nameOf(path) + ": ", write(model, message, pools)));
    auto bytes = serializeMessage(message, *format);
    if (!bytes.ok()) return within(nameOf(path) + ": ", bytes.status());

    NNAPI_ASSIGN_OR_RETURN(file, createFile(path));
    NNAPI_RETURN_IF_ERROR(within(nameOf(path) + ": ", writeBytes(file.fd(), *bytes, 0)));
    NNAPI_RETURN_IF_ERROR(pools.commit());
    return within(nameOf(path) + ": ", file.commit());
} catch (...) {
    return statusOfException();
}

Result<AnyModel> parseModel(std::string_view bytes, Format format, const Limits& limits) try {
    nnapi::ModelFile file;
    NNAPI_RETURN_IF_ERROR(parseFile("", bytes, format, limits, file));
    return read(file, PoolReader());
} catch (...) {
    return statusOfException();
}

Result<std::string> serializeModel(const AnyModel& model, Format format) try {
    PoolWriter pools;
    nnapi::ModelFile message;
    NNAPI_RETURN_IF_ERROR(write(model, message, pools));
    return serializeMessage(message, format);
} catch (...) {
    return statusOfException();
}

}  // namespace nn
