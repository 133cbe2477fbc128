// SupportLibrarySymbols.h -- ANeuralNetworks_getSLDriverImpl, which a support library exports.
#pragma once

#include "nnapi/c/NeuralNetworksSupportLibraryImpl.h"
