// A server process: ADDRESS PHASE TOLD FILE [CERTIFICATE KEY AUTHORITIES]. It writes its address to
// FILE, then "+" to the descriptor TOLD, and later "!" when its device has stopped in the phase.
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "nnapi/service/server.h"
#include "service/stalling_device.h"

int main(int argc, char** argv) {
    if (argc != 5 && argc != 8) return 2;
    const int told = std::atoi(argv[3]);
    nn::service::ServeOptions options;
    if (argc == 8) {
        auto credentials = nn::service::readCredentials({argv[5], argv[6], argv[7]});
        if (!credentials.has_value()) return 1;
        options.credentials = *std::move(credentials);
    }
    auto server = nn::service::serve(
            {std::make_shared<const nn::StallingDevice>(nn::phaseOf(argv[2]), told)}, argv[1],
            options);
    if (!server.has_value()) return 1;
    std::ofstream(argv[4]) << (*server)->address();
    (void)!write(told, "+", 1);
    while (true) pause();
}
