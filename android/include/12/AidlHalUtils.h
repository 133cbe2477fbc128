// AidlHalUtils.h -- performances and types of AIDL, by Android's names.
#pragma once

#include <vector>

#include "AidlHalInterfaces.h"

namespace android::nn {

// An entry for every operand type that is not of an extension, but for SUBGRAPH, sorted by type.
std::vector<aidl_hal::OperandPerformance> nonExtensionOperandPerformance(
        aidl_hal::PerformanceInfo info);

// Sets the entry of a type, which there is.
void update(std::vector<aidl_hal::OperandPerformance>* operandPerformance,
            aidl_hal::OperandType type, aidl_hal::PerformanceInfo info);

bool isExtensionOperandType(aidl_hal::OperandType type);
bool isNonExtensionScalar(aidl_hal::OperandType type);

// The code of a ResultCode, GENERAL_FAILURE for one that there is not, and the reverse.
aidl_hal::ErrorStatus convertResultCodeToAidlErrorStatus(int resultCode);
int convertErrorStatusToResultCode(aidl_hal::ErrorStatus status);

}  // namespace android::nn
