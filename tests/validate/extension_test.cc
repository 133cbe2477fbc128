#include "validate/models.h"

namespace nn::extension_test {
namespace {

constexpr Version V1_0 = kVersionFeatureLevel1, V1_2 = kVersionFeatureLevel3;

TEST(Validate, ExtensionNames) {
    for (const char* name : {"com.example.my_extension", "a.b", "..", "0.9", "z_."}) {
        EXPECT_THAT(validate(Extension{.name = name}), Needs(V1_2)) << name;
    }
    const std::string allowed =
            ", allowed a-z, 0-9, '_' and '.', with a '.' at least "
            "[extension.name]";
    struct {
        std::string name;
        std::string quoted;
    } const kBroken[] = {
            {"", R"("")"},
            {"nodots", R"("nodots")"},
            {"com.Example", R"("com.Example")"},
            {"com.example-x", R"("com.example-x")"},
            {"com.\xff\n\"", R"("com.\xff\n\"")"},
            {std::string(4096, 'A'), '"' + std::string(64, 'A') + R"("... of 4096 bytes)"},
    };
    for (const auto& row : kBroken) {
        EXPECT_THAT(validate(Extension{.name = row.name}),
                    Refuses("name is " + row.quoted + allowed));
        EXPECT_THAT(validate(ExtensionNameAndPrefix{.name = row.name, .prefix = 1}),
                    Refuses("name is " + row.quoted + allowed));
    }
}

TEST(Validate, Extensions) {
    const Extension legal{.name = "a.b",
                          .operandTypes = {{.type = 0, .isTensor = false, .byteSize = 8},
                                           {.type = 1, .isTensor = true, .byteSize = 1}}};
    const Extension other{.name = "a.c"};
    EXPECT_THAT(validate(legal), Needs(V1_2));
    EXPECT_THAT(validate(std::vector<Extension>()), Needs(V1_0));
    EXPECT_THAT(validate(std::vector<Extension>{legal, other}), Needs(V1_2));
    EXPECT_THAT(validate(std::vector<Extension>{legal, other, legal}),
                Refuses("[2]: name is that of element 0, allowed only once "
                        "[extension.unique_name]"));
    Extension broken = legal;
    broken.operandTypes[1].byteSize = 0;
    EXPECT_THAT(validate(broken), Refuses("operandTypes[1]: byteSize is 0, allowed 1 or more "
                                          "[extension.byte_size]"));
    broken = legal;
    broken.operandTypes[1].type = 0;
    EXPECT_THAT(validate(std::vector<Extension>{other, broken}),
                Refuses("[1].operandTypes[1]: type is that of element 0, allowed only once "
                        "[extension.operand_type]"));
}

TEST(Validate, NamesAndPrefixes) {
    using Names = std::vector<ExtensionNameAndPrefix>;
    EXPECT_THAT(validate(Names()), Needs(V1_0));
    EXPECT_THAT(validate(Names{{"a.a", 0}, {"a.b", 1}, {"a.c", 0xFFFF}}), Needs(V1_2));
    EXPECT_THAT(validate(Names{{"a.a", 1}, {"a.a", 2}}),
                Refuses("[1]: name is that of element 0, allowed only once "
                        "[extension.unique_name]"));
    EXPECT_THAT(validate(Names{{"a.a", 1}, {"a.b", 2}, {"a.c", 1}}),
                Refuses("[2]: prefix is that of element 0, allowed only once "
                        "[extension.unique_prefix]"));
}

TEST(Validate, PrefixesNeedBeDeclaredOnlyOnDemand) {
    Model model = extensionModel();
    EXPECT_THAT(validate(model), Needs(V1_2));
    EXPECT_TRUE(validateAll(model, {.requireDeclaredPrefixes = true}).valid());

    model.extensionNameToPrefix[0].prefix = 4;
    EXPECT_THAT(validate(model), Needs(V1_2));
    EXPECT_TRUE(validateAll(model).valid());
    EXPECT_THAT(textsOf(validateAll(model, {.requireDeclaredPrefixes = true}).errors),
                testing::ElementsAre("main.operands[0]: prefix 3 of extension type 0x00030001 "
                                     "is not in extensionNameToPrefix [extension.prefix]",
                                     "main.operations[0]: prefix 3 of extension type 0x00030002 "
                                     "is not in extensionNameToPrefix [extension.prefix]"));

    // By default there is one warning for each prefix.
    EXPECT_THAT(textsOf(validateAll(model).warnings),
                testing::ElementsAre("main.operands[0]: prefix 3 of extension type 0x00030001 is "
                                     "not in extensionNameToPrefix [extension.prefix]"));

    model.extensionNameToPrefix = {{.name = "com.example.test", .prefix = 3},
                                   {.name = "com.example.other", .prefix = 0x8000}};
    EXPECT_THAT(textsOf(validateAll(model).warnings),
                testing::ElementsAre("extensionNameToPrefix[1]: prefix is 32768, the HAL assigns 1 "
                                     "to 32767 [extension.prefix]"));
}

}  // namespace
}  // namespace nn::extension_test
