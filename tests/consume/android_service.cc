#include <hidl/HidlTransportSupport.h>

int main() {
    android::hardware::configureRpcThreadpool(1, /*callerWillJoin=*/true);
    using Device = nn::V1_3::IDevice;
    return Device::getService("nobody-offers-this") == nullptr ? 0 : 1;
}
