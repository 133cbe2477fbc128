// NeuralNetworksTypes.h -- the types of the C API.
#pragma once

#include "nnapi/c/NeuralNetworksTypes.h"
