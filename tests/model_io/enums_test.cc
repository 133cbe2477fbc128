// The enumerations of the schemas and those of the headers have the same names and numbers.
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include "model_io/model_equality.h"
#include "nnapi/model_file.pb.h"

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

}  // namespace
}  // namespace nn::enums_test
