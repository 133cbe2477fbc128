// Extensions of devices: prefixes, types, and access control.
#include "nnapi/driver/type_manager.h"

#include <atomic>
#include <fstream>

#include "driver/fake_driver.h"
#include "driver/models.h"
#include "in_threads.h"
#include "temporary_folder.h"

namespace nn::driver_type_manager_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using enum ErrorStatus;

using Types = std::vector<Extension::OperandTypeInformation>;

const Types kComplexTypes = {{.type = 0, .isTensor = true, .byteSize = 8},
                             {.type = 3, .isTensor = false, .byteSize = 12}};
const Extension kComplex = {.name = "com.example.complex", .operandTypes = kComplexTypes};
const Extension kSparse = {.name = "com.example.sparse", .operandTypes = {}};

TypeManager managerOf(std::vector<std::vector<Extension>> devices) {
    return TypeManager::of(devices);
}

OperandType typeOf(uint32_t prefix, uint32_t type) {
    return static_cast<OperandType>(prefix << 16 | type);
}

// Rule extension.prefixes.
TEST(TypeManager, HandsOutPrefixesInTheOrderOfFirstUse) {
    TypeManager types = managerOf({{kComplex}, {kSparse, kComplex}});
    EXPECT_EQ(types.getExtensionPrefix("com.example.sparse").value(), 1);
    EXPECT_EQ(types.getExtensionPrefix("com.example.complex").value(), 2);
    EXPECT_EQ(types.getExtensionPrefix("com.example.sparse").value(), 1) << "it keeps its own";
    EXPECT_EQ(types.getExtensionOperandType("com.example.complex", 3).value(), typeOf(2, 3));
    EXPECT_EQ(static_cast<uint32_t>(
                      types.getExtensionOperationType("com.example.complex", 0xffff).value()),
              0x2ffffu);
    EXPECT_EQ(types.getExtensionInfo(1).value(), kSparse);
    EXPECT_EQ(types.getExtensionInfo(2).value(), kComplex);
}

// Rule extension.prefixes: 16 bits.
TEST(TypeManager, HandsOutNoMorePrefixesThanThereAre) {
    std::vector<Extension> many;
    for (int i = 0; i < 65536; ++i) many.push_back({.name = "com.e" + std::to_string(i)});
    TypeManager types = managerOf({many});
    for (size_t i = 0; i < 65535; ++i) {
        ASSERT_EQ(types.getExtensionPrefix(many[i].name).value(), i + 1);
    }
    EXPECT_THAT(types.getExtensionPrefix(many[65535].name),
                Refuses(RESOURCE_EXHAUSTED_PERSISTENT,
                        "all 65535 prefixes of extensions are handed out"));
    EXPECT_EQ(types.getExtensionPrefix(many[65534].name).value(), 65535);
    EXPECT_EQ(types.getExtensionInfo(65535)->name, "com.e65534");
}

// Rule extension.conflict.
TEST(TypeManager, DisablesWhatDevicesDescribeDifferently) {
    const auto complex = [](Types types) {
        return Extension{.name = "com.example.complex", .operandTypes = std::move(types)};
    };
    const Extension reversed = complex({kComplexTypes[1], kComplexTypes[0]});
    const struct {
        const char* name;
        std::vector<std::vector<Extension>> devices;
        const char* why;  // empty if the extension is usable
    } kRows[] = {
            {"Equal", {{kComplex}, {kComplex}}, ""},
            {"OtherOrder", {{kComplex}, {reversed}}, ""},
            {"OneDevice", {{kComplex}, {}}, ""},
            {"Size", {{kComplex}, {complex({kComplexTypes[0], {3, false, 13}})}}, "differently"},
            {"Tensor", {{kComplex}, {complex({kComplexTypes[0], {3, true, 12}})}}, "differently"},
            {"Fewer", {{kComplex}, {complex({kComplexTypes[0]})}}, "differently"},
            {"More", {{complex({})}, {kComplex}}, "differently"},
            {"ThirdAgrees", {{kComplex}, {complex({})}, {kComplex}}, "differently"},
            {"TypeTwice", {{complex({kComplexTypes[0], kComplexTypes[0]})}}, "type"},
    };
    for (const auto& row : kRows) {
        TypeManager types = managerOf(row.devices);
        const auto prefix = types.getExtensionPrefix("com.example.complex");
        EXPECT_EQ(prefix.has_value(), *row.why == '\0') << row.name;
        if (prefix.has_value()) {
            EXPECT_THAT(types.getExtensions(), ElementsAre(kComplex)) << row.name;
            EXPECT_THAT(types.getDisabled(), IsEmpty()) << row.name;
            continue;
        }
        EXPECT_THAT(prefix.error().message, HasSubstr(row.why)) << row.name;
        EXPECT_THAT(types.getExtensions(), IsEmpty()) << row.name;
        EXPECT_THAT(types.getDisabled(), ElementsAre(HasSubstr(row.why))) << row.name;
    }
    TypeManager types = managerOf({{kComplex, kSparse}, {complex({})}});
    EXPECT_THAT(types.getExtensionPrefix("com.example.complex"),
                Refuses(INVALID_ARGUMENT,
                        "extension com.example.complex is disabled: devices describe it "
                        "differently"));
    EXPECT_TRUE(types.getExtensionPrefix("com.example.sparse").has_value()) << "no other suffers";
}

// Rule extension.sizes.
TEST(TypeManager, ComputesSizes) {
    TypeManager types = managerOf({{kComplex}});
    ASSERT_EQ(types.getExtensionPrefix("com.example.complex").value(), 1);
    using Dimensions = std::vector<uint32_t>;
    const std::tuple<OperandType, bool, Dimensions, uint64_t> kRows[] = {
            {typeOf(1, 0), true, {2, 3}, 48},
            {typeOf(1, 0), true, {2, 0}, 0},
            {typeOf(1, 0), true, {}, 0},
            {typeOf(1, 3), false, {}, 12},
            {TENSOR_FLOAT32, true, {2, 3}, 24},
            {TENSOR_FLOAT32, true, {}, 0},
            {INT32, false, {}, 4},
            {BOOL, false, {}, 1},
    };
    for (const auto& [type, isTensor, dimensions, size] : kRows) {
        EXPECT_EQ(types.isTensorType(type).value(), isTensor) << toString(type);
        EXPECT_EQ(types.getSizeOfData(type, dimensions).value(), size) << toString(type);
        EXPECT_EQ(types.getSizeOfData({.type = type, .dimensions = dimensions}).value(), size);
    }
    EXPECT_EQ(types.getExtensionOperandTypeInfo(typeOf(1, 3)).value(), kComplexTypes[1]);
}

// Rule extension.sizes.
TEST(TypeManager, RefusesWhatItDoesNotKnow) {
    TypeManager types = managerOf({{kComplex, kSparse}});
    ASSERT_EQ(types.getExtensionPrefix("com.example.complex").value(), 1);
    const std::string known = "; there are com.example.complex, com.example.sparse";
    EXPECT_THAT(types.getExtensionPrefix("com.example.komplex"),
                Refuses(INVALID_ARGUMENT,
                        "no device has extension com.example.komplex, did you "
                        "mean com.example.complex?" +
                                known));
    EXPECT_THAT(types.getExtensionPrefix("\n"),
                Refuses(INVALID_ARGUMENT, "no device has extension \"\\n\"" + known));
    EXPECT_THAT(TypeManager().getExtensionPrefix("com.example.complex"),
                Refuses(INVALID_ARGUMENT,
                        "no device has extension com.example.complex, or any extension"));
    EXPECT_THAT(types.getExtensionOperandType("com.example.sparse", 0),
                Refuses(INVALID_ARGUMENT, "extension com.example.sparse has no type 0"));
    EXPECT_THAT(types.getExtensionInfo(0),
                Refuses(INVALID_ARGUMENT, "prefix 0 was not handed out for an extension"));
    EXPECT_THAT(types.getExtensionInfo(2),
                Refuses(INVALID_ARGUMENT, "prefix 2 was not handed out for an extension"));
    EXPECT_THAT(types.isTensorType(typeOf(9, 0)),
                Refuses(INVALID_ARGUMENT, "prefix 9 was not handed out for an extension"));
    EXPECT_THAT(types.getSizeOfData(typeOf(1, 1), {}),
                Refuses(INVALID_ARGUMENT, "extension com.example.complex has no type 1"));
    EXPECT_THAT(types.isTensorType(OperandType{777}),
                Refuses(INVALID_ARGUMENT, "there is no operand type 777"));
    EXPECT_EQ(types.getSizeOfData(SUBGRAPH, {}).error().code, INVALID_ARGUMENT);
    EXPECT_EQ(types.getSizeOfData(OperandType::OEM, {}).error().code, INVALID_ARGUMENT);
    const std::vector<uint32_t> huge(3, UINT32_MAX);
    EXPECT_THAT(types.getSizeOfData(typeOf(1, 0), huge).error().message,
                HasSubstr("does not fit 64 bits"));
    EXPECT_THAT(types.getSizeOfData(TENSOR_FLOAT32, huge),
                Refuses(INVALID_ARGUMENT, "the size of TENSOR_FLOAT32 does not fit 64 bits"));
}

TEST(TypeManager, NamesThePrefixesOfAModel) {
    TypeManager types = managerOf({{kComplex, kSparse}});
    Model model = addition();
    EXPECT_THAT(types.getNamesOfPrefixes(model).value(), IsEmpty());
    const OperandType complex = types.getExtensionOperandType("com.example.complex", 0).value();
    const OperationType pack = types.getExtensionOperationType("com.example.sparse", 7).value();
    model.main.operands[0].type = complex;
    model.referenced = {model.main};
    model.referenced[0].operations[0].type = pack;
    EXPECT_THAT(types.getNamesOfPrefixes(model).value(),
                ElementsAre(ExtensionNameAndPrefix{"com.example.complex", 1},
                            ExtensionNameAndPrefix{"com.example.sparse", 2}));
    model.main.operands[1].type = typeOf(3, 0);
    EXPECT_THAT(types.getNamesOfPrefixes(model),
                Refuses(INVALID_ARGUMENT, "prefix 3 was not handed out for an extension"));
}

// Rule extension.support.
TEST(TypeManager, QueriesDevices) {
    const auto driver = hidl::sp<fake::Device>::make(HalVersion::V1_2);
    driver->extensions = {{.name = "com.example.complex", .operandTypes = {}}};
    const SharedDevice device = wrap("npu", driver).value();
    EXPECT_TRUE(supportsExtension(*device, "com.example.complex"));
    EXPECT_FALSE(supportsExtension(*device, "com.example.compl"));
    EXPECT_FALSE(supportsExtension(*referenceDevice(), "com.example.complex"));
    const std::vector<SharedDevice> devices = {device, nullptr, referenceDevice()};
    TypeManager types(devices);
    EXPECT_EQ(types.getExtensionPrefix("com.example.complex").value(), 1);
}

TEST(TypeManager, ServesManyThreads) {
    TypeManager types = managerOf({{kComplex, kSparse}});
    std::atomic<int> sum{0};
    inThreads(8, [&](int t) {
        const char* name = t % 2 == 0 ? "com.example.complex" : "com.example.sparse";
        const uint16_t prefix = types.getExtensionPrefix(name).value();
        for (int i = 0; i < 1000; ++i) {
            EXPECT_EQ(types.getExtensionPrefix(name).value(), prefix);
            EXPECT_EQ(types.getExtensionInfo(prefix)->name, name);
        }
        sum += prefix;
    });
    EXPECT_EQ(sum, 4 * (1 + 2));
}

// ---- access control of extensions

// Rules extension.permitted_programs and extension.allowlist.
TEST(ExtensionPolicy, AllowsByPlace) {
    const auto at = [](const char* path) { return ExtensionClient{.binaryPath = path}; };
    const auto app = [](bool system, bool vendor, bool product) {
        return ExtensionClient{.packageName = "com.example.app",
                               .isSystemApp = system,
                               .isOnVendorImage = vendor,
                               .isOnProductImage = product};
    };
    const struct {
        const char* name;
        ExtensionClient client;
        bool allowed;           // at level 31, with an empty list
        bool allowedByEntry;    // at level 30, with all of these listed
        bool allowedOnProduct;  // at level 31, without /product
    } kRows[] = {
            {"Vendor", at("/vendor/bin/x"), true, true, true},
            {"Odm", at("/odm/bin/x"), true, true, true},
            {"Data", at("/data/local/tmp/x"), true, true, true},
            {"Product", at("/product/bin/x"), true, true, false},
            {"System", at("/system/bin/x"), false, false, false},
            {"SystemVendor", at("/system/vendor/bin/x"), false, false, false},
            {"FolderItself", at("/vendor/"), false, false, false},
            {"Beside", at("/vendors/x"), false, false, false},
            {"UpAgain", at("/vendor/../system/bin/x"), false, false, false},
            {"UpAtTheEnd", at("/vendor/bin/.."), false, false, false},
            {"Dots", at("/vendor/bin/..x"), true, true, true},
            {"Relative", at("vendor/bin/x"), false, false, false},
            {"Nothing", at(""), false, false, false},
            {"App", app(false, false, false), true, true, true},
            {"AppOnProduct", app(false, false, true), true, true, true},
            {"SystemApp", app(true, false, false), false, false, false},
            {"SystemAppOfVendor", app(true, true, false), false, true, false},
            {"SystemAppOnProduct", app(true, false, true), false, true, false},
    };
    for (const auto& row : kRows) {
        const std::vector<std::string> listed = {row.client.binaryPath, row.client.packageName};
        EXPECT_EQ(isExtensionsUseAllowed(row.client, {}), row.allowed) << row.name;
        EXPECT_EQ(isExtensionsUseAllowed(row.client, {.allowlist = listed, .apiLevel = 30}),
                  row.allowedByEntry)
                << row.name;
        EXPECT_FALSE(isExtensionsUseAllowed(row.client, {.apiLevel = 30})) << row.name;
        EXPECT_EQ(isExtensionsUseAllowed(row.client, {.useOnProductImageEnabled = false}),
                  row.allowedOnProduct)
                << row.name;
    }
    EXPECT_FALSE(isExtensionsUseAllowed(
            app(true, false, true),
            {.useOnProductImageEnabled = false, .allowlist = {"com.example.app"}}));
    EXPECT_TRUE(isExtensionsUseAllowed(app(true, true, false), {.allowlist = {"com.example.app"}}));
}

// Rule extension.allowlist.
TEST(ExtensionPolicy, ReadsAllowlists) {
    std::vector<std::string> skipped;
    EXPECT_THAT(
            parseExtensionAllowlist(
                    "/vendor/bin/x\n\n  com.example.app \t\r\nnonsense\n/data\n.\nlast", &skipped),
            ElementsAre("/vendor/bin/x", "com.example.app", "/data", "."));
    EXPECT_THAT(skipped, ElementsAre("nonsense", "last"));
    EXPECT_THAT(parseExtensionAllowlist(""), IsEmpty());
    EXPECT_THAT(parseExtensionAllowlist("\n \n"), IsEmpty());
    EXPECT_THAT(parseExtensionAllowlist("x"), IsEmpty());

    const TemporaryFolder folder;
    const std::string path = folder / "list";
    std::ofstream(path) << "com.example.app\nodd\n";
    skipped.clear();
    EXPECT_THAT(readExtensionAllowlist(path, &skipped).value(), ElementsAre("com.example.app"));
    EXPECT_THAT(skipped, ElementsAre("odd"));
    EXPECT_THAT(readExtensionAllowlist(folder / "missing").value(), IsEmpty());
    EXPECT_THAT(readExtensionAllowlist(folder.path()),
                Refuses(GENERAL_FAILURE,
                        "allowlist " + folder.path().string() + " cannot be read: Is a directory"));
    std::ofstream(path) << std::string((1 << 20) + 1, 'x');
    EXPECT_THAT(readExtensionAllowlist(path),
                Refuses(GENERAL_FAILURE, "allowlist " + path + " is longer than 1048576 bytes"));
}

}  // namespace
}  // namespace nn::driver_type_manager_test
