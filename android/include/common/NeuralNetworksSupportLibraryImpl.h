// NeuralNetworksSupportLibraryImpl.h -- the table of a support library.
#pragma once

#include "nnapi/c/NeuralNetworksSupportLibraryImpl.h"
