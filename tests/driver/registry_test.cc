// The list of devices, and how they are opened. The numbers are rules on devices.
#include "nnapi/driver/registry.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <atomic>
#include <cfenv>
#include <filesystem>
#include <fstream>
#include <thread>

#include "driver/fake_driver.h"
#include "driver/models.h"
#include "fakes/hooked_device.h"
#include "in_threads.h"
#include "nnapi/driver/plugin.h"
#include "nnapi/driver/sample.h"
#include "temporary_folder.h"

namespace nn::driver_registry_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;
using enum ErrorStatus;

SharedDevice named(std::string name, std::string version = "1") {
    return referenceDevice({.name = std::move(name), .versionString = std::move(version)});
}

DeviceRegistry::Factory opens(SharedDevice device) {
    return [device] { return device; };
}
DeviceRegistry::Factory fails(std::string why) {
    return [why]() -> GeneralResult<SharedDevice> { return error(DEVICE_UNAVAILABLE) << why; };
}

// A device that requires this many cache files.
SharedDevice withFiles(uint32_t model, uint32_t data) {
    return fakes::hooked(named("npu"), {.cacheFiles = {{model, data}}});
}

std::vector<std::string> namesOf(const std::vector<SharedDevice>& devices) {
    std::vector<std::string> names;
    for (const SharedDevice& device : devices) names.push_back(device->getName());
    return names;
}

std::string pathOf(const std::string& plugin) { return NNAPI_PLUGINS "/" + plugin + ".so"; }

// ---- registered devices

// Rules registry.one_name and registry.reference.
TEST(Registry, ListsDevicesInTheirOrderAndTheReferenceLast) {
    DeviceRegistry registry;
    EXPECT_THAT(registry.names(), ElementsAre("nnapi-reference"));
    ASSERT_TRUE(registry.registerDevice("npu", opens(named("npu"))).has_value());
    ASSERT_TRUE(registry.registerDevice(named("gpu")).has_value());
    ASSERT_TRUE(registry.registerDevice(named("npu", "newer")).has_value());
    EXPECT_THAT(registry.names(), ElementsAre("npu", "gpu", "nnapi-reference"));
    EXPECT_THAT(namesOf(registry.devices()), ElementsAre("npu", "gpu", "nnapi-reference"));
    EXPECT_EQ(registry.getDevice("npu").value()->getVersionString(), "1") << "the first wins";
    EXPECT_EQ(registry.getDevice("npu").value(), registry.getDevice("npu").value());
    EXPECT_EQ(DeviceRegistry(registry).names(), registry.names()) << "copies are the same";
    EXPECT_EQ(DeviceRegistry({.reference = {.name = "other", .versionString = "7"}})
                      .getDevice("nnapi-reference")
                      .value()
                      ->getVersionString(),
              "7");
}

// Rule registry.one_name: if a device does not open, the next device with its name is tried.
TEST(Registry, TriesTheNextDeviceOfAName) {
    DeviceRegistry registry;
    bool isThere = false;
    const auto flaky = [&]() -> GeneralResult<SharedDevice> {
        if (!isThere) return error(DEVICE_UNAVAILABLE) << "no board";
        return named("npu", "first");
    };
    const auto first = registry.registerDevice("npu", flaky);
    ASSERT_TRUE(registry.registerDevice("dsp", fails("no firmware")).has_value());

    EXPECT_THAT(registry.getDevice("npu"),
                Refuses(DEVICE_UNAVAILABLE, "device npu does not open: no board"));
    std::vector<Status> refused;
    EXPECT_THAT(namesOf(registry.devices(&refused)), ElementsAre("nnapi-reference"));
    ASSERT_THAT(refused, SizeIs(2));
    EXPECT_EQ(refused[1].message(), "device dsp does not open: no firmware");
    EXPECT_THAT(registry.names(), ElementsAre("npu", "dsp", "nnapi-reference"));

    ASSERT_TRUE(registry.registerDevice("npu", fails("no driver")).has_value());
    EXPECT_THAT(registry.getDevice("npu"),
                Refuses(DEVICE_UNAVAILABLE,
                        "device npu does not open: no board; device npu does not open: no driver"));
    ASSERT_TRUE(registry.registerDevice(named("npu", "third")).has_value());
    EXPECT_EQ(registry.getDevice("npu").value()->getVersionString(), "third");

    isThere = true;
    EXPECT_EQ(registry.getDevice("npu").value()->getVersionString(), "third")
            << "an open device keeps the name";
    EXPECT_TRUE(registry.unregisterDevice(*first));
    EXPECT_EQ(registry.getDevice("npu").value()->getVersionString(), "third");
}

TEST(Registry, RetriesDevicesThatFailedToOpen) {
    DeviceRegistry registry;
    int calls = 0;
    ASSERT_TRUE(registry.registerDevice("npu",
                                        [&]() -> GeneralResult<SharedDevice> {
                                            if (++calls == 1) return error() << "not yet";
                                            return named("npu");
                                        })
                        .has_value());
    EXPECT_FALSE(registry.getDevice("npu").has_value());
    EXPECT_TRUE(registry.getDevice("npu").has_value());
    EXPECT_TRUE(registry.getDevice("npu").has_value());
    EXPECT_EQ(calls, 2);
}

TEST(Registry, ReportsWhyDeviceDoesNotOpen) {
    const struct {
        const char* name;
        DeviceRegistry::Factory factory;
        const char* message;
    } kRows[] = {
            {"Null", opens(nullptr), "device npu does not open: it is null"},
            {"Throws", []() -> GeneralResult<SharedDevice> { throw std::runtime_error("no luck"); },
             "device npu does not open: it has thrown: no luck"},
            {"ThrowsANumber", []() -> GeneralResult<SharedDevice> { throw 7; },
             "device npu does not open: it has thrown what is not a std::exception"},
            {"TooManyCacheFiles", opens(withFiles(33, 0)),
             "device npu does not open: the driver wants 33 files of the model cache, allowed 0 to "
             "32 [cache.number]"},
            {"TooManyDataFiles", opens(withFiles(32, 33)),
             "device npu does not open: the driver wants 33 files of the data cache, allowed 0 to "
             "32 [cache.number]"},
            {"OtherName", opens(named("gpu")), "device npu does not open: it calls itself gpu"},
            {"Lines", []() -> GeneralResult<SharedDevice> { return error() << "one\ntwo"; },
             "device npu does not open: one\\ntwo"},
    };
    for (const auto& row : kRows) {
        DeviceRegistry registry;
        ASSERT_TRUE(registry.registerDevice("npu", row.factory).has_value()) << row.name;
        EXPECT_THAT(registry.getDevice("npu"), Refuses(GENERAL_FAILURE, row.message)) << row.name;
    }
}

TEST(Registry, OpensWithAsManyCacheFilesAsAreAllowed) {
    DeviceRegistry registry;
    ASSERT_TRUE(registry.registerDevice(withFiles(32, 32)).has_value());
    EXPECT_TRUE(registry.getDevice("npu").has_value());
}

TEST(Registry, RefusesToRegister) {
    DeviceRegistry registry;
    EXPECT_THAT(registry.registerDevice(nullptr), Refuses(INVALID_ARGUMENT, "the device is null"));
    EXPECT_THAT(registry.registerDevice("npu", nullptr),
                Refuses(INVALID_ARGUMENT, "the factory is empty"));
    EXPECT_THAT(registry.registerDevice(named("nnapi-reference")),
                Refuses(INVALID_ARGUMENT,
                        "the name of a device is nnapi-reference, which is that of the reference "
                        "device"));
    EXPECT_THAT(
            registry.registerDevice(named("")),
            Refuses(INVALID_ARGUMENT, "the name of a device is \"\", allowed 1 to 128 characters"));
    EXPECT_FALSE(registry.registerDevice(named(std::string(129, 'x'))).has_value());
    EXPECT_TRUE(registry.registerDevice(named(std::string(128, 'x'))).has_value());
    for (const char* name : {"a/b", "a@1.2", "a b", "a\n", "caf\xc3\xa9"}) {
        EXPECT_THAT(registry.registerDevice(name, opens(named(name))).error().message,
                    HasSubstr("allowed visible characters of ASCII without '/' and '@'"));
    }
    EXPECT_THAT(codeOf(registry.registerDriver("npu", hidl::sp<V1_0::IDevice>())),
                INVALID_ARGUMENT);
    EXPECT_THAT(registry.names(), SizeIs(2));
}

TEST(Registry, SuggestsSimilarNames) {
    DeviceRegistry registry;
    EXPECT_THAT(registry.getDevice("npu"),
                Refuses(INVALID_ARGUMENT, "there is no device npu; there is nnapi-reference"));
    ASSERT_TRUE(registry.registerDevice(named("npu")).has_value());
    EXPECT_THAT(registry.getDevice("nnapi-refrence"),
                Refuses(INVALID_ARGUMENT,
                        "there is no device nnapi-refrence, did you mean nnapi-reference?; there "
                        "are npu, nnapi-reference"));
    EXPECT_FALSE(registry.getDevice("").has_value());
    EXPECT_FALSE(registry.getDevice(std::string(100'000, 'x')).has_value());
}

// Rule registry.registration.
TEST(Registry, Unregisters) {
    DeviceRegistry registry;
    const auto npu = registry.registerDevice(named("npu"));
    const SharedDevice device = registry.getDevice("npu").value();
    const std::weak_ptr<const IDevice> watched = device;
    EXPECT_TRUE(registry.unregisterDevice(*npu));
    EXPECT_FALSE(registry.unregisterDevice(*npu));
    EXPECT_FALSE(registry.unregisterDevice(0));
    EXPECT_THAT(registry.names(), ElementsAre("nnapi-reference"));
    EXPECT_FALSE(registry.getDevice("npu").has_value());
    EXPECT_TRUE(prepareOn(*device, addition()).has_value()) << "existing references remain valid";
    EXPECT_EQ(watched.use_count(), 1) << "the registry keeps nothing";
}

// Rule registry.registration.
TEST(Registry, UnregistersADriverThatDies) {
    DeviceRegistry registry;
    const auto driver = hidl::sp<fake::Device>::make(HalVersion::V1_2);
    ASSERT_TRUE(registry.registerDriver("npu", driver).has_value());
    const SharedDevice device = registry.getDevice("npu").value();
    EXPECT_EQ(device->getFeatureLevel(), kVersionFeatureLevel3);
    driver->die();
    EXPECT_THAT(registry.names(), ElementsAre("nnapi-reference"));
    EXPECT_EQ(device->wait().error().code, DEAD_OBJECT);

    const auto next = hidl::sp<fake::Device>::make(HalVersion::V1_3);
    ASSERT_TRUE(registry.registerDriver("npu", next).has_value()) << "when it is back";
    EXPECT_EQ(registry.getDevice("npu").value()->getFeatureLevel(), kVersionFeatureLevel4);
    { const DeviceRegistry gone = std::exchange(registry, DeviceRegistry()); }
    next->die();  // no recipient is left
    EXPECT_FALSE(registry.registerDriver("npu", next).has_value());
}

// ---- filter

// Rule registry.filter.
TEST(NameFilter, MatchesWholeNames) {
    const struct {
        const char* expression;
        const char* name;
        bool matches;
    } kRows[] = {
            {"", "npu", true},          {"npu", "npu", true},        {"npu", "npu2", false},
            {"npu", "my-npu", false},   {"npu.*", "npu2", true},     {"npu|gpu", "gpu", true},
            {"npu|gpu", "gpus", false}, {"[a-z]+", "npu", true},     {"[a-z]+", "npu2", false},
            {"(a*)*b", "aaaa", false},  {"[{]a[}]", "{a}", true},    {"\\{a\\}", "{a}", true},
            {"\\w+", "npu", true},      {"(?!npu).*", "npu", false},
    };
    for (const auto& row : kRows) {
        const auto filter = NameFilter::create(row.expression);
        ASSERT_TRUE(filter.has_value()) << row.expression << ": " << filter.error().message;
        EXPECT_EQ(filter->matches(row.name), row.matches) << row.expression << " " << row.name;
        EXPECT_EQ(filter->expression(), row.expression);
    }
}

TEST(NameFilter, RejectsInvalidExpressions) {
    EXPECT_THAT(NameFilter::create("a{99}"),
                Refuses(INVALID_ARGUMENT,
                        "the expression for names of devices is \"a{99}\", but counts in braces "
                        "are not allowed"));
    EXPECT_THAT(NameFilter::create("(a)\\1"),
                Refuses(INVALID_ARGUMENT,
                        "the expression for names of devices is \"(a)\\\\1\", but back references "
                        "are not allowed"));
    EXPECT_THAT(NameFilter::create("(a").error().message,
                StartsWith("the expression for names of devices is \"(a\", but "));
    EXPECT_THAT(NameFilter::create(std::string(257, 'a')).error().message,
                HasSubstr("it has 257 characters, allowed 256"));
    for (const char* wrong : {"[", "*", "a)", "\\", "[z-a]", "[[:nothing:]]"}) {
        EXPECT_EQ(NameFilter::create(wrong).error().code, INVALID_ARGUMENT) << wrong;
    }
}

TEST(NameFilter, MatchesInLinearTime) {
    const std::string name(128, 'a');
    std::string expression;
    while (expression.size() < 240) expression += "(a*)*";
    const auto filter = NameFilter::create(expression + "b");
    const TimePoint begin = Clock::now();
    EXPECT_FALSE(filter->matches(name));
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
    const auto nested = NameFilter::create(std::string(120, '(') + "a" + std::string(120, ')'));
    EXPECT_TRUE(nested->matches("a"));
}

// Rules registry.reference and registry.filter.
TEST(Registry, ListsOnlyEnabledDevices) {
    DeviceRegistry registry({.enabled = NameFilter::create("n.*u").value()});
    ASSERT_TRUE(registry.registerDevice(named("npu")).has_value());
    ASSERT_TRUE(registry.registerDevice(named("gpu")).has_value());
    EXPECT_THAT(registry.names(), ElementsAre("npu", "nnapi-reference"));
    EXPECT_THAT(namesOf(registry.devices()), ElementsAre("npu", "nnapi-reference"));
    EXPECT_THAT(registry.getDevice("gpu"),
                Refuses(INVALID_ARGUMENT, "device gpu is not among the enabled ones, \"n.*u\""));
    EXPECT_TRUE(registry.getDevice("nnapi-reference").has_value());
    EXPECT_THAT(registry.open(pathOf("example_add_plugin")).error().message,
                "device add is not among the enabled ones, \"n.*u\"");
    EXPECT_THAT(namesOf(DeviceRegistry({.enabled = NameFilter::create("none").value()}).devices()),
                ElementsAre("nnapi-reference"));
}

// ---- plug-ins

struct PluginRow {
    const char* plugin;
    const char* message;  // after "plug-in PATH "
};

TEST(Plugin, IsRefusedWithAReason) {
    const std::string built =
            std::string("', allowed '") + plugin::kFingerprint + "', as this program";
    const std::pair<std::string, std::string> kRows[] = {
            {"nnapi_plugin_no_entry",
             "has no function nnapi_plugin_v1, which NNAPI_EXPORT_DEVICE defines, nor "
             "ANeuralNetworks_getSLDriverImpl"},
            {"nnapi_plugin_throws", "has failed: it has thrown what is not a std::exception"},
            {"nnapi_plugin_null_entry", "has failed: its entry returns null"},
            {"nnapi_plugin_magic", "does not describe itself as a plug-in"},
            {"nnapi_plugin_version", "has version 2 of the interface, allowed 1"},
            {"nnapi_plugin_fingerprint", "was built with 'nnapi 0.0.1, another\\ncompiler" + built},
            {"nnapi_plugin_no_fingerprint", "was built with '" + built},
            {"nnapi_plugin_no_devices", "has 0 devices, allowed 1 to 64"},
            {"nnapi_plugin_too_many_devices", "has 65 devices, allowed 1 to 64"},
            {"nnapi_plugin_no_name", "has no name or no function for device 0"},
            {"nnapi_plugin_wrong_name",
             "has device 0, but the name of a device is \"an npu\", allowed visible characters of "
             "ASCII without '/' and '@'"},
            {"missing", "cannot be opened: No such file or directory"},
    };
    DeviceRegistry registry;
    for (const auto& [plugin, message] : kRows) {
        const std::string path = pathOf(plugin);
        const std::string expected = "plug-in " + path + " " + message;
        EXPECT_THAT(registry.registerPlugin(path), Refuses(INVALID_ARGUMENT, expected));
        EXPECT_THAT(registry.open(path), Refuses(INVALID_ARGUMENT, expected));
    }
    EXPECT_THAT(registry.open(pathOf("nnapi_plugin_unresolved")).error().message,
                AllOf(HasSubstr("cannot be loaded: "), HasSubstr("nnapi_plugin_test_undefined")));
    EXPECT_THAT(registry.names(), ElementsAre("nnapi-reference"));
}

TEST(Plugin, IsAFileOfTheRightKind) {
    const TemporaryFolder folder;
    const auto write = [&](const char* name, std::string_view content) {
        std::string path = folder / name;
        std::ofstream(path, std::ios::binary) << content;
        return path;
    };
    const std::string pipe = folder / "pipe.so";
    std::filesystem::remove(pipe);
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::ifstream good(pathOf("example_add_plugin"), std::ios::binary);
    std::string start(4096, '\0');
    good.read(start.data(), static_cast<std::streamsize>(start.size()));

    DeviceRegistry registry;
    const std::string notElf = " is not a shared object: it does not begin as an ELF file";
    for (const std::string& path :
         {write("empty.so", ""), write("text.so", "hello, world"), write("magic.so", "\177ELF")}) {
        EXPECT_THAT(registry.registerPlugin(path),
                    Refuses(INVALID_ARGUMENT, "plug-in " + path + notElf));
    }
    for (const std::string& path : {folder.path().string(), pipe}) {
        EXPECT_THAT(registry.registerPlugin(path),
                    Refuses(INVALID_ARGUMENT, "plug-in " + path + " is not a file"));
    }
    const std::string cut = write("cut.so", start);
    EXPECT_THAT(registry.registerPlugin(cut),
                Refuses(INVALID_ARGUMENT,
                        "plug-in " + cut +
                                " is cut off: it has 4096 bytes, and its segments end later"));
    start[4] ^= 3;  // 32 bits instead of 64, or the reverse
    const std::string other = write("other.so", start);
    EXPECT_THAT(registry.registerPlugin(other),
                Refuses(INVALID_ARGUMENT,
                        "plug-in " + other + " is not a shared object for this machine"));
    const std::string empty = write("nothing.so", std::string_view(start).substr(0, 64));
    EXPECT_FALSE(registry.registerPlugin(empty).has_value());
    EXPECT_EQ(registry.registerPlugin(std::string("a/b\0c", 5)).error().message,
              "plug-in \"a/b\\u0000c\" has a NUL in its path");
}

TEST(Plugin, LeavesTheFloatEnvironmentAsItIs) {
    const std::string path = pathOf("nnapi_plugin_rounds_up");
    ASSERT_EQ(dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr) << "it would not be loaded";
    DeviceRegistry registry;
    ASSERT_EQ(std::fesetround(FE_DOWNWARD), 0);
    const auto ids = registry.registerPlugin(path);
    const int rounding = std::fegetround();
    std::fesetround(FE_TONEAREST);
    ASSERT_TRUE(ids.has_value()) << ids.error().message;
    EXPECT_EQ(rounding, FE_DOWNWARD);
}

TEST(Plugin, GivesDevices) {
    DeviceRegistry registry;
    const auto ids = registry.registerPlugin(pathOf("nnapi_plugin_odd"));
    ASSERT_TRUE(ids.has_value()) << ids.error().message;
    EXPECT_THAT(*ids, SizeIs(6));
    EXPECT_THAT(registry.names(), ElementsAre("good", "fails", "null", "throws", "throws_a_number",
                                              "other_name", "nnapi-reference"));
    std::vector<Status> refused;
    EXPECT_THAT(namesOf(registry.devices(&refused)), ElementsAre("good", "nnapi-reference"));
    std::vector<std::string> why;
    for (const Status& status : refused) why.emplace_back(status.message());
    EXPECT_THAT(why, ElementsAre("device fails does not open: there is no board",
                                 "device null does not open: it is null",
                                 "device throws does not open: it has thrown: no license found",
                                 "device throws_a_number does not open: it has thrown what is not "
                                 "a std::exception",
                                 "device other_name does not open: it calls itself somebody"));
    EXPECT_EQ(errorStatus(refused[0]), DEVICE_UNAVAILABLE);
    EXPECT_THAT(registry.registerPlugin(pathOf("nnapi_plugin_odd")).value(), SizeIs(6))
            << "twice is no harm";
    EXPECT_THAT(registry.names(), SizeIs(7));
}

// An object of a plug-in is used after everything else of the plug-in has been released.
TEST(Plugin, StaysAsLongAsItsObjects) {
    SharedBurst burst;
    SharedExecution execution;
    Sum sum;
    {
        const SharedDevice device =
                DeviceRegistry().open(pathOf("nnapi_plugin_odd") + ":good").value();
        const SharedPreparedModel model = prepareOn(*device, addition()).value();
        burst = model->configureExecutionBurst().value();
        execution = reusableOn(*model, sum.request()).value();
    }
    EXPECT_TRUE(execution->compute({}).has_value());
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    EXPECT_EQ(executeOn(*burst, {}).error().code, INVALID_ARGUMENT) << "codes cross the boundary";
}

// ---- specs

Status executes(const SharedDevice& device) {
    const auto model = prepareOn(*device, addition());
    if (!model.has_value()) return model;
    const PooledSum sum;
    const auto executed = executeOn(**model, sum.request());
    if (!executed.has_value()) return executed;
    EXPECT_THAT(sum.z(), ElementsAre(11, 22, 33, 44));
    return {};
}

TEST(Registry, OpensSpecs) {
    DeviceRegistry registry;
    ASSERT_TRUE(registry.registerDevice(named("npu:0")).has_value());
    const std::string add = pathOf("example_add_plugin");
    const struct {
        std::string spec;
        std::string name;
        int level;
    } kRows[] = {
            {"nnapi-reference", "nnapi-reference", 8},
            {"nnapi-reference@1.0", "nnapi-reference", 1},
            {"nnapi-reference@1.1", "nnapi-reference", 2},
            {"nnapi-reference@1.2", "nnapi-reference", 3},
            {"nnapi-reference@1.3", "nnapi-reference", 4},
            {"nnapi-reference@aidl1", "nnapi-reference", 5},
            {"nnapi-reference@aidl2", "nnapi-reference", 6},
            {"nnapi-reference@aidl3", "nnapi-reference", 7},
            {"nnapi-reference@aidl4", "nnapi-reference", 8},
            {"npu:0", "npu:0", 8},
            {add, "add", 4},
            {add + ":add", "add", 4},
            {add + "@1.1", "add", 2},
            {add + ":add@1.2", "add", 3},
            {pathOf("nnapi_plugin_odd") + ":good", "good", 8},
    };
    for (const auto& row : kRows) {
        const auto device = registry.open(row.spec);
        ASSERT_TRUE(device.has_value()) << row.spec << ": " << device.error().message;
        EXPECT_EQ((*device)->getName(), row.name) << row.spec;
        EXPECT_EQ(featureLevel((*device)->getFeatureLevel()), row.level) << row.spec;
        const Status status = executes(*device);
        EXPECT_TRUE(status.ok()) << row.spec << ": " << status;
    }
    EXPECT_THAT(registry.names(), ElementsAre("npu:0", "nnapi-reference"))
            << "opening registers nothing";
}

TEST(Registry, RefusesSpecs) {
    const std::string odd = pathOf("nnapi_plugin_odd");
    const std::string all = "; it has good, fails, null, throws, throws_a_number, other_name";
    const std::pair<std::string, std::string> kRows[] = {
            {"", "there is no device \"\"; there is nnapi-reference"},
            {"nnapi-reference@1.4",
             "device nnapi-reference@1.4 is asked for as HAL 1.4, allowed 1.0, 1.1, 1.2, 1.3, "
             "aidl1, aidl2, aidl3, aidl4"},
            {"nnapi-reference@",
             "device nnapi-reference@ is asked for as HAL \"\", allowed 1.0, 1.1, 1.2, 1.3, aidl1, "
             "aidl2, aidl3, aidl4"},
            {"nnapi-reference@aidl5",
             "device nnapi-reference@aidl5 is asked for as HAL aidl5, allowed 1.0, 1.1, 1.2, 1.3, "
             "aidl1, aidl2, aidl3, aidl4"},
            {odd + "@9", "device " + odd +
                                 "@9 is asked for as HAL 9, allowed 1.0, 1.1, 1.2, 1.3, aidl1, "
                                 "aidl2, aidl3, aidl4"},
            {odd, "plug-in " + odd + " has several devices, say which: " + odd + ":good" + all},
            {odd + ":god", "plug-in " + odd + " has no device god, did you mean good?" + all},
            {odd + ":throws", "device throws does not open: it has thrown: no license found"},
            {odd + ":null@1.2", "device null does not open: it is null"},
            {"./lib@2.so", "plug-in ./lib@2.so cannot be opened: No such file or directory"},
    };
    for (const auto& [spec, message] : kRows) {
        EXPECT_EQ(DeviceRegistry().open(spec).error().message, message) << spec;
    }
}

TEST(Registry, KnowsPathsOfPlugins) {
    for (const char* spec : {"./libnpu.so", "/opt/npu", "../lib:one", "a/b@1.2", "./a:b/c"}) {
        EXPECT_TRUE(hasPluginPath(spec)) << spec;
    }
    for (const char* spec : {"npu", "npu:0", "unix:/run/npu", "npu:8000", ""}) {
        EXPECT_FALSE(hasPluginPath(spec)) << spec;
    }
}

// An address opens all devices of its server, in any version; any other spec opens the same device
// as open().
TEST(Registry, OpensAllOfAnAddress) {
    RegistryOptions options{.enabled = NameFilter::create("[a-d]").value()};
    options.addresses = {
            .areThese = [](std::string_view spec) { return spec.starts_with("at:"); },
            .open = [](const std::string&) { return named("a"); },
            .openAll = [](const std::string& spec) -> GeneralResult<std::vector<SharedDevice>> {
                if (spec == "at:nowhere") return error() << "nobody is there";
                if (spec == "at:null") return std::vector<SharedDevice>{named("a"), nullptr};
                return std::vector<SharedDevice>{named("a"),
                                                 named(spec == "at:others" ? "z" : "b")};
            }};
    const auto opened = [](const DeviceRegistry& registry, const std::string& spec) {
        std::string names;
        const auto devices = registry.openAll(spec);
        if (!devices.has_value()) return devices.error().message;
        for (const SharedDevice& device : *devices) {
            names += device->getName() + " " +
                     std::to_string(featureLevel(device->getFeatureLevel())) + " ";
        }
        return names;
    };
    const std::pair<const char*, const char*> kRows[] = {
            {"at:x", "a 8 b 8 "},
            {"at:x@1.2", "a 3 b 3 "},
            {"at:nowhere", "nobody is there"},
            {"at:null", "device \"at:null\" is null"},
            {"at:others", "device z is not among the enabled ones, \"[a-d]\""},
            {"nnapi-reference@1.3", "nnapi-reference 4 "},
    };
    const DeviceRegistry registry(options);
    for (const auto& [spec, expected] : kRows) EXPECT_EQ(opened(registry, spec), expected) << spec;
    options.addresses.openAll = nullptr;
    EXPECT_EQ(opened(DeviceRegistry(options), "at:x"), "a 8 ");
}

TEST(Registry, HasSampleDevicesByTheirNames) {
    DeviceRegistry registry;
    registerSampleDevices(registry);
    std::vector<std::string> expected;
    for (const ReferenceDeviceOptions& each : sampleDevices()) expected.push_back(each.name);
    expected.emplace_back(kReferenceDeviceName);
    EXPECT_EQ(namesOf(registry.devices()), expected);
    for (const std::string& name : expected) {
        for (const HalVersion version : kHalVersions) {
            const auto device = registry.open(name + "@" + std::string(toString(version)));
            EXPECT_TRUE(device.has_value())
                    << name << " " << toString(version) << ": " << device.status();
        }
    }
}

// ---- threads

TEST(Registry, OpensOnceForManyThreads) {
    DeviceRegistry registry;
    std::atomic<int> calls{0};
    ASSERT_TRUE(registry.registerDevice("npu",
                                        [&] {
                                            ++calls;
                                            std::this_thread::sleep_for(
                                                    std::chrono::milliseconds(50));
                                            return named("npu");
                                        })
                        .has_value());
    std::vector<SharedDevice> devices(8);
    inThreads(8, [&](int i) { devices[i] = registry.getDevice("npu").value(); });
    EXPECT_EQ(calls, 1);
    EXPECT_THAT(devices, testing::Each(devices[0]));
}

TEST(Registry, WaitsNoLongerThanAllowedForWhatAsksForItself) {
    DeviceRegistry registry({.openTimeout = std::chrono::milliseconds(20)});
    std::string inner;
    ASSERT_TRUE(registry.registerDevice("npu",
                                        [&]() -> GeneralResult<SharedDevice> {
                                            inner = registry.getDevice("npu").error().message;
                                            return named("npu");
                                        })
                        .has_value());
    EXPECT_TRUE(registry.getDevice("npu").has_value());
    EXPECT_EQ(inner, "device npu is still being opened by another call");
}

TEST(Registry, ServesManyThreads) {
    DeviceRegistry registry;
    inThreads(4, [&](int t) {
        const std::string name = "npu" + std::to_string(t % 2);
        for (int i = 0; i < 100; ++i) {
            const auto id = registry.registerDevice(name, opens(named(name)));
            ASSERT_TRUE(id.has_value());
            EXPECT_EQ(registry.getDevice(name).value()->getName(), name);
            EXPECT_EQ(registry.names().back(), "nnapi-reference");
            EXPECT_EQ(registry.devices().back()->getName(), "nnapi-reference");
            EXPECT_TRUE(registry.unregisterDevice(*id));
        }
    });
    EXPECT_THAT(registry.names(), ElementsAre("nnapi-reference"));
}

}  // namespace
}  // namespace nn::driver_registry_test
