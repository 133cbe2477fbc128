#include "runtime/check_rows.h"

namespace nn::c_api {
namespace device_rows {
namespace {

// The functions that several rows call.
constexpr auto getExtensionSupport = ANeuralNetworksDevice_getExtensionSupport;
constexpr auto getFeatureLevel = ANeuralNetworksDevice_getFeatureLevel;
constexpr auto getName = ANeuralNetworksDevice_getName;
constexpr auto getType = ANeuralNetworksDevice_getType;
constexpr auto getVersion = ANeuralNetworksDevice_getVersion;

// Not one of the devices; never dereferenced.
ANeuralNetworksDevice* nonsense() { return reinterpret_cast<ANeuralNetworksDevice*>(0x10); }

const FunctionRows kFunctions[] = {
        {"_getRuntimeFeatureLevel",
         {{"is 8", OK,
           [](Fixture&) {
               return ANeuralNetworks_getRuntimeFeatureLevel() == 1000008 ? OK : BAD_DATA;
           }}}},
        {"_getDefaultLoopTimeout",
         {{"is 2 seconds", OK,
           [](Fixture&) {
               return ANeuralNetworks_getDefaultLoopTimeout() == 2'000'000'000 ? OK : BAD_DATA;
           }}}},
        {"_getMaximumLoopTimeout",
         {{"is 15 seconds", OK,
           [](Fixture&) {
               return ANeuralNetworks_getMaximumLoopTimeout() == 15'000'000'000 ? OK : BAD_DATA;
           }}}},
        {"_getDeviceCount",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture&) { return ANeuralNetworks_getDeviceCount(nullptr); }},
          {"two", OK,
           [](Fixture& w) {
               const int code = ANeuralNetworks_getDeviceCount(&w.out.number);
               return w.out.number == 2 ? code : -1;
           }}}},
        {"_getDevice",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture&) { return ANeuralNetworks_getDevice(9, nullptr); }},
          {"too far", BAD_DATA,
           [](Fixture& w) { return ANeuralNetworks_getDevice(2, &w.madeDevice); }},
          {"the last", OK,
           [](Fixture& w) { return ANeuralNetworks_getDevice(1, &w.madeDevice); }}}},
        {"Device_getName",
         {{"no device", UNEXPECTED_NULL, [](Fixture& w) { return getName(nullptr, &w.out.text); }},
          {"no place", UNEXPECTED_NULL, [](Fixture&) { return getName(nonsense(), nullptr); }},
          {"another device", BAD_DATA, [](Fixture& w) { return getName(nonsense(), &w.out.text); }},
          {"npu", OK,
           [](Fixture& w) {
               const int code = getName(w.device(), &w.out.text);
               return std::string_view(w.out.text) == "npu" ? code : -1;
           }}}},
        {"Device_getVersion",
         {{"no device", UNEXPECTED_NULL,
           [](Fixture& w) { return getVersion(nullptr, &w.out.text); }},
          {"no place", UNEXPECTED_NULL, [](Fixture&) { return getVersion(nonsense(), nullptr); }},
          {"another device", BAD_DATA,
           [](Fixture& w) { return getVersion(nonsense(), &w.out.text); }},
          {"of the reference", OK,
           [](Fixture& w) {
               const int code = getVersion(deviceAt(1), &w.out.text);
               return std::string_view(w.out.text) == "UNKNOWN" ? code : -1;
           }}}},
        {"Device_getType",
         {{"no device", UNEXPECTED_NULL, [](Fixture& w) { return getType(nullptr, &w.out.code); }},
          {"no place", UNEXPECTED_NULL, [](Fixture&) { return getType(nonsense(), nullptr); }},
          {"another device", BAD_DATA, [](Fixture& w) { return getType(nonsense(), &w.out.code); }},
          {"a negative one", OP_FAILED,
           [](Fixture& w) {
               useDevices({{.type = DeviceType(-1)}});
               return getType(w.device(), &w.out.code);
           }},
          {"an accelerator", OK,
           [](Fixture& w) {
               const int code = getType(w.device(), &w.out.code);
               return w.out.code == ANEURALNETWORKS_DEVICE_ACCELERATOR ? code : -1;
           }}}},
        {"Device_getFeatureLevel",
         {{"no device", UNEXPECTED_NULL,
           [](Fixture& w) { return getFeatureLevel(nullptr, &w.out.level); }},
          {"no place", UNEXPECTED_NULL,
           [](Fixture&) { return getFeatureLevel(nonsense(), nullptr); }},
          {"another device", BAD_DATA,
           [](Fixture& w) { return getFeatureLevel(nonsense(), &w.out.level); }},
          {"of HAL 1.2", OK,
           [](Fixture& w) {
               useDevices({{.featureLevel = kVersionFeatureLevel3}});
               const int code = getFeatureLevel(w.device(), &w.out.level);
               return w.out.level == 29 ? code : -1;
           }}}},
        {"Device_wait",
         {{"no device", UNEXPECTED_NULL,
           [](Fixture&) { return ANeuralNetworksDevice_wait(nullptr); }},
          {"another device", BAD_DATA,
           [](Fixture&) { return ANeuralNetworksDevice_wait(nonsense()); }},
          {"one that is gone", ANEURALNETWORKS_DEAD_OBJECT,
           [](Fixture& w) {
               useDevices({{.onWait = [] { return error(ErrorStatus::DEAD_OBJECT) << "gone"; }}});
               return ANeuralNetworksDevice_wait(w.device());
           }},
          {"one that is there", OK,
           [](Fixture& w) { return ANeuralNetworksDevice_wait(w.device()); }}}},
        {"Device_getExtensionSupport",
         {{"no device", UNEXPECTED_NULL,
           [](Fixture& w) { return getExtensionSupport(nullptr, kExtension, &w.out.flag); }},
          {"no name", UNEXPECTED_NULL,
           [](Fixture& w) { return getExtensionSupport(nonsense(), nullptr, &w.out.flag); }},
          {"no place", UNEXPECTED_NULL,
           [](Fixture&) { return getExtensionSupport(nonsense(), kExtension, nullptr); }},
          {"another device", BAD_DATA,
           [](Fixture& w) { return getExtensionSupport(nonsense(), kExtension, &w.out.flag); }},
          {"it has it", OK,
           [](Fixture& w) {
               const int code = getExtensionSupport(w.device(), kExtension, &w.out.flag);
               return w.out.flag ? code : -1;
           }},
          {"the reference has not", OK,
           [](Fixture& w) {
               w.out.flag = true;
               const int code = getExtensionSupport(deviceAt(1), kExtension, &w.out.flag);
               return w.out.flag ? -1 : code;
           }}}},
};

}  // namespace
}  // namespace device_rows

std::span<const FunctionRows> deviceRows() { return device_rows::kFunctions; }

}  // namespace nn::c_api
