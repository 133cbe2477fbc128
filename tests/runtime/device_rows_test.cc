#include "runtime/check_rows.h"

namespace nn::c_api {
namespace device_rows {
namespace {

// Not one of the devices; never dereferenced.
ANeuralNetworksDevice* nonsense() { return reinterpret_cast<ANeuralNetworksDevice*>(0x10); }

const Row kRows[] = {
        {"_getRuntimeFeatureLevel", "is 8",
         [](Fixture&) {
             return ANeuralNetworks_getRuntimeFeatureLevel() == 1000008 ? OK : BAD_DATA;
         },
         OK},
        {"_getDefaultLoopTimeout", "is 2 seconds",
         [](Fixture&) {
             return ANeuralNetworks_getDefaultLoopTimeout() == 2'000'000'000 ? OK : BAD_DATA;
         },
         OK},
        {"_getMaximumLoopTimeout", "is 15 seconds",
         [](Fixture&) {
             return ANeuralNetworks_getMaximumLoopTimeout() == 15'000'000'000 ? OK : BAD_DATA;
         },
         OK},

        {"_getDeviceCount", "no place",
         [](Fixture&) { return ANeuralNetworks_getDeviceCount(nullptr); }, UNEXPECTED_NULL},
        {"_getDeviceCount", "two",
         [](Fixture& w) {
             const int code = ANeuralNetworks_getDeviceCount(&w.out.number);
             return w.out.number == 2 ? code : -1;
         },
         OK},
        {"_getDevice", "no place", [](Fixture&) { return ANeuralNetworks_getDevice(9, nullptr); },
         UNEXPECTED_NULL},
        {"_getDevice", "too far",
         [](Fixture& w) { return ANeuralNetworks_getDevice(2, &w.madeDevice); }, BAD_DATA},
        {"_getDevice", "the last",
         [](Fixture& w) { return ANeuralNetworks_getDevice(1, &w.madeDevice); }, OK},

        {"Device_getName", "no device",
         [](Fixture& w) { return ANeuralNetworksDevice_getName(nullptr, &w.out.text); },
         UNEXPECTED_NULL},
        {"Device_getName", "no place",
         [](Fixture&) { return ANeuralNetworksDevice_getName(nonsense(), nullptr); },
         UNEXPECTED_NULL},
        {"Device_getName", "another device",
         [](Fixture& w) { return ANeuralNetworksDevice_getName(nonsense(), &w.out.text); },
         BAD_DATA},
        {"Device_getName", "npu",
         [](Fixture& w) {
             const int code = ANeuralNetworksDevice_getName(w.device(), &w.out.text);
             return std::string_view(w.out.text) == "npu" ? code : -1;
         },
         OK},
        {"Device_getVersion", "no device",
         [](Fixture& w) { return ANeuralNetworksDevice_getVersion(nullptr, &w.out.text); },
         UNEXPECTED_NULL},
        {"Device_getVersion", "no place",
         [](Fixture&) { return ANeuralNetworksDevice_getVersion(nonsense(), nullptr); },
         UNEXPECTED_NULL},
        {"Device_getVersion", "another device",
         [](Fixture& w) { return ANeuralNetworksDevice_getVersion(nonsense(), &w.out.text); },
         BAD_DATA},
        {"Device_getVersion", "of the reference",
         [](Fixture& w) {
             const int code = ANeuralNetworksDevice_getVersion(deviceAt(1), &w.out.text);
             return std::string_view(w.out.text) == "UNKNOWN" ? code : -1;
         },
         OK},
        {"Device_getType", "no device",
         [](Fixture& w) { return ANeuralNetworksDevice_getType(nullptr, &w.out.code); },
         UNEXPECTED_NULL},
        {"Device_getType", "no place",
         [](Fixture&) { return ANeuralNetworksDevice_getType(nonsense(), nullptr); },
         UNEXPECTED_NULL},
        {"Device_getType", "another device",
         [](Fixture& w) { return ANeuralNetworksDevice_getType(nonsense(), &w.out.code); },
         BAD_DATA},
        {"Device_getType", "a negative one",
         [](Fixture& w) {
             useDevices({{.type = DeviceType(-1)}});
             return ANeuralNetworksDevice_getType(w.device(), &w.out.code);
         },
         OP_FAILED},
        {"Device_getType", "an accelerator",
         [](Fixture& w) {
             const int code = ANeuralNetworksDevice_getType(w.device(), &w.out.code);
             return w.out.code == ANEURALNETWORKS_DEVICE_ACCELERATOR ? code : -1;
         },
         OK},
        {"Device_getFeatureLevel", "no device",
         [](Fixture& w) { return ANeuralNetworksDevice_getFeatureLevel(nullptr, &w.out.level); },
         UNEXPECTED_NULL},
        {"Device_getFeatureLevel", "no place",
         [](Fixture&) { return ANeuralNetworksDevice_getFeatureLevel(nonsense(), nullptr); },
         UNEXPECTED_NULL},
        {"Device_getFeatureLevel", "another device",
         [](Fixture& w) { return ANeuralNetworksDevice_getFeatureLevel(nonsense(), &w.out.level); },
         BAD_DATA},
        {"Device_getFeatureLevel", "of HAL 1.2",
         [](Fixture& w) {
             useDevices({{.featureLevel = kVersionFeatureLevel3}});
             const int code = ANeuralNetworksDevice_getFeatureLevel(w.device(), &w.out.level);
             return w.out.level == 29 ? code : -1;
         },
         OK},
        {"Device_wait", "no device", [](Fixture&) { return ANeuralNetworksDevice_wait(nullptr); },
         UNEXPECTED_NULL},
        {"Device_wait", "another device",
         [](Fixture&) { return ANeuralNetworksDevice_wait(nonsense()); }, BAD_DATA},
        {"Device_wait", "one that is gone",
         [](Fixture& w) {
             useDevices({{.onWait = [] { return error(ErrorStatus::DEAD_OBJECT) << "gone"; }}});
             return ANeuralNetworksDevice_wait(w.device());
         },
         ANEURALNETWORKS_DEAD_OBJECT},
        {"Device_wait", "one that is there",
         [](Fixture& w) { return ANeuralNetworksDevice_wait(w.device()); }, OK},
        {"Device_getExtensionSupport", "no device",
         [](Fixture& w) {
             return ANeuralNetworksDevice_getExtensionSupport(nullptr, kExtension, &w.out.flag);
         },
         UNEXPECTED_NULL},
        {"Device_getExtensionSupport", "no name",
         [](Fixture& w) {
             return ANeuralNetworksDevice_getExtensionSupport(nonsense(), nullptr, &w.out.flag);
         },
         UNEXPECTED_NULL},
        {"Device_getExtensionSupport", "no place",
         [](Fixture&) {
             return ANeuralNetworksDevice_getExtensionSupport(nonsense(), kExtension, nullptr);
         },
         UNEXPECTED_NULL},
        {"Device_getExtensionSupport", "another device",
         [](Fixture& w) {
             return ANeuralNetworksDevice_getExtensionSupport(nonsense(), kExtension, &w.out.flag);
         },
         BAD_DATA},
        {"Device_getExtensionSupport", "it has it",
         [](Fixture& w) {
             const int code =
                     ANeuralNetworksDevice_getExtensionSupport(w.device(), kExtension, &w.out.flag);
             return w.out.flag ? code : -1;
         },
         OK},
        {"Device_getExtensionSupport", "the reference has not",
         [](Fixture& w) {
             w.out.flag = true;
             const int code = ANeuralNetworksDevice_getExtensionSupport(deviceAt(1), kExtension,
                                                                        &w.out.flag);
             return w.out.flag ? -1 : code;
         },
         OK},
};

}  // namespace
}  // namespace device_rows

std::span<const Row> deviceRows() { return device_rows::kRows; }

}  // namespace nn::c_api
