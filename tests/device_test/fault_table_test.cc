// The table of docs/test_device.md: the fault of each row, what `nnapi test-device` finds it by,
// and how it calls that; and public devices with faults as clients see them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <thread>

#include "device_test/program.h"
#include "nnapi/device_test/faulty_device.h"
#include "nnapi/device_test/faulty_driver.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/resilient.h"
#include "nnapi/driver/wrap.h"

namespace nn::device_table_test {
namespace {

using device_test_test::Ran;
using device_test_test::runProgram;
using nn::testing::DeviceFault;
using nn::testing::DeviceFaultInfo;
using nn::testing::DeviceFaults;
using nn::testing::deviceFaults;
using nn::testing::faultyDevice;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Row {
    std::string fault, what, name, outcome;
};

// "| `FAULT` | what it does | `name/of/case` | OUTCOME |"; "any" is an empty name.
std::vector<Row> rowsOfDocs() {
    std::vector<Row> rows;
    std::ifstream file(std::string(NNAPI_DOCS) + "/test_device.md");
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> cells;
        for (size_t at = 0, end; (end = line.find('|', at)) != std::string::npos; at = end + 1) {
            const size_t first = line.find_first_not_of(" `", at);
            const size_t last = line.find_last_not_of(" `", end - 1);
            cells.push_back(first < end ? line.substr(first, last - first + 1) : "");
        }
        // The part before the first line is empty. Names of other tables are no faults.
        if (!line.starts_with("| `") || cells.size() != 5) continue;
        rows.push_back({cells[1], cells[2], cells[3] == "any" ? "" : cells[3], cells[4]});
    }
    return rows;
}

// Rules faulty.faults and device_test.processes: all rows, and nothing else.
TEST(FaultTable, HasEachFault) {
    const std::vector<Row> rows = rowsOfDocs();
    ASSERT_EQ(rows.size(), deviceFaults().size());
    for (size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].fault, deviceFaults()[i].name);
        EXPECT_EQ(rows[i].what, deviceFaults()[i].what);
    }
}

// Rules faulty.faults and device_test.processes: the program tests a device with each fault, in
// processes of its own.
TEST(FaultTable, TestDeviceFindsEachFault) {
    for (const Row& row : rowsOfDocs()) {
        const int patience = row.outcome == "HANG" ? 600 : 8000;
        const std::string name = row.name.empty() ? "basics/name" : row.name;
        const Ran ran = runProgram(
                fmt::format("--device faulty:{} --json --timeout {} --jobs 1 --filter {}",
                            row.fault, patience, name));
        if (row.outcome == "exit code 2") {
            EXPECT_EQ(ran.code, 2) << row.fault;
            EXPECT_EQ(ran.output, "") << row.fault;
            continue;
        }
        const bool isBad = row.outcome != "not supported";
        std::string outcome = row.outcome == "not supported" ? "notSupported" : row.outcome;
        if (isBad) {
            for (char& c : outcome) c = static_cast<char>(std::tolower(c));
        }
        EXPECT_EQ(ran.code, isBad ? 1 : 0) << row.fault;
        EXPECT_THAT(ran.output, HasSubstr(fmt::format("\"name\":\"{}\"", name))) << row.fault;
        EXPECT_THAT(ran.output, HasSubstr(fmt::format("\"outcome\":\"{}\"", outcome)))
                << row.fault << "\n"
                << ran.output;
    }
}

TEST(FaultTable, FindsNothingWithoutAFault) {
    std::set<std::string> names;
    for (const Row& row : rowsOfDocs()) names.insert(row.name);
    std::string filter;
    for (const std::string& name : names) {
        if (!name.empty()) filter += " --filter " + name;
    }
    // A HAL version, so that there are cases of its protocol.
    const Ran ran = runProgram("--device faulty:NONE@1.3" + filter);
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(fmt::format("{} ", names.size() - 1)));  // but "any"
}

// Every device can have faults, and every HAL version carries them.
TEST(FaultyDevices, AsCommandLinesNameThem) {
    const struct {
        const char* device;
        const char* line;
    } kRows[] = {
            {"faulty:CANNOT_WAIT:nnapi-sample_quant",
             "FAILURE basics/wait: wait: GENERAL_FAILURE: no patience"},
            {"faulty:CANNOT_WAIT,THROWS",
             "FAILURE basics/wait: wait: GENERAL_FAILURE: no patience"},
            {"faulty:DIES_IN_PREPARE@1.2", "prepareModel"},
            {"faulty:DIES_IN_PREPARE:nnapi-reference@1.3", "prepareModel"},
    };
    for (const auto& row : kRows) {
        const Ran ran = runProgram(
                fmt::format("--device {} --filter basics/wait --filter basics/stable", row.device));
        EXPECT_EQ(ran.code, 1) << row.device;
        EXPECT_THAT(ran.output, HasSubstr(row.line)) << row.device;
    }
    for (const char* odd : {"faulty:", "faulty:NOBODY", "faulty:THROWS,", "faulty:THROWS:nobody",
                            "faulty:THROWS@1.4"}) {
        EXPECT_EQ(runProgram(fmt::format("--device {}", odd)).code, 2) << odd;
    }
}

// ---- as clients use them

Model relu() {
    const Operand tensor{.type = OperandType::TENSOR_FLOAT32, .dimensions = {2}};
    Model model;
    model.main.operands = {tensor, tensor};
    model.main.operands[0].lifetime = Operand::LifeTime::SUBGRAPH_INPUT;
    model.main.operands[1].lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT;
    model.main.operations = {{.type = OperationType::RELU, .inputs = {0}, .outputs = {1}}};
    model.main.inputIndexes = {0};
    model.main.outputIndexes = {1};
    return model;
}

// One execution, whose arguments are pointers.
struct Client {
    float x[2] = {1, -1};
    float y[2] = {7, 7};

    Request request() {
        const auto to = [](float* values) {
            return Request::Argument{
                    .lifetime = Request::Argument::LifeTime::POINTER,
                    .location = {.pointer = static_cast<void*>(values), .length = 8}};
        };
        return {.inputs = {to(x)}, .outputs = {to(y)}};
    }
    ExecutionResult<Executed> execute(const IPreparedModel& prepared) {
        return prepared.execute(request(), MeasureTiming::NO, {}, {}, {}, {});
    }
};

GeneralResult<SharedPreparedModel> prepare(const IDevice& device) {
    return device.prepareModel(relu(), ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, {}, {},
                               {}, {}, {});
}

// Rule faulty.faults: switches apply from the next call on, to all copies.
TEST(FaultyDevices, AreSwitchedOnAndOff) {
    const DeviceFaults faults;
    const SharedDevice device = faultyDevice(referenceDevice(), faults).value();
    const SharedPreparedModel prepared = prepare(*device).value();
    Client client;
    EXPECT_TRUE(client.execute(*prepared).has_value());
    EXPECT_EQ(client.y[0], 1);

    faults.turnOn(DeviceFault::WRONG_VALUES);
    EXPECT_TRUE(client.execute(*prepared).has_value());
    EXPECT_NE(client.y[0], 1);
    faults.turnOn(DeviceFault::DIES_IN_EXECUTE);
    EXPECT_EQ(client.execute(*prepared).error().code, ErrorStatus::DEAD_OBJECT);
    faults.turnOff(DeviceFault::WRONG_VALUES);
    faults.turnOff(DeviceFault::DIES_IN_EXECUTE);
    EXPECT_TRUE(client.execute(*prepared).has_value());
    EXPECT_EQ(client.y[0], 1);
}

TEST(FaultyDevices, HangsEndWithTheirSwitch) {
    const DeviceFaults faults{DeviceFault::HANGS_IN_EXECUTE};
    const SharedPreparedModel prepared =
            prepare(*faultyDevice(referenceDevice(), faults).value()).value();
    std::atomic<bool> hasEnded = false;
    ErrorStatus code = ErrorStatus::NONE;
    std::thread thread([&] {
        code = Client().execute(*prepared).error().code;
        hasEnded = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(hasEnded);
    faults.turnOff(DeviceFault::HANGS_IN_EXECUTE);
    thread.join();
    EXPECT_EQ(code, ErrorStatus::DEAD_OBJECT);
}

// A client that survives the death of its driver.
TEST(FaultyDevices, OfAResilientClient) {
    const DeviceFaults faults;
    int opened = 0;
    const auto device =
            hal::utils::ResilientDevice::create([&](bool) -> GeneralResult<SharedDevice> {
                // The process of the driver is another one.
                faults.turnOff(DeviceFault::IS_DEAD);
                ++opened;
                return faultyDevice(referenceDevice(), faults);
            });
    ASSERT_TRUE(device.has_value());
    faults.turnOn(DeviceFault::IS_DEAD);
    EXPECT_TRUE(prepare(**device).has_value());
    EXPECT_EQ(opened, 2);
}

// Rule faulty.faults, by each version of the HAL: the wrapper uses one notification, and no wait is
// unbounded.
TEST(FaultyDrivers, NotifyTwiceNeverAndNull) {
    const DeviceFaults faults;
    const auto driver =
            nn::testing::faultyDriver(hal::adapter::adapt(referenceDevice()).value(), faults);
    const auto aidl =
            nn::testing::faultyDriver(hal::adapter::adaptAidl(referenceDevice()).value(), faults);
    const auto devicesWith = [&](const WrapOptions& options) {
        return std::vector<SharedDevice>{
                V1_0::utils::Device::create("1.0", driver, options).value(),
                V1_1::utils::Device::create("1.1", driver, options).value(),
                V1_2::utils::Device::create("1.2", driver, options).value(),
                V1_3::utils::Device::create("1.3", driver, options).value(),
                AIDL1::utils::Device::create("AIDL 1", aidl, options).value(),
                AIDL4::utils::Device::create("AIDL 4", aidl, options).value()};
    };
    for (const auto& device : devicesWith({})) {
        EXPECT_TRUE(prepare(*device).has_value());
        const std::string& name = device->getName();
        for (const auto& [fault, isGood] : {std::pair(DeviceFault::NOTIFIES_TWICE, true),
                                            std::pair(DeviceFault::NOTIFIES_NULL, false)}) {
            faults.turnOn(fault);
            const auto prepared = prepare(*device);
            EXPECT_EQ(prepared.has_value(), isGood) << name << toString(fault);
            if (!isGood) {
                EXPECT_EQ(prepared.error().code, ErrorStatus::GENERAL_FAILURE) << name;
            }
            faults.turnOff(fault);
        }
        EXPECT_TRUE(prepare(*device).has_value());
    }
    faults.turnOn(DeviceFault::NOTIFIES_NEVER);
    for (const auto& device : devicesWith({.ceiling = std::chrono::milliseconds(50)})) {
        EXPECT_EQ(prepare(*device).error().code, ErrorStatus::GENERAL_FAILURE) << device->getName();
    }
    EXPECT_EQ(nn::testing::faultyDriver(hidl::sp<V1_3::IDevice>(), faults), nullptr);
    EXPECT_EQ(nn::testing::faultyDriver(std::shared_ptr<aidl_hal::IDevice>(), faults), nullptr);
}

TEST(FaultyDevices, AcceptAnyInput) {
    EXPECT_EQ(faultyDevice(nullptr, {}).error().code, ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(faultyDevice(referenceDevice(), {DeviceFault::CANNOT_OPEN}).error().code,
              ErrorStatus::DEVICE_UNAVAILABLE);
    const auto faults = DeviceFaults::parse("THROWS,WRONG_VALUES");
    ASSERT_TRUE(faults.has_value());
    for (const DeviceFaultInfo& info : deviceFaults()) {
        const bool isOne =
                info.fault == DeviceFault::THROWS || info.fault == DeviceFault::WRONG_VALUES;
        EXPECT_EQ(faults->isOn(info.fault), isOne) << info.name;
        EXPECT_EQ(nn::testing::toString(info.fault), info.name);
        EXPECT_EQ(nn::testing::parseDeviceFault(info.name), info.fault);
    }
    EXPECT_EQ(DeviceFaults::parse("WRONG_VALEUS").error().message,
              "there is no fault WRONG_VALEUS, did you mean WRONG_VALUES?; docs/test_device.md has "
              "all");
    EXPECT_FALSE(DeviceFaults::parse("").has_value());
    const auto odd = static_cast<DeviceFault>(255);
    faults->turnOn(odd);
    EXPECT_FALSE(faults->isOn(odd));
    EXPECT_EQ(nn::testing::toString(odd), "unknown fault");
}

// ---- the device to copy

// Rules device_test.processes and device_test.stress: the plug-in of examples/add_device keeps all
// rules, and reports its missing features.
TEST(Examples, AddDevice) {
    for (const char* as : {"", "@1.3", "@1.2"}) {
        const Ran ran =
                runProgram(fmt::format("--device {}/example_add_plugin.so{} {}", NNAPI_PLUGINS, as,
                                       device_test_test::casesWithNumbersOf("ADD")));
        EXPECT_EQ(ran.code, 0) << as << ran.output;
        EXPECT_THAT(ran.output, ::testing::ContainsRegex("vectors +[45] +- ")) << as << ran.output;
        EXPECT_THAT(ran.output, ::testing::ContainsRegex("concurrency +8 +- ")) << as << ran.output;
    }
}

}  // namespace
}  // namespace nn::device_table_test
