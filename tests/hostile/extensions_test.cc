// Extensions: undeclared prefixes, invalid names.
#include "hostile/hostile_models.h"
#include "nnapi/validate.h"

namespace nn::hostile::extensions_test {
namespace {

void name(Subject& s, std::string text, uint16_t prefix = 1) {
    s.model.extensionNameToPrefix.push_back({.name = std::move(text), .prefix = prefix});
}

// An operation, or an operand, of extension 7.
constexpr auto kOperation = static_cast<OperationType>(7 << 16);
constexpr auto kOperand = static_cast<OperandType>(7 << 16);

// Names belong to the model, whatever its operations.
bool isAdd(const Subject& s) { return s.operation().type == OperationType::ADD; }

#define NNAPI_MODEL(what) \
    [](Subject& s) {      \
        what;             \
        return true;      \
    }

#define NNAPI_NAMES(what)            \
    [](Subject& s) {                 \
        if (!isAdd(s)) return false; \
        what;                        \
        return true;                 \
    }

constexpr Case kCases[] = {
        {"OperationOfNoExtension", NNAPI_MODEL(s.operation().type = kOperation)},
        {"OperationOfAnotherExtension",
         NNAPI_MODEL(name(s, "a.b", 8); s.operation().type = kOperation)},
        {"OperationOfAnUnknownExtension",
         NNAPI_MODEL(name(s, "a.b", 7); s.operation().type = kOperation)},
        {"OperandOfNoExtension", NNAPI_MODEL(s.input(0)->type = kOperand)},
        {"OutputOfNoExtension", NNAPI_MODEL(s.output(0)->type = kOperand)},
        {"PrefixTwice", NNAPI_NAMES(name(s, "a.b"); name(s, "a.c"))},
        {"NameTwice", NNAPI_NAMES(name(s, "a.b", 1); name(s, "a.b", 2))},
        {"Prefix0", NNAPI_NAMES(name(s, "a.b", 0))},
        {"PrefixIsTheLargest", NNAPI_NAMES(name(s, "a.b", UINT16_MAX))},
        {"NameIsEmpty", NNAPI_NAMES(name(s, ""))},
        {"NameIsNotUtf8", NNAPI_NAMES(name(s, "a.\xff\xfe"))},
        {"NameHasAZero", NNAPI_NAMES(name(s, std::string("a.\0b", 4)))},
        {"NameHasNoDot", NNAPI_NAMES(name(s, "ab"))},
        {"NameOf4096Bytes", NNAPI_NAMES(name(s, "a." + std::string(4094, 'b')))},
        {"NameOf10MiB", NNAPI_NAMES(name(s, "a." + std::string(10 << 20, 'b')))},
};

TEST(Hostile, Extensions) { runSection("extensions", kCases); }

#undef NNAPI_MODEL
#undef NNAPI_NAMES

}  // namespace
}  // namespace nn::hostile::extensions_test
