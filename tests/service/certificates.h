// Certificates for tests, made by the openssl program: one set, created once for all tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "nnapi/service/credentials.h"
#include "temporary_folder.h"

namespace nn {

class Certificates {
   public:
    // The authority "ca" signs certificates for "server" and "client", an expired one, those for
    // other hosts, and those with their names in the wrong fields; the authority "other" signs a
    // "stranger".
    Certificates() {
        authority("ca");
        authority("other");
        sign("server", "ca", "DNS:localhost,DNS:127.0.0.1");
        sign("client", "ca", "DNS:client");
        sign("expired", "ca", "DNS:localhost,DNS:127.0.0.1", 0);
        sign("elsewhere", "ca", "DNS:elsewhere");
        sign("addressed", "ca", "IP:127.0.0.1,IP:::1");
        sign("stranger", "other", "DNS:localhost,DNS:127.0.0.1");
        sign("wildcard", "ca", "DNS:*.boards.example,DNS:npu*.test.example");
        sign("digits", "ca", "DNS:*.0.0.1");
        sign("nameless", "ca", "");
        sign("127.0.0.1", "ca", "");
        sign("emailed", "ca", "email:somebody@boards.example");
    }
    static const Certificates& get() {
        static const Certificates all;
        return all;
    }

    std::string path(const std::string& name) const { return mFolder / name; }

    service::Credentials of(const std::string& name, const std::string& authority = "ca") const {
        auto read = service::readCredentials({.certificate = path(name + ".pem"),
                                              .key = path(name + ".key"),
                                              .authorities = path(authority + ".pem")});
        EXPECT_TRUE(read.has_value()) << read.error().message;
        return *read;
    }

   private:
    void authority(const std::string& name) const {
        run("req -x509 " + key(name) + " -days 2 -out " + path(name + ".pem"));
    }
    void sign(const std::string& name, const std::string& authority, const std::string& names,
              int days = 2) const {
        std::ofstream(path("names")) << "basicConstraints=CA:FALSE\n"
                                     << (names.empty() ? "" : "subjectAltName=" + names + "\n");
        run("req " + key(name) + " -out " + path("request"));
        run("x509 -req -in " + path("request") + " -CA " + path(authority + ".pem") + " -CAkey " +
            path(authority + ".key") + " -CAcreateserial -extfile " + path("names") + " -days " +
            std::to_string(days) + " -out " + path(name + ".pem"));
    }
    std::string key(const std::string& name) const {
        return "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=" + name +
               " -keyout " + path(name + ".key");
    }
    static void run(const std::string& arguments) {
        const std::string command = "openssl " + arguments + " 2>/dev/null";
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
    }

    TemporaryFolder mFolder{};
};

}  // namespace nn
