#include "runtime/compiled/model_architecture.h"

#include <bit>
#include <string_view>
#include <vector>

#include "driver/cache/digest.h"
#include "nnapi/type_utils.h"
#include "types/extension_names.h"

namespace nn::runtime {
namespace {

// The hashed bytes: numbers of 4 bytes, low byte first; lists are preceded by their length.
class Text {
   public:
    explicit Text(const Model& model) : mModel(model) {
        add(static_cast<uint32_t>(1 + model.referenced.size()));
        addGraph(model.main);
        for (const Model::Subgraph& graph : model.referenced) addGraph(graph);
    }

    std::span<const uint8_t> bytes() const { return mBytes; }

   private:
    void add(uint32_t number) {
        for (int shift = 0; shift < 32; shift += 8) {
            mBytes.push_back(static_cast<uint8_t>(number >> shift));
        }
    }
    void add(float number) { add(std::bit_cast<uint32_t>(number)); }
    void add(std::span<const uint32_t> numbers) {
        add(static_cast<uint32_t>(numbers.size()));
        for (const uint32_t number : numbers) add(number);
    }
    void addBytes(std::span<const uint8_t> bytes) {
        add(static_cast<uint32_t>(bytes.size()));
        mBytes.insert(mBytes.end(), bytes.begin(), bytes.end());
    }

    // Names, since prefixes of extensions differ between processes.
    void addType(uint32_t type) {
        const std::string_view name = extensionNameOf(mModel.extensionNameToPrefix, type);
        add(name.empty() ? type : uint32_t{getTypeWithinExtension(type)});
        addBytes({reinterpret_cast<const uint8_t*>(name.data()), name.size()});
    }

    void addParameters(const Operand::ExtraParams& parameters) {
        add(static_cast<uint32_t>(parameters.index()));
        if (const auto* quant = std::get_if<Operand::SymmPerChannelQuantParams>(&parameters)) {
            add(quant->channelDim);
            add(static_cast<uint32_t>(quant->scales.size()));
            for (const float scale : quant->scales) add(scale);
        } else if (const auto* data = std::get_if<Operand::ExtensionParams>(&parameters)) {
            addBytes(*data);
        }
    }

    void addGraph(const Model::Subgraph& graph) {
        add(static_cast<uint32_t>(graph.operands.size()));
        for (const Operand& operand : graph.operands) {
            addType(static_cast<uint32_t>(operand.type));
            add(operand.dimensions);
            add(operand.scale);
            add(static_cast<uint32_t>(operand.zeroPoint));
            add(static_cast<uint32_t>(operand.lifetime));
            addParameters(operand.extraParams);
        }
        add(static_cast<uint32_t>(graph.operations.size()));
        for (const Operation& operation : graph.operations) {
            addType(static_cast<uint32_t>(operation.type));
            add(operation.inputs);
            add(operation.outputs);
        }
        add(graph.inputIndexes);
        add(graph.outputIndexes);
    }

    const Model& mModel;
    std::vector<uint8_t> mBytes{};
};

}  // namespace

ArchitectureHash architectureHash(const Model& model) {
    const auto digest = cache::sha256(Text(model).bytes());
    return digest.ok() ? *digest : ArchitectureHash{};
}

}  // namespace nn::runtime
