#include "importers/tflite/file_writer.h"

#include <fmt/format.h>

#include "base/plurals.h"
#include "base/printable.h"
#include "nnapi/passes.h"
#include "nnapi/validate.h"

namespace nn {
namespace tflite {

FileWriter::FileWriter(const nn::Model& model, importing::ConstantReader constants, Losses* losses,
                       const ExportNames& names)
    : mModel(model), mConstants(std::move(constants)), mLosses(losses), mNames(names) {
    constexpr uint32_t kSchemaVersion = 3;
    mFile.version = kSchemaVersion;
    mFile.description = "written by nnapi";
    mFile.buffers.push_back(std::make_unique<BufferT>());  // that of tensors without data
}

uint32_t FileWriter::kindOf(BuiltinOperator code, int32_t version) {
    const auto next = static_cast<uint32_t>(mFile.operator_codes.size());
    const auto [kind, isNew] = mKinds.emplace(std::pair(code, version), next);
    if (isNew) {
        auto made = std::make_unique<OperatorCodeT>();
        made->builtin_code = code;
        // Older readers only have the byte.
        const auto last = BuiltinOperator::PLACEHOLDER_FOR_GREATER_OP_CODES;
        made->deprecated_builtin_code = static_cast<int8_t>(std::min(code, last));
        made->version = version;
        mFile.operator_codes.push_back(std::move(made));
    }
    return kind->second;
}

uint32_t FileWriter::bufferOf(std::span<const uint8_t> bytes) {
    if (bytes.empty()) return 0;
    mBytes += bytes.size();
    auto buffer = std::make_unique<BufferT>();
    if (mBytes <= INT32_MAX) buffer->data.assign(bytes.begin(), bytes.end());
    mFile.buffers.push_back(std::move(buffer));
    return static_cast<uint32_t>(mFile.buffers.size() - 1);
}

void FileWriter::lose(Loss loss) {
    if (mLosses != nullptr) mLosses->push_back(std::move(loss));
}

namespace {

// The graphs that a WHILE has as its body, and those that an IF or the condition of a WHILE has, by
// their numbers in Model::referenced.
struct Uses {
    std::set<uint32_t> bodies{}, others{};

    explicit Uses(const nn::Model& model) {
        add(model.main);
        for (const nn::Model::Subgraph& graph : model.referenced) add(graph);
    }

   private:
    void add(const nn::Model::Subgraph& graph) {
        for (const Operation& operation : graph.operations) {
            const bool isLoop = operation.type == OperationType::WHILE;
            for (size_t i = 0; i < operation.inputs.size(); ++i) {
                const Operand& operand = graph.operands[operation.inputs[i]];
                if (operand.lifetime != Operand::LifeTime::SUBGRAPH) continue;
                (isLoop && i == 1 ? bodies : others).insert(operand.location.offset);
            }
        }
    }
};

}  // namespace

Result<std::vector<uint8_t>> FileWriter::write() {
    if (mModel.main.outputIndexes.empty()) refuse("main: has no outputs");
    const Uses uses(mModel);
    mFile.subgraphs.push_back(GraphWriter(*this, mModel.main, "main", mNames.operands).write());
    for (size_t i = 0; i < mModel.referenced.size(); ++i) {
        const bool isBody = uses.bodies.contains(static_cast<uint32_t>(i));
        const std::string path = fmt::format("referenced[{}]", i);
        if (isBody && uses.others.contains(static_cast<uint32_t>(i))) {
            refuse(path + ": is the body of a WHILE and a graph of another operation as well");
        }
        mFile.subgraphs.push_back(
                GraphWriter(*this, mModel.referenced[i], path, {}, isBody).write());
    }
    // Files have 32 bits with a sign for offsets; the tables take some of them.
    constexpr uint64_t kMaxBytes = INT32_MAX - (uint64_t{64} << 20);
    if (mBytes > kMaxBytes) {
        refuse(fmt::format("the constants have {}, allowed {}", Plural{mBytes, "bytes"},
                           kMaxBytes));
    }
    if (!mRefusals.empty()) {
        std::string all;
        for (const std::string& reason : mRefusals) all += "\n  " + reason;
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("TensorFlow Lite cannot carry the model:{}", all));
    }
    if (mModel.relaxComputationFloat32toFloat16) {
        lose({.path = "relaxComputationFloat32toFloat16",
              .before = "true",
              .after = "false",
              .why = "TensorFlow Lite asks for it when it executes"});
    }
    flatbuffers::FlatBufferBuilder builder;
    FinishModelBuffer(builder, nn::tflite::Model::Pack(builder, &mFile));
    const uint8_t* bytes = builder.GetBufferPointer();
    return std::vector<uint8_t>(bytes, bytes + builder.GetSize());
}

}  // namespace tflite

Result<std::vector<uint8_t>> exportTflite(const Model& model, Losses* losses,
                                          const ExportNames& names) {
    NNAPI_RETURN_IF_ERROR(nn::validate(model).status());
    // Parameters with the default value have no place in a file.
    const Minimized small = withoutTrailingDefaults(model);
    NNAPI_ASSIGN_OR_RETURN(constants, importing::ConstantReader::of(small.model));
    Losses found;
    auto written = tflite::FileWriter(small.model, std::move(constants), &found, names).write();
    if (written.ok() && losses != nullptr) {
        for (const Removal& removal : small.removed) {
            losses->push_back({.path = removal.path,
                               .before = "given",
                               .after = "left out",
                               .why = removal.why});
        }
        losses->insert(losses->end(), found.begin(), found.end());
    }
    return written;
}

}  // namespace nn
