#include "cli/program.h"

int main(int argc, char** argv) { return nn::cli::program(argc, argv); }
