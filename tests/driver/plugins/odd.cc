// A plug-in whose devices behave unusually when they are opened.
#include <stdexcept>

#include "nnapi/driver/plugin.h"
#include "nnapi/driver/reference.h"

using nn::plugin::device;

NNAPI_EXPORT_DEVICES(device("good", [] { return nn::referenceDevice({.name = "good"}); }),
                     device("fails",
                            []() -> nn::GeneralResult<nn::SharedDevice> {
                                return nn::error(nn::ErrorStatus::DEVICE_UNAVAILABLE)
                                       << "there is no board";
                            }),
                     device("null", [] { return nn::SharedDevice(); }),
                     device("throws",
                            []() -> nn::SharedDevice {
                                throw std::runtime_error("no license found");
                            }),
                     device("throws_a_number", []() -> nn::SharedDevice { throw 7; }),
                     device("other_name", [] { return nn::referenceDevice({.name = "somebody"}); }))
