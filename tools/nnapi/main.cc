// The program for models.
#include "tools/nnapi/program.h"

int main(int argc, char** argv) { return nn::cli::program(argc, argv); }
