// Lookups, and constants that are sparse.
#include "importers/operator_file_list.h"

namespace nn::tflite {
namespace {

using enum OperationType;

// Two of the keys are looked up, and two numbers that are none.
void fillHashtable(LiteGraph& g, Type type) {
    const int32_t lookups = g.ints({7, 3, -1, 8}), keys = g.ints({-1, 2, 7});
    const int32_t values = g.input(type, {3, 5}, common(type));
    const int32_t found = g.output(type, {4, 5}, common(type));
    g.op(Op::HASHTABLE_LOOKUP, 1, {lookups, keys, values}, {found, g.output(kUint8, {4})});
}

// Operations have weights where the projection is dense, and only there.
void fillProjection(LiteGraph& g, LSHProjectionType type, Type input) {
    LSHProjectionOptionsT options;
    options.type = type;
    constexpr int32_t kHashes = 3, kBits = 4;
    const bool isDense = type == LSHProjectionType::DENSE;
    std::vector<int32_t> inputs = {g.numbers(kFloat, {kHashes, kBits}), g.input(input, {6, 2})};
    if (isDense) inputs.push_back(g.numbers(kFloat, {6}));
    g.op(Op::LSH_PROJECTION, 1, inputs, {g.output(kInt, {isDense ? kHashes * kBits : kHashes})},
         options);
}

// [[0, 1, 0], [2, 0, 3]] of floats or halves, in rows with lists of columns.
int32_t sparseMatrix(LiteGraph& g, Type type) {
    const int32_t sparse = type == kFloat
                                   ? g.constant<float>(type, {2, 3}, {1, 2, 3})
                                   : g.constant<uint16_t>(type, {2, 3}, {0x3c00, 0x4000, 0x4200});
    auto parameters = std::make_unique<SparsityParametersT>();
    parameters->traversal_order = {0, 1};
    for (int level = 0; level < 2; ++level) {
        parameters->dim_metadata.push_back(std::make_unique<DimensionMetadataT>());
    }
    parameters->dim_metadata[0]->dense_size = 2;
    DimensionMetadataT& columns = *parameters->dim_metadata[1];
    columns.format = DimensionType::SPARSE_CSR;
    Int32VectorT segments, indexes;
    segments.values = {0, 1, 3};
    indexes.values = {1, 0, 2};
    columns.array_segments.Set(std::move(segments));
    columns.array_indices.Set(std::move(indexes));
    g.at(sparse).sparsity = std::move(parameters);
    return sparse;
}

void addLookupsForms(Files& files) {
    files.add("HASHTABLE_LOOKUP", {kFloat, kInt}, {HASHTABLE_LOOKUP}, fillHashtable);
    files.add("DENSIFY", kFloats, {ADD}, [](LiteGraph& g, Type t) {
        const int32_t dense = g.tensor(t, {2, 3});
        g.op(Op::DENSIFY, 1, {sparseMatrix(g, t)}, {dense});
        g.op(Op::ADD, 1, {g.input(t, {2, 3}), dense}, {g.output(t, {2, 3})}, AddOptionsT());
    });
    // As MediaPipe has weights.
    files.add("DENSIFY_halves", kFloats, {FULLY_CONNECTED}, [](LiteGraph& g, Type t) {
        const int32_t dense = g.tensor(Type::FLOAT16, {2, 3}), weights = g.tensor(t, {2, 3});
        g.op(Op::DENSIFY, 1, {sparseMatrix(g, Type::FLOAT16)}, {dense});
        g.op(Op::DEQUANTIZE, 1, {dense}, {weights});
        g.op(Op::FULLY_CONNECTED, 1, {g.input(t, {1, 3}), weights, -1}, {g.output(t, {1, 2})},
             FullyConnectedOptionsT());
    });
}

void addProjectionsForms(Files& files) {
    files.addRead("LSH_PROJECTION_sparse", {kFloat, kInt}, {LSH_PROJECTION},
                  [](LiteGraph& g, Type t) { fillProjection(g, LSHProjectionType::SPARSE, t); });
    files.addRead("LSH_PROJECTION_dense", {kFloat, kInt}, {LSH_PROJECTION},
                  [](LiteGraph& g, Type t) { fillProjection(g, LSHProjectionType::DENSE, t); });
}

}  // namespace

void addLookupForms(Files& files) {
    addLookupsForms(files);
    addProjectionsForms(files);
}

}  // namespace nn::tflite
