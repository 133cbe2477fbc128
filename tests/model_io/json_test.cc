// The proto3 JSON mapping: every permitted form is read, and every error is reported with its
// position.
#include "model_io/json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model_io/model_equality.h"
#include "nnapi/canonical.pb.h"
#include "nnapi/device.pb.h"
#include "nnapi/io.h"

namespace nn::json_test {
namespace {

// The message as protobuf's own text, or the error.
template <class M>
std::string read(std::string_view json, const Limits& limits = {}) {
    M message;
    const Status status = schema::parseJson("", json, limits, message);
    return status.ok() ? message.ShortDebugString() : messageOf(status);
}

struct Row {
    std::string_view json;
    std::string_view expected;
};

constexpr Row kOperands[] = {
        {R"({})", ""},
        {" \t\r\n{ } \n", ""},

        // Enumerations.
        {R"({"type": "TENSOR_FLOAT32"})", "type: TENSOR_FLOAT32"},
        {R"({"type": 3})", "type: TENSOR_FLOAT32"},
        {R"({"type": 3.0})", "type: TENSOR_FLOAT32"},
        {R"({"type": -77})", "type: -77"},
        {R"({"type": "tensor_float32"})",
         "column 10: type: found \"tensor_float32\", allowed a name or number of "
         "nnapi.OperandType.Code"},
        {R"({"type": "3"})",
         "column 10: type: found \"3\", allowed a name or number of nnapi.OperandType.Code"},
        {R"({"type": "\uABCD"})",
         "column 10: type: found \"\uABCD\", allowed a name or number of "
         "nnapi.OperandType.Code"},
        {R"({"type": 2147483648})",
         "column 10: type: found 2147483648, allowed a name or number of nnapi.OperandType.Code"},

        // Integers.
        {R"({"dimensions": [1, "2", 3.0, 4e0, 0.5e1, "6.0", 4294967295, -0]})",
         "dimensions: 1 dimensions: 2 dimensions: 3 dimensions: 4 dimensions: 5 dimensions: 6 "
         "dimensions: 4294967295 dimensions: 0"},
        {R"({"zeroPoint": -2147483648})", "zeroPoint: -2147483648"},
        {R"({"zeroPoint": 2147483648})",
         "column 15: zeroPoint: found 2147483648, allowed an integer of 32 bits"},
        {R"({"zeroPoint": 1.5})", "column 15: zeroPoint: found 1.5, allowed an integer of 32 bits"},
        {R"({"zeroPoint": 1e400})",
         "column 15: zeroPoint: found 1e400, allowed an integer of 32 bits"},
        {R"({"zeroPoint": " 1"})",
         "column 15: zeroPoint: found \" 1\", allowed an integer of 32 bits"},
        {R"({"zeroPoint": ""})", "column 15: zeroPoint: found \"\", allowed an integer of 32 bits"},
        {R"({"dimensions": [-1]})",
         "column 17: dimensions[0]: found -1, allowed an integer of 32 bits from 0 on"},
        {R"({"dimensions": [1, null]})",
         "column 20: dimensions[1]: found null, allowed an integer of 32 bits from 0 on"},
        {R"({"dimensions": 1})", "column 16: dimensions: found 1, allowed a list"},

        // Floating point.
        {R"({"scale": 0.1})", "scale: 0.1"},
        {R"({"scale": "-1.5e-3"})", "scale: -0.0015"},
        {R"({"scale": "NaN"})", "scale: nan"},
        {R"({"scale": "-Infinity"})", "scale: -inf"},
        {R"({"scale": 3.4028235e38})", "scale: 3.40282347e+38"},
        {R"({"scale": 1e39})",
         "column 11: scale: found 1e39, allowed a number of single precision"},
        {R"({"scale": 1e-400})", ""},
        {R"({"scale": "inf"})",
         "column 11: scale: found \"inf\", allowed a number of single precision"},
        {R"({"scale": NaN})", "column 11: found \"NaN\", allowed a value"},
        {R"({"scale": +1})", "column 11: found \"+1\", allowed a value"},
        {R"({"scale": 01})", "column 11: found \"01\", allowed a value"},
        {R"({"scale": .5})", "column 11: found \".5\", allowed a value"},

        // Bytes, in either alphabet, with and without padding.
        {R"({"value": "+/8="})", R"(value: "\373\377")"},
        {R"({"value": "-_8"})", R"(value: "\373\377")"},
        {R"({"value": ""})", R"(value: "")"},
        {R"({"value": "?"})", "column 11: value: found \"?\", allowed base64 in a string"},
        {R"({"value": 1})", "column 11: value: found 1, allowed base64 in a string"},

        // Fields that are not set, that are set twice, and that are members of a union.
        {R"({"type": null, "dimensions": null, "location": null})", ""},
        {R"({"scale": 1, "scale": 2})", "column 14: scale is given twice, allowed once"},
        {R"({"subgraphIndex": 1, "value": null})", "subgraphIndex: 1"},
        {R"({"subgraphIndex": 1, "value": ""})",
         "column 22: value stands beside another field, allowed one of 'where'"},
        {R"({"location": {"offset": 1}})", "location { offset: 1 }"},
        {R"({"location": {}})", "location { }"},
        {R"({"location": []})", "column 14: location: found a list, allowed an object"},
        {R"({"location": true})", "column 14: location: found true, allowed an object"},
        {R"({"scale": false})",
         "column 11: scale: found false, allowed a number of single precision"},
        {R"({"subgraphIndex": false})",
         "column 19: subgraphIndex: found false, allowed an integer of 32 bits from 0 on"},

        // Names: as in the schema and in lowerCamelCase, with escapes.
        {R"({"zero\u0050oint": 1})", "zeroPoint: 1"},
        {R"({"zero_point": 1})", "column 2: \"zero_point\" is not a field of nnapi.Operand"},

        // All errors, each with its position.
        {"{\"a\": {\"b\": [1, {}]},\n \"scale\": \"x\",\n  \"c\": 1,\n\"type\": \"FLOAT32\"}",
         "1:2: \"a\" is not a field of nnapi.Operand; 2:11: scale: found \"x\", allowed a number "
         "of single precision; 3:3: \"c\" is not a field of nnapi.Operand"},

        // Not JSON.
        {"", "column 1: found the end of the text, allowed an object"},
        {"[{}]", "column 1: found a list, allowed an object"},
        {"{} {}", "column 4: found an object, allowed the end of the text"},
        {"{'type': 1}", "column 2: found \"'type'\", allowed a name in quotes and '}'"},
        {R"({"type": 1,})", "column 12: found '}', allowed a name in quotes"},
        {R"({"dimensions": [1,]})", "column 19: found ']', allowed a value"},
        {R"({"dimensions": [1 2]})", "column 19: found 2, allowed ',' and ']'"},
        {R"({"type" 1})", "column 9: found 1, allowed ':'"},
        {R"({"type": 1 "scale": 1})", "column 12: found \"scale\", allowed ',' and '}'"},
        {R"({"type": 1)", "column 11: found the end of the text, allowed ',' and '}'"},
        {R"({"type": nul})", "column 10: found \"nul\", allowed a value"},
        {R"({"type": "A)", "column 10: a string has no end"},
        {R"({"value": "\q"})", "column 12: a string holds an escape that JSON does not have"},
        {R"({"value": "\ud800"})", "column 12: a string holds an escape that JSON does not have"},
        {R"({"value": "\udc00\udc00"})",
         "column 12: a string holds an escape that JSON does not have"},
        {R"({"value": "\udc00\ud800"})",
         "column 12: a string holds an escape that JSON does not have"},
        {R"({"value": "\ud800\u0041"})",
         "column 12: a string holds an escape that JSON does not have"},
        {R"({"value": "\ud800\uffff"})",
         "column 12: a string holds an escape that JSON does not have"},
        {R"({"value": "\ud800x"})", "column 12: a string holds an escape that JSON does not have"},
        {R"({"value": "\u00zz"})", "column 12: a string holds an escape that JSON does not have"},
        {R"({"value": "\n)", "column 11: a string has no end"},
        {R"({"value": "\)", "column 11: a string has no end"},
        {R"({"scale": 1.})", "column 11: found \"1.\", allowed a value"},
        {R"({"scale": 1e})", "column 11: found \"1e\", allowed a value"},
        {R"({"scale": 1e)", "column 11: found \"1e\", allowed a value"},
        {"{\"value\": \"\n\"}", "1:12: a string holds a control character, allowed as an escape"},
        {"{\"value\": \"\xff\"}", "column 12: found \"\\xff\", allowed UTF-8"},
        {std::string_view("{}\0", 3), "column 3: found \"\\u0000\", allowed the end of the text"},
};

TEST(Json, OfAnOperand) {
    for (const Row& row : kOperands) {
        EXPECT_EQ(read<nnapi::Operand>(row.json), row.expected) << row.json;
    }
}

constexpr Row kDevices[] = {
        {R"({"name": "\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é"})",
         R"(name: "\"\\/\010\014\n\r\t\303\251\360\237\230\200\303\251")"},
        {R"({"name": 1})", "column 10: name: found 1, allowed a string"},
        {R"({"supportsOthers": true})", "supportsOthers: true"},
        {R"({"supports_others": true})",
         "column 2: \"supports_others\" is not a field of nnapi.Device"},
        {R"({"supportsOthers": "true"})",
         "column 20: supportsOthers: found \"true\", allowed true and false"},
        {R"({"operations": [{"operands": [{"values": [0.1, "1e300", "Infinity"]}]}]})",
         "operations { operands { values: 0.1 values: 1e+300 values: inf } }"},
        {R"({"operations": [{"operands": [{"values": [1e400]}]}]})",
         "column 43: operations[0].operands[0].values[0]: found 1e400, allowed a number of double "
         "precision"},
        {R"({"operations": [{"liftedRules": ["a", 1]}]})",
         "column 39: operations[0].liftedRules[1]: found 1, allowed a string"},
        {R"({"operations": [[{}]]})", "column 17: operations[0]: found a list, allowed an object"},
};

TEST(Json, OfADevice) {
    for (const Row& row : kDevices) {
        EXPECT_EQ(read<nnapi::Device>(row.json), row.expected) << row.json;
    }
}

TEST(Json, NumbersOf64BitsAreExact) {
    EXPECT_EQ(read<nnapi::Pool>(R"({"size": "18446744073709551615", "offset": 9007199254740993})"),
              "size: 18446744073709551615 offset: 9007199254740993");
    EXPECT_EQ(
            read<nnapi::Pool>(R"({"size": 18446744073709551616})"),
            "column 10: size: found 18446744073709551616, allowed an integer of 64 bits from 0 on");
    EXPECT_EQ(read<nnapi::Pool>(R"({"size": 18446744073709551615.0})"),
              "column 10: size: found 18446744073709551615.0, allowed an integer of 64 bits from 0 "
              "on");
}

TEST(Json, ReportsSixteenErrorsAndTheirTotal) {
    std::string json = "{";
    for (int i = 0; i < 20; ++i) json += (i == 0 ? "" : ", ") + fmt::format("\"x{}\": 0", i);
    const std::string message = read<nnapi::Operand>(json + "}");
    EXPECT_NE(message.find("\"x15\" is not a field of nnapi.Operand; and 4 more"),
              std::string::npos)
            << message;
    EXPECT_EQ(message.find("\"x16\""), std::string::npos) << message;
}

TEST(Json, QuotesTheBeginOfWhatIsLong) {
    EXPECT_EQ(read<nnapi::Operand>("{\"scale\": \"" + std::string(100, 'x') + "\"}"),
              "column 11: scale: found \"" + std::string(40, 'x') +
                      "\"..., allowed a number of single precision");
}

// Nesting and repetition in a small text are counted before objects are created.
TEST(Json, CountsObjectsAndLists) {
    const auto message = [](const std::string& json, uint64_t allowed) {
        return messageOf(parseModel(json, Format::JSON, {.fileObjects = allowed}).status());
    };
    const std::string model = R"({"main": {"operands": [{"dimensions": []}]}})";
    EXPECT_EQ(message(model, 5), "");
    EXPECT_EQ(message(model, 4), "has 5 objects, allowed 4 [limits.file_objects]");
    EXPECT_EQ(message(R"({"main": {"operands": [[[[]]]]}})", 1000),
              "column 24: main.operands[0]: found a list, allowed an object");
    EXPECT_EQ(message(R"({"main": {"operands": [[[[]]]]}})", 5),
              "has 6 objects, allowed 5 [limits.file_objects]");
    const std::string deep = R"({"main": {"operands": )" + std::string(1000, '[');
    EXPECT_EQ(message(deep, 1000),
              "column 124: found a list, allowed no more than 100 inside each other");

    const auto strings = [](std::string_view text, Format format, uint64_t allowed) {
        return messageOf(parseDevice(text, format, {.fileObjects = allowed}).status());
    };
    const std::string_view json = R"({"featureLevel": 1, "operations": [{"type": 0,
            "liftedRules": ["", "", ""]}]})";
    const std::string_view text = R"(featureLevel: 1 # {{{ "{" '
            operations { type: ADD liftedRules: ['', "{'\"", ''] })";
    EXPECT_EQ(strings(json, Format::JSON, 7), "");
    EXPECT_EQ(strings(json, Format::JSON, 6), "has 7 objects, allowed 6 [limits.file_objects]");
    EXPECT_EQ(strings(text, Format::TEXT, 4), "");
    EXPECT_EQ(strings(text, Format::TEXT, 3), "has 4 objects, allowed 3 [limits.file_objects]");
    const std::string_view bytes("\x10\x01\x22\x08\x08\x00\x22\x00\x22\x00\x22\x00", 12);
    EXPECT_EQ(strings(bytes, Format::BINARY, 4), "");
    EXPECT_EQ(strings(bytes, Format::BINARY, 3), "has 4 objects, allowed 3 [limits.file_objects]");
}

}  // namespace
}  // namespace nn::json_test
