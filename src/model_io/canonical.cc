#include "model_io/canonical.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <concepts>

#include "model_io/reflect.h"
#include "nnapi/checked_math.h"
#include "nnapi/memory.h"

namespace nn::schema {
namespace {

using LifeTime = Operand::LifeTime;

// Calls f for the main graph, then for the referenced ones, with the path of each, until one call
// fails.
template <class M, class F>
Status forEachGraph(M& model, F&& visit) {
    NNAPI_RETURN_IF_ERROR(within("main.", visit(model.main)));
    for (size_t i = 0; i < model.referenced.size(); ++i) {
        NNAPI_RETURN_IF_ERROR(
                within(fmt::format("referenced[{}].", i), visit(model.referenced[i])));
    }
    return {};
}

// The places of the inline values of CONSTANT_REFERENCE operands in their pool.
class ReferenceLayout {
   public:
    explicit ReferenceLayout(size_t poolIndex) : mPoolIndex(poolIndex) {}

    std::optional<DataLocation> append(size_t length) {
        constexpr uint64_t kAlignment = 64;
        const auto poolIndex = checkedCast<uint32_t>(mPoolIndex);
        const auto offset = checkedRoundUp<uint64_t>(mSize, kAlignment);
        const auto end = checkedAdd<uint64_t>(offset, uint64_t{length});
        if (length == 0 || !poolIndex || !end || !std::in_range<uint32_t>(*end)) return {};
        mSize = *end;
        return DataLocation{.poolIndex = *poolIndex,
                            .offset = static_cast<uint32_t>(*offset),
                            .length = static_cast<uint32_t>(length)};
    }

    uint64_t size() const { return mSize; }

   private:
    size_t mPoolIndex;
    uint64_t mSize = 0;
};

// ---------------------------------------------------------------------------------------------
// Writing

// True when inline values would be read back as exactly these operand values.
bool copiesMayBeInline(const Model& model) {
    const Model::OperandValues& values = model.operandValues;
    Model::OperandValues inlined;
    const auto append = [&](const Model::Subgraph& graph) {
        return absl::c_all_of(graph.operands, [&](const Operand& operand) {
            if (operand.lifetime != LifeTime::CONSTANT_COPY) return true;
            const DataLocation& at = operand.location;
            return fits(at.offset, at.length, values.size()) &&
                   inlined.append(values.data() + at.offset, at.length) == at;
        });
    };
    return append(model.main) && absl::c_all_of(model.referenced, append) && inlined == values;
}

// The bytes of the last pool, if inline values would be read back as exactly this pool; then all
// operands of lifetime CONSTANT_REFERENCE are stored there.
std::optional<std::string> inlinePool(const Model& model, const PoolWriter& pools) {
    if (model.pools.empty()) return {};
    const SharedMemory& pool = model.pools.back();
    const auto* memory = pool == nullptr ? nullptr : std::get_if<Memory::Ashmem>(&pool->handle);
    if (memory == nullptr || pools.usesSideFile(memory->size)) return {};

    ReferenceLayout layout(model.pools.size() - 1);
    std::vector<DataLocation> gaps;
    const auto append = [&](const Model::Subgraph& graph) {
        return absl::c_all_of(graph.operands, [&](const Operand& operand) {
            if (operand.lifetime != LifeTime::CONSTANT_REFERENCE) return true;
            const auto before = static_cast<uint32_t>(layout.size());
            const auto at = layout.append(operand.location.length);
            if (at != operand.location) return false;
            gaps.push_back({.offset = before, .length = at->offset - before});
            return true;
        });
    };
    if (!append(model.main) || !absl::c_all_of(model.referenced, append)) return {};
    if (layout.size() == 0 || layout.size() != memory->size) return {};

    auto bytes = readBytes(memory->fd.get(), 0, memory->size);
    const auto isZero = [&](const DataLocation& gap) {
        return absl::c_all_of(std::string_view(*bytes).substr(gap.offset, gap.length),
                              [](char byte) { return byte == 0; });
    };
    if (!bytes.ok() || !absl::c_all_of(gaps, isZero)) return {};
    return *std::move(bytes);
}

class ModelWriter {
   public:
    ModelWriter(const Model& model, PoolWriter& pools)
        : mModel(model),
          mPools(pools),
          mStructs(pools),
          mInlineCopies(copiesMayBeInline(model)),
          mInlinePool(inlinePool(model, pools)) {}

    Status write(nnapi::Model& message) {
        NNAPI_RETURN_IF_ERROR(forEachGraph(mModel, [&](const Model::Subgraph& graph) {
            if (&graph != &mModel.main) return write(graph, *message.add_referenced());
            return graph == Model::Subgraph{} ? Status() : write(graph, *message.mutable_main());
        }));
        NNAPI_RETURN_IF_ERROR(mStructs.writeField(mModel.relaxComputationFloat32toFloat16, message,
                                                  "relaxComputationFloat32toFloat16"));
        NNAPI_RETURN_IF_ERROR(mStructs.writeField(mModel.extensionNameToPrefix, message,
                                                  "extensionNameToPrefix"));
        if (!mInlineCopies) {
            message.set_operandvalues(mModel.operandValues.data(), mModel.operandValues.size());
        }
        const size_t explicitPools = mModel.pools.size() - (mInlinePool ? 1 : 0);
        for (size_t i = 0; i < explicitPools; ++i) {
            NNAPI_RETURN_IF_ERROR(within(fmt::format("pools[{}].", i),
                                         mPools.write(mModel.pools[i], *message.add_pools())));
        }
        return {};
    }

   private:
    Status write(const Model::Subgraph& graph, nnapi::Graph& message) {
        for (size_t i = 0; i < graph.operands.size(); ++i) {
            NNAPI_RETURN_IF_ERROR(within(fmt::format("operands[{}].", i),
                                         write(graph.operands[i], *message.add_operands())));
        }
        NNAPI_RETURN_IF_ERROR(mStructs.writeField(graph.operations, message, "operations"));
        NNAPI_RETURN_IF_ERROR(mStructs.writeField(graph.inputIndexes, message, "inputIndexes"));
        return mStructs.writeField(graph.outputIndexes, message, "outputIndexes");
    }

    Status write(const Operand& operand, nnapi::Operand& message) {
        message.set_type(static_cast<nnapi::OperandType::Code>(operand.type));
        message.mutable_dimensions()->Add(operand.dimensions.begin(), operand.dimensions.end());
        message.set_scale(operand.scale);
        message.set_zeropoint(operand.zeroPoint);
        message.set_lifetime(static_cast<nnapi::OperandLifeTime::Code>(operand.lifetime));
        if (const auto* quant =
                    std::get_if<Operand::SymmPerChannelQuantParams>(&operand.extraParams)) {
            NNAPI_RETURN_IF_ERROR(mStructs.write(*quant, *message.mutable_symmperchannelquant()));
        } else if (const auto* bytes =
                           std::get_if<Operand::ExtensionParams>(&operand.extraParams)) {
            message.set_extensionparams(bytes->data(), bytes->size());
        }
        return write(operand.lifetime, operand.location, message);
    }

    Status write(LifeTime lifetime, const DataLocation& at, nnapi::Operand& message) {
        if (at.pointer != DataLocation{}.pointer) {
            return contentError("location is a pointer, which no file can hold");
        }
        if (lifetime == LifeTime::CONSTANT_COPY && mInlineCopies) {
            message.set_value(mModel.operandValues.data() + at.offset, at.length);
        } else if (lifetime == LifeTime::CONSTANT_REFERENCE && mInlinePool) {
            message.set_value(mInlinePool->data() + at.offset, at.length);
        } else if (lifetime == LifeTime::SUBGRAPH && at == DataLocation{.offset = at.offset}) {
            message.set_subgraphindex(at.offset);
        } else if (at != DataLocation{}) {
            nnapi::DataLocation& location = *message.mutable_location();
            location.set_poolindex(at.poolIndex);
            location.set_offset(at.offset);
            location.set_length(at.length);
            location.set_padding(at.padding);
        }
        return {};
    }

    const Model& mModel;
    PoolWriter& mPools;
    StructWriter mStructs;
    bool mInlineCopies;
    std::optional<std::string> mInlinePool;
};

// ---------------------------------------------------------------------------------------------
// Reading

class ModelReader {
   public:
    ModelReader(const nnapi::Model& message, const PoolReader& pools)
        : mMessage(message),
          mPools(pools),
          mStructs(pools),
          mReferences(static_cast<size_t>(message.pools_size())) {}

    Result<Model> read() {
        // Explicit values come first, since inline values are appended to them.
        const std::string& values = mMessage.operandvalues();
        mModel.operandValues =
                Model::OperandValues(std::vector<uint8_t>(values.begin(), values.end()));
        mModel.pools.resize(static_cast<size_t>(mMessage.pools_size()));
        for (size_t i = 0; i < mModel.pools.size(); ++i) {
            NNAPI_RETURN_IF_ERROR(
                    within(fmt::format("pools[{}].", i),
                           mPools.read(mMessage.pools(static_cast<int>(i)), mModel.pools[i])));
        }
        NNAPI_RETURN_IF_ERROR(mStructs.readField(mMessage, mModel.relaxComputationFloat32toFloat16,
                                                 "relaxComputationFloat32toFloat16"));
        NNAPI_RETURN_IF_ERROR(mStructs.readField(mMessage, mModel.extensionNameToPrefix,
                                                 "extensionNameToPrefix"));

        mModel.referenced.resize(static_cast<size_t>(mMessage.referenced_size()));
        auto referenced = mMessage.referenced().begin();
        NNAPI_RETURN_IF_ERROR(forEachGraph(mModel, [&](Model::Subgraph& graph) {
            return read(&graph == &mModel.main ? mMessage.main() : *referenced++, graph);
        }));
        NNAPI_RETURN_IF_ERROR(addInlinePool());
        return std::move(mModel);
    }

   private:
    Status read(const nnapi::Graph& message, Model::Subgraph& graph) {
        graph.operands.resize(static_cast<size_t>(message.operands_size()));
        for (size_t i = 0; i < graph.operands.size(); ++i) {
            NNAPI_RETURN_IF_ERROR(
                    within(fmt::format("operands[{}].", i),
                           read(message.operands(static_cast<int>(i)), graph.operands[i])));
        }
        NNAPI_RETURN_IF_ERROR(mStructs.readField(message, graph.operations, "operations"));
        NNAPI_RETURN_IF_ERROR(mStructs.readField(message, graph.inputIndexes, "inputIndexes"));
        return mStructs.readField(message, graph.outputIndexes, "outputIndexes");
    }

    Status read(const nnapi::Operand& message, Operand& operand) {
        operand.type = static_cast<OperandType>(message.type());
        operand.dimensions.assign(message.dimensions().begin(), message.dimensions().end());
        operand.scale = message.scale();
        operand.zeroPoint = message.zeropoint();
        operand.lifetime = static_cast<LifeTime>(message.lifetime());
        if (message.has_symmperchannelquant()) {
            auto& quant = operand.extraParams.emplace<Operand::SymmPerChannelQuantParams>();
            NNAPI_RETURN_IF_ERROR(mStructs.read(message.symmperchannelquant(), quant));
        } else if (message.has_extensionparams()) {
            const std::string& bytes = message.extensionparams();
            operand.extraParams = Operand::ExtensionParams(bytes.begin(), bytes.end());
        }
        switch (message.where_case()) {
            case nnapi::Operand::kValue:
                return readValue(message.value(), operand);
            case nnapi::Operand::kSubgraphIndex:
                if (operand.lifetime != LifeTime::SUBGRAPH)
                    return misplaced("subgraphIndex", operand);
                operand.location.offset = message.subgraphindex();
                return {};
            case nnapi::Operand::kLocation:
                operand.location = {.poolIndex = message.location().poolindex(),
                                    .offset = message.location().offset(),
                                    .length = message.location().length(),
                                    .padding = message.location().padding()};
                return {};
            case nnapi::Operand::WHERE_NOT_SET:
                return {};
        }
        return {};
    }

    Status readValue(const std::string& value, Operand& operand) {
        std::optional<DataLocation> at;
        if (operand.lifetime == LifeTime::CONSTANT_COPY) {
            NNAPI_ASSIGN_OR_RETURN(bytes, mPools.bytes().load(value));
            at = mModel.operandValues.append(bytes.data(), bytes.size());
        } else if (operand.lifetime == LifeTime::CONSTANT_REFERENCE) {
            if (value.empty()) return contentError("value is empty, allowed 1 byte or more");
            at = mReferences.append(mPools.bytes().sizeOf(value));
            if (at) mInlineValues.push_back({at->offset, &value});
        } else {
            return misplaced("value", operand);
        }
        if (!at) return contentError("value is too long, a model's constants have up to 4 GiB");
        operand.location = *at;
        return {};
    }

    static Status misplaced(std::string_view field, const Operand& operand) {
        return contentError(
                fmt::format("{} found, allowed only for lifetime {}, lifetime is {}", field,
                            field == "value" ? "CONSTANT_COPY and CONSTANT_REFERENCE" : "SUBGRAPH",
                            toString(operand.lifetime)));
    }

    Status addInlinePool() {
        if (mInlineValues.empty()) return {};
        NNAPI_ASSIGN_OR_RETURN(memory, createSharedMemory(mReferences.size()));
        const int fd = std::get<Memory::Ashmem>(memory->handle).fd.get();
        for (const auto& [offset, value] : mInlineValues) {
            NNAPI_RETURN_IF_ERROR(mPools.bytes().copyTo(fd, offset, *value));
        }
        mModel.pools.push_back(std::move(memory));
        return {};
    }

    const nnapi::Model& mMessage;
    const PoolReader& mPools;
    StructReader mStructs;
    ReferenceLayout mReferences;
    std::vector<std::pair<uint32_t, const std::string*>> mInlineValues;
    Model mModel;
};

}  // namespace

Status writeCanonical(const Model& model, nnapi::Model& message, PoolWriter& pools) {
    return ModelWriter(model, pools).write(message);
}

Result<Model> readCanonical(const nnapi::Model& message, const PoolReader& pools) {
    return ModelReader(message, pools).read();
}

}  // namespace nn::schema
