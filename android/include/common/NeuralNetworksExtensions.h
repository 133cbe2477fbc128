// NeuralNetworksExtensions.h -- The C API's calls for vendor extensions.
#pragma once

#include "nnapi/c/NeuralNetworksExtensions.h"
