// Packed models, as stored in cache files but without the seal that protects them; and blob stores.
#include "fuzz/input.h"
#include "nnapi/driver/blob_store.h"
#include "nnapi/driver/cache.h"

namespace nn::fuzz {
namespace {

using Bytes = std::vector<uint8_t>;

// An unpacked model can be packed and unpacked to the same model. The first packing moves
// constants, or detects constants outside of the data.
void unpack(std::span<const uint8_t> graph, const Bytes& constants) {
    const Result<CachedModel> model = unpackModel(graph, constants);
    if (!model.ok()) return expect(!textOf(model.status()).empty(), "refused silently");
    for (const Model::Subgraph* subgraph : {&model->model.main}) {
        for (const Operand& operand : subgraph->operands) {
            expect(!hasPointer(operand.location), "a pointer came from a file");
        }
    }
    expect(model->model.pools.empty(), "a pool came from a file");
    (void)prepare(model->model, littleWork());

    Model moved = model->model;
    const auto forget = [](Model::Subgraph& subgraph) {
        for (Operand& operand : subgraph.operands) {  // the caller checks addresses
            if (operand.lifetime == Operand::LifeTime::POINTER) {
                operand.lifetime = Operand::LifeTime::CONSTANT_COPY;
            }
        }
    };
    forget(moved.main);
    for (Model::Subgraph& subgraph : moved.referenced) forget(subgraph);
    const auto packed = packModel(moved, model->preference, model->priority);
    if (!packed.ok()) return;
    const auto again = unpackModel(packed->graph, packed->constants);
    expect(again.ok(), textOf(again.status()));
    const auto repacked = packModel(again->model, again->preference, again->priority);
    expect(repacked.ok(), textOf(repacked.status()));
    expect(repacked->graph == packed->graph && repacked->constants == packed->constants,
           "packed differently again");
}

void parse(std::span<const uint8_t> bytes) {
    BlobStore store({.totalBytes = 1 << 16}), other({.totalBytes = 1 << 16});
    if (!store.parse(bytes).ok()) return;
    const Bytes written = store.serialize();
    expect(std::ranges::equal(written, bytes), "written differently");
    expect(other.parse(written).ok(), "cannot read its own output");
}

}  // namespace

NNAPI_FUZZ_TARGET(cache, CHOICES) {
    parse(bytes);
    unpack(bytes, Bytes(64));

    testing::Source source(bytes);
    PackedModel packed =
            packModel(testing::validModel(source), ExecutionPreference::DEFAULT, Priority::DEFAULT)
                    .value();
    unpack(packed.graph, packed.constants);
    for (size_t n = source.below(4); n > 0 && !packed.graph.empty(); --n) {
        uint8_t& byte = packed.graph[source.below(packed.graph.size())];
        byte = source.coin() ? static_cast<uint8_t>(byte ^ (1 << source.below(8)))
                             : static_cast<uint8_t>(source.below(256));
    }
    if (source.oneIn(4)) packed.graph.resize(source.below(packed.graph.size() + 1));
    unpack(packed.graph, packed.constants);
}

}  // namespace nn::fuzz
