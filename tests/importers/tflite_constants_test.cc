// Constants of files in other forms, and those that do not fit.
#include "importers/tflite/constants.h"

#include <flatbuffers/flatbuffers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/status_message.h"
#include "importers/tflite_generated.h"

namespace nn::tflite::constants_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

constexpr float kScales[] = {0.5f, 2};

using Bytes = std::vector<uint8_t>;
using Floats = std::vector<float>;
struct FloatRow {
    TensorType type;
    Bytes data;
    std::optional<Floats> floats;
    std::function<void(FileTensor&)> change{};
};

const Bytes kFour{1, 2, 3, 4};
const FloatRow kFloats[] = {
        {TensorType::FLOAT16, Bytes{0x00, 0x3c, 0x00, 0xc0}, Floats{1, -2}},
        {TensorType::UINT8, Bytes{129, 127}, Floats{0.25f, -0.25f},
         [](FileTensor& t) { t.zeroPoint = 128; }},
        {TensorType::INT8, Bytes{1, 0xff}, Floats{0.25f, -0.25f}},
        {TensorType::INT16, Bytes{0, 1, 0xff, 0xff}, Floats{64, -0.25f}},
        {TensorType::BOOL, Bytes{1}, std::nullopt},
        {TensorType::INT8, kFour, Floats{0.5f, 1, 6, 8},
         [](FileTensor& t) { t.channelScales = kScales; }},
        {TensorType::INT8, kFour, Floats{0.5f, 4, 1.5f, 8},
         [](FileTensor& t) {
             t.channelScales = kScales;
             t.channelDimension = 1;
         }},
        {TensorType::INT8, kFour, std::nullopt,
         [](FileTensor& t) {
             t.channelScales = kScales;
             t.channelDimension = -1;
         }},
        {TensorType::INT8, kFour, std::nullopt,
         [](FileTensor& t) {
             t.channelScales = kScales;
             t.channelDimension = 2;
         }},
        {TensorType::INT8, kFour, std::nullopt,
         [](FileTensor& t) {
             t.channelScales = kScales;
             t.dimensions = {4, 1};
         }},
        {TensorType::INT8, Bytes{1, 2}, std::nullopt,
         [](FileTensor& t) {
             t.channelScales = kScales;
             t.dimensions = {2, 0};
         }},
        {TensorType::INT8, kFour, std::nullopt,
         [](FileTensor& t) {
             t.channelScales = kScales;
             t.hasChannelZeroPoint = true;
         }},
};

TEST(TfliteConstants, AreReadAsFloats) {
    for (const FloatRow& row : kFloats) {
        FileTensor tensor{.type = row.type, .dimensions = {2, 2}, .scale = 0.25f};
        if (row.change) row.change(tensor);
        EXPECT_EQ(floatsOf(tensor, row.data), row.floats)
                << EnumNameTensorType(row.type) << " " << (&row - kFloats);
    }
}

TEST(TfliteConstants, AreReadAsIntegersOf32Bits) {
    const std::vector<uint8_t> one{1, 0, 0, 0, 0, 0, 0, 0}, large{0, 0, 0, 0, 1, 0, 0, 0};
    EXPECT_THAT(intsOf(TensorType::INT32, one), Optional(ElementsAre(1, 0)));
    EXPECT_THAT(intsOf(TensorType::INT64, one), Optional(ElementsAre(1)));
    EXPECT_EQ(intsOf(TensorType::INT64, large), std::nullopt);
    EXPECT_EQ(intsOf(TensorType::INT16, one), std::nullopt);
}

// ---- sparse constants

template <class Vector, class Value>
SparseIndexVectorUnion listOf(const std::vector<Value>& values) {
    Vector made;
    made.values.assign(values.begin(), values.end());
    SparseIndexVectorUnion list;
    list.Set(std::move(made));
    return list;
}

std::unique_ptr<DimensionMetadataT> levelOf(int32_t size) {
    auto made = std::make_unique<DimensionMetadataT>();
    made->format = DimensionType::DENSE;
    made->dense_size = size;
    return made;
}

template <class Vector = Int32VectorT>
std::unique_ptr<DimensionMetadataT> sparseOf(const std::vector<int>& segments,
                                             const std::vector<int>& indices) {
    auto made = std::make_unique<DimensionMetadataT>();
    made->format = DimensionType::SPARSE_CSR;
    made->array_segments = listOf<Vector>(segments);
    made->array_indices = listOf<Vector>(indices);
    return made;
}

struct SparseRow {
    const char* name;
    std::function<void(SparsityParametersT&, FileTensor&)> change;
    bool isRead = false;
};

// From [0 5 0 0; 6 0 0 7].
const SparseRow kSparse[] = {
        {"as it is", [](auto&, auto&) {}, true},
        {"indexes of 16 bits",
         [](auto& s, auto&) {
             s.dim_metadata[1] = sparseOf<Uint16VectorT>({0, 1, 3}, {1, 0, 3});
         },
         true},
        {"indexes of 8 bits",
         [](auto& s, auto&) {
             s.dim_metadata[1] = sparseOf<Uint8VectorT>({0, 1, 3}, {1, 0, 3});
         },
         true},
        {"no order", [](auto& s, auto&) { s.traversal_order.clear(); }},
        {"no dimensions", [](auto& s, auto&) { s.dim_metadata.clear(); }},
        {"a level too few",
         [](auto& s, auto&) {
             s.traversal_order.pop_back();
             s.dim_metadata.pop_back();
         }},
        {"more blocks than dimensions",
         [](auto& s, auto&) {
             s.block_map = {0, 0, 0};
             for (int i = 2; i < 5; ++i) {
                 s.traversal_order.push_back(i);
                 s.dim_metadata.push_back(levelOf(1));
             }
         }},
        {"a dimension below 0", [](auto& s, auto&) { s.traversal_order[0] = -1; }},
        {"a dimension that is not there", [](auto& s, auto&) { s.traversal_order[0] = 2; }},
        {"a dimension twice", [](auto& s, auto&) { s.traversal_order[1] = 0; }},
        {"another size", [](auto& s, auto&) { s.dim_metadata[0]->dense_size = 3; }},
        {"values that end early", [](auto&, auto& t) { t.data = t.data.first(2); }},
        {"no segments", [](auto& s, auto&) { s.dim_metadata[1]->array_segments.Reset(); }},
        {"no indexes", [](auto& s, auto&) { s.dim_metadata[1]->array_indices.Reset(); }},
        {"a segment too few",
         [](auto& s, auto&) {
             s.dim_metadata[1] = sparseOf({0, 1}, {1, 0, 3});
         }},
        {"segments that descend",
         [](auto& s, auto&) {
             s.dim_metadata[1] = sparseOf({1, 0, 3}, {1, 0, 3});
         }},
        {"an index too few",
         [](auto& s, auto&) {
             s.dim_metadata[1] = sparseOf({0, 1, 3}, {1, 0});
         }},
        {"an index twice",
         [](auto& s, auto&) {
             s.dim_metadata[1] = sparseOf({0, 1, 3}, {1, 0, 0});
         }},
        {"an index beyond the dimension",
         [](auto& s, auto&) {
             s.dim_metadata[1] = sparseOf({0, 1, 3}, {1, 0, 4});
         }},
        {"an index below 0",
         [](auto& s, auto&) {
             s.dim_metadata[1] = sparseOf({0, 1, 3}, {-1, 0, 3});
         }},
        {"a size that is not known", [](auto&, auto& t) { t.hasUnknownDimension = true; }},
        {"a size that no memory has",
         [](auto&, auto& t) {
             t.dimensions = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
         }},
        {"no elements",
         [](auto&, auto& t) {
             t.dimensions = {0, 4};
         }},
};

// Of a tensor of [2, 4], with a buffer that the parameters lie in.
Result<std::vector<uint8_t>> dense(const SparsityParametersT& parameters, FileTensor tensor) {
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(SparsityParameters::Pack(builder, &parameters));
    tensor.sparsity = flatbuffers::GetRoot<SparsityParameters>(builder.GetBufferPointer());
    return denseOf(tensor);
}

TEST(TfliteConstants, AreReadWhereTheyAreSparse) {
    const uint8_t values[] = {5, 6, 7};
    for (const SparseRow& row : kSparse) {
        SparsityParametersT parameters;
        parameters.traversal_order = {0, 1};
        parameters.dim_metadata.push_back(levelOf(2));
        parameters.dim_metadata.push_back(sparseOf({0, 1, 3}, {1, 0, 3}));
        FileTensor tensor{.type = TensorType::INT8, .dimensions = {2, 4}, .data = values};
        row.change(parameters, tensor);
        const auto all = dense(parameters, tensor);
        ASSERT_EQ(all.ok(), row.isRead) << row.name;
        if (!row.isRead) continue;
        EXPECT_THAT(*all, ElementsAre(0, 5, 0, 0, 6, 0, 0, 7)) << row.name;
    }
}

TEST(TfliteConstants, MayHaveRowsOfZeros) {
    const uint8_t values[] = {5, 6, 7};
    SparsityParametersT parameters;
    parameters.traversal_order = {0, 1};
    parameters.dim_metadata.push_back(levelOf(2));
    parameters.dim_metadata.push_back(sparseOf({0, 0, 3}, {0, 1, 3}));
    const auto all =
            dense(parameters, {.type = TensorType::INT8, .dimensions = {2, 4}, .data = values});
    ASSERT_TRUE(all.ok()) << all.status();
    EXPECT_THAT(*all, ElementsAre(0, 0, 0, 0, 5, 6, 0, 7));
}

TEST(TfliteConstants, AreReadInBlocks) {
    const uint8_t values[] = {1, 2, 3, 4};
    struct Row {
        int32_t of, size;
        const char* refusal;
    };
    for (const Row& row :
         {Row{1, 2, ""}, Row{-1, 2, "has indexes that do not fit it"},
          Row{2, 2, "has indexes that do not fit it"}, Row{1, 0, "has indexes that do not fit it"},
          Row{1, 3, "has indexes that do not fit it"}}) {
        SparsityParametersT parameters;
        parameters.traversal_order = {0, 1, 2};
        parameters.block_map = {row.of};
        parameters.dim_metadata.push_back(levelOf(2));
        parameters.dim_metadata.push_back(sparseOf({0, 1, 2}, {0, 1}));
        parameters.dim_metadata.push_back(levelOf(row.size));
        const auto all =
                dense(parameters, {.type = TensorType::INT8, .dimensions = {2, 4}, .data = values});
        EXPECT_EQ(all.ok() ? "" : messageOf(all.status()), row.refusal) << row.of << row.size;
        if (!all.ok()) continue;
        EXPECT_THAT(*all, ElementsAre(1, 2, 0, 0, 0, 0, 3, 4));
    }
}

}  // namespace
}  // namespace nn::tflite::constants_test
