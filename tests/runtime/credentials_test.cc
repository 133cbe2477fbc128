// Devices on other machines, with the credentials from the configuration.
#ifdef NNAPI_HAS_SERVICE
#include <fstream>

#include "nnapi/service/server.h"
#include "runtime/c_api_objects.h"
#include "runtime/devices/configuration.h"
#include "service/certificates.h"

namespace nn::c_api::credentials_test {
namespace {

using testing::HasSubstr;

// Starts a runtime with this configuration file and returns its output on standard error.
std::string useConfiguration(const std::string& lines) {
    const TemporaryFolder folder;
    const std::string file = folder / "devices";
    std::ofstream(file) << lines;
    testing::internal::CaptureStderr();
    runtime::setRuntime(runtime::Runtime::create(runtime::readConfiguration([&](const char* name) {
        return std::string_view(name) == "NNAPI_CONFIG" ? file.c_str() : nullptr;
    })));
    return testing::internal::GetCapturedStderr();
}

std::string credentials(const char* name, const char* authority) {
    const auto path = [](const std::string& file) { return Certificates::get().path(file); };
    return "tls-cert " + path(std::string(name) + ".pem") + "\ntls-key " +
           path(std::string(name) + ".key") + "\ntls-ca " + path(std::string(authority) + ".pem") +
           "\n";
}

class Credentials : public testing::Test {
   protected:
    void SetUp() override {
        auto made =
                service::serve({referenceDevice({.name = "npu", .fencedThreads = 2}),
                                referenceDevice({.name = "dsp"})},
                               "127.0.0.1:0", {.credentials = Certificates::get().of("server")});
        ASSERT_TRUE(made.has_value()) << made.error().message;
        server = *std::move(made);
    }
    void TearDown() override { useDevices({}); }  // before the server ends

    std::string device(const char* name = "") const {
        return "device " + server->address() + name + "\n";
    }
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const auto& each : runtime::runtime().devices()) names.push_back(each->name);
        return names;
    }

    std::unique_ptr<service::Server> server{};
};

TEST_F(Credentials, OfTheConfigurationOpenDevicesOverTls) {
    EXPECT_EQ(useConfiguration(credentials("client", "ca") + device() + device("#dsp")), "");
    EXPECT_THAT(names(), testing::ElementsAre("npu", "dsp", "nnapi-host", "nnapi-reference"));
    const OwnedModel model = addition();
    const OwnedCompilation compilation = compiled(model);  // for the first device
    const OwnedExecution execution = executionOf(compilation);
    Values values;
    values.set(execution);
    EXPECT_EQ(ANeuralNetworksExecution_compute(execution), OK);
    EXPECT_EQ(values.z, Values::kSum);
}

TEST_F(Credentials, ThatAreWrongLeaveTheDeviceOut) {
    const std::string all = credentials("client", "ca");
    const struct {
        const char* name;
        std::string lines;
        const char* why;
    } kRows[] = {
            {"none", device(), "which requires credentials"},
            {"after the device", device() + all, "which requires credentials"},
            {"one is missing", all.substr(0, all.find("tls-ca")) + device(),
             "tls-cert, tls-key and tls-ca go together: tls-ca is missing"},
            {"no such file", all + "tls-key /no/such.key\n" + device(),
             "/no/such.key: No such file or directory"},
            {"another key",
             all + "tls-key " + Certificates::get().path("server.key") + "\n" + device(),
             "the key is not that of the certificate, or is encrypted"},
            {"another authority", credentials("client", "other") + device(),
             "the server's certificate is not signed by an authority of tls-ca"},
            {"unknown to the server", credentials("stranger", "ca") + device(),
             "the server does not know the authority that has signed this client's certificate"},
            {"expired", credentials("expired", "ca") + device(),
             "this client's certificate has expired"},
            {"another host", all + "tls-name elsewhere\n" + device(),
             "the server's certificate does not name this host"},
            {"plain", "insecure-plain-tcp on\n" + device(), "it has ended the connection"},
            {"plain and credentials", all + "insecure-plain-tcp on\n" + device(),
             "there are credentials, which plain TCP does not look at"},
    };
    for (const auto& row : kRows) {
        EXPECT_THAT(useConfiguration(row.lines),
                    testing::AllOf(HasSubstr("device \"" + server->address() + "\": "),
                                   HasSubstr(row.why)))
                << row.name;
        EXPECT_THAT(names(), testing::ElementsAre("nnapi-host", "nnapi-reference")) << row.name;
    }
}

// Waiting again for a silent server would block the first call of an application.
TEST_F(Credentials, AnUnavailableServerIsTriedOnce) {
    const std::string log =
            useConfiguration("device unix:none\ndevice unix:none#npu\ndevice unix:none#npu@1.2\n" +
                             credentials("client", "ca") + device("#dsp"));
    const auto countOf = [&](const std::string& text) {
        size_t count = 0;
        for (size_t at = 0; (at = log.find(text, at)) != std::string::npos; ++at) ++count;
        return count;
    };
    EXPECT_EQ(countOf("No such file or directory"), 1u) << log;
    EXPECT_EQ(countOf("unavailable, as for an earlier device"), 2u) << log;
    EXPECT_THAT(names(), testing::ElementsAre("dsp", "nnapi-host", "nnapi-reference"));
}

}  // namespace
}  // namespace nn::c_api::credentials_test
#endif
