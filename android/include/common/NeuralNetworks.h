// NeuralNetworks.h -- The C API, by its name in Android's trees.
#pragma once

#include "nnapi/c/NeuralNetworks.h"
