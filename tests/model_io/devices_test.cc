// Device profiles read from text.
#include <gtest/gtest.h>

#include "nnapi/io.h"

namespace nn::devices_test {
namespace {

TEST(Devices, AllFields) {
    const Result<DeviceProfile> device = parseDevice(
            R"(name: "npu" featureLevel: 3 supportsOthers: true strict: true
               operations {
                 type: CONV_2D
                 operands {
                   name: "filter" types: [TENSOR_FLOAT32, TENSOR_FLOAT16] leastRank: 1 mostRank: 4
                   mustBeConstant: true mostDimensions: [0, 5] leastValue: -1 mostValue: 0
                   values: [0.5]
                 }
                 liftedRules: "conv_2d.rank"
               }
               operations { extension { name: "com.example.npu" type: 7 } })",
            Format::TEXT);
    const DeviceProfile expected{
            .name = "npu",
            .version = kVersionFeatureLevel3,
            .supportsOthers = true,
            .isStrict = true,
            .operations = {{.type = OperationType::CONV_2D,
                            .operands = {{.name = "filter",
                                          .types = {OperandType::TENSOR_FLOAT32,
                                                    OperandType::TENSOR_FLOAT16},
                                          .minRank = 1,
                                          .maxRank = 4,
                                          .mustBeConstant = true,
                                          .maxDimensions = {0, 5},
                                          .minValue = -1,
                                          .maxValue = 0,
                                          .values = {0.5}}},
                            .liftedRules = {"conv_2d.rank"}},
                           {.extension = "com.example.npu", .typeWithinExtension = 7}}};
    ASSERT_TRUE(device.ok()) << device.status();
    EXPECT_EQ(*device, expected);
}

TEST(Devices, ReportsErrors) {
    struct Row {
        const char* text;
        const char* message;
    };
    const Row kRows[] = {
            {"", "featureLevel is 0, allowed 1..8"},
            {"featureLevel: 9", "featureLevel is 9, allowed 1..8"},
            {"featureLevel: 1 operations { liftedRules: 'a.b' }",
             "operations[0]: names no operation"},
            {"featureLevel: 1 operations { extension { name: 'a.b' type: 65536 } }",
             "operations[0]: extension.type is 65536, allowed 0..65535"},
            {"featureLevel: 1 operations { extension { type: 5 } }",
             "operations[0]: extension.name is \"\", allowed that of an extension"},
            {"featureLevel: 1\noperations { type: CONV_3D }",
             "2:28: Unknown enumeration value of \"CONV_3D\" for field \"type\""},
    };
    for (const Row& row : kRows) {
        const Result<DeviceProfile> device = parseDevice(row.text, Format::TEXT);
        ASSERT_FALSE(device.ok()) << row.text;
        EXPECT_EQ(std::string(device.status().message()), row.message);
    }
}

TEST(Devices, TheExampleIsRead) {
    const Result<DeviceProfile> device =
            readDevice(NNAPI_SOURCE_DIR "/examples/devices/edge_npu.textproto");
    ASSERT_TRUE(device.ok()) << device.status();
    EXPECT_EQ(device->name, "edge_npu");
    const Result<DeviceProfile> other = readDevice(NNAPI_SOURCE_DIR "/README.md");
    EXPECT_EQ(std::string(other.status().message()), NNAPI_SOURCE_DIR
              "/README.md: extension is \".md\", allowed .pb, .textproto and .json "
              "for a device");
}

}  // namespace
}  // namespace nn::devices_test
