// The enumerations of the schemas and those of the headers have the same names and numbers.
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include "model_io/model_equality.h"
#include "nnapi/model_file.pb.h"
#include "nnapi/type_utils.h"

namespace nn::enums_test {
namespace {

using google::protobuf::EnumDescriptor;

// Every name of the schema is that of the header's enumerator.
template <class E>
void expectSameNames(const EnumDescriptor* schema) {
    for (int i = 0; i < schema->value_count(); ++i) {
        const auto* value = schema->value(i);
        EXPECT_EQ(toString(static_cast<E>(value->number())), value->name()) << schema->full_name();
    }
}

// The schema has all enumerators; none is above the highest code or an OEM type.
template <class E>
void expectAllNames(const EnumDescriptor* schema) {
    expectSameNames<E>(schema);
    for (int number = 0; number < 20000; ++number) {
        const bool isNamed = toString(static_cast<E>(number)).find('(') == std::string::npos;
        EXPECT_EQ(schema->FindValueByNumber(number) != nullptr, isNamed)
                << schema->full_name() << " " << toString(static_cast<E>(number));
    }
}

TEST(Enums, AgreeWithTheHeaders) {
    expectAllNames<OperandType>(nnapi::OperandType::Code_descriptor());
    expectAllNames<OperationType>(nnapi::OperationType::Code_descriptor());
    expectSameNames<Operand::LifeTime>(nnapi::OperandLifeTime::Code_descriptor());
    expectAllNames<V1_0::OperandType>(nnapi::v1_0::OperandType::Code_descriptor());
    expectAllNames<V1_0::OperationType>(nnapi::v1_0::OperationType::Code_descriptor());
    expectAllNames<V1_0::OperandLifeTime>(nnapi::v1_0::OperandLifeTime::Code_descriptor());
    expectAllNames<V1_1::OperationType>(nnapi::v1_1::OperationType::Code_descriptor());
    expectAllNames<V1_2::OperandType>(nnapi::v1_2::OperandType::Code_descriptor());
    expectAllNames<V1_2::OperationType>(nnapi::v1_2::OperationType::Code_descriptor());
    expectAllNames<V1_3::OperandType>(nnapi::v1_3::OperandType::Code_descriptor());
    expectAllNames<V1_3::OperationType>(nnapi::v1_3::OperationType::Code_descriptor());
    expectAllNames<V1_3::OperandLifeTime>(nnapi::v1_3::OperandLifeTime::Code_descriptor());
    expectSameNames<aidl_hal::OperandType>(nnapi::aidl::OperandType::Code_descriptor());
    expectSameNames<aidl_hal::OperationType>(nnapi::aidl::OperationType::Code_descriptor());
    expectSameNames<aidl_hal::OperandLifeTime>(nnapi::aidl::OperandLifeTime::Code_descriptor());
}

// A row that a schema does not have yet: the line to write, which scripts/update_docs writes as
// well.
void expectRow(const EnumDescriptor* schema, std::string_view name, int code) {
    const auto* value = schema->FindValueByName(std::string(name));
    EXPECT_TRUE(value != nullptr && value->number() == code)
            << "schemas/" << schema->file()->name() << ": " << schema->containing_type()->name()
            << " has no line\n    " << name << " = " << code << ";";
}

struct Schema {
    HalVersion version;  // the newest version that it has rows of
    const EnumDescriptor* operandTypes;
    const EnumDescriptor* operations;
    bool hasOemTypes = true;
};

TEST(Enums, HaveARowForEachOperationAndOperandType) {
    const Schema kSchemas[] = {
            {HalVersion::V1_0, nnapi::v1_0::OperandType::Code_descriptor(),
             nnapi::v1_0::OperationType::Code_descriptor()},
            {HalVersion::V1_1, nullptr, nnapi::v1_1::OperationType::Code_descriptor()},
            {HalVersion::V1_2, nnapi::v1_2::OperandType::Code_descriptor(),
             nnapi::v1_2::OperationType::Code_descriptor()},
            {HalVersion::V1_3, nnapi::v1_3::OperandType::Code_descriptor(),
             nnapi::v1_3::OperationType::Code_descriptor()},
            {kHalVersions.back(), nnapi::aidl::OperandType::Code_descriptor(),
             nnapi::aidl::OperationType::Code_descriptor(), false},
            {kHalVersions.back(), nnapi::OperandType::Code_descriptor(),
             nnapi::OperationType::Code_descriptor()},
    };
    for (const Schema& schema : kSchemas) {
        const Version version = toVersion(schema.version);
        for (const OperationTypeInfo& row : operationTypes()) {
            if (!isCompliantVersion(row.since, version)) continue;
            if (row.type == OperationType::OEM_OPERATION && !schema.hasOemTypes) continue;
            expectRow(schema.operations, row.name, static_cast<int>(row.type));
        }
        if (schema.operandTypes == nullptr) continue;
        for (const OperandTypeInfo& row : operandTypes()) {
            const bool isOem =
                    row.type == OperandType::OEM || row.type == OperandType::TENSOR_OEM_BYTE;
            if (!isCompliantVersion(row.since, version) || (isOem && !schema.hasOemTypes)) continue;
            expectRow(schema.operandTypes, row.name, static_cast<int>(row.type));
        }
    }
}

}  // namespace
}  // namespace nn::enums_test
