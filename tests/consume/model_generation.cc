#include "nnapi/generate/code.h"
#include "nnapi/generate/generate.h"
#include "relu.h"

using namespace nn;

int main() { return testing::code(relu()).empty() ? 1 : 0; }
