// Names and sockets in the runtime folder of the user.
#include "nnapi/service/runtime_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "service/address.h"

namespace nn::service {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class RuntimeFolder : public testing::Test {
   protected:
    RuntimeFolder() {
        std::string path = testing::TempDir() + "runtimeXXXXXX";
        mParent = mkdtemp(path.data());
        setenv("XDG_RUNTIME_DIR", mParent.c_str(), /*overwrite=*/1);
    }
    ~RuntimeFolder() override {
        unsetenv("XDG_RUNTIME_DIR");
        std::filesystem::remove_all(mParent);
    }

    std::string addressOf(const std::string& name) const {
        return "unix:" + mParent + "/nnapi/" + name;
    }

    std::string mParent{};
};

TEST_F(RuntimeFolder, NamesAreThoseOfDevicesAndFiles) {
    struct Row {
        std::string name;
        bool isAllowed;
    };
    const Row rows[] = {{"npu-1.0_a:b", true},
                        {std::string(128, 'a'), true},
                        {std::string(129, 'a'), false},
                        {"", false},
                        {".", false},
                        {"..", false},
                        {".hidden", false},
                        {"a/b", false},
                        {"a b", false},
                        {"a#b", false},
                        {"a@b", false},
                        {"\x7f", false}};
    for (const auto& [name, isAllowed] : rows) {
        const GeneralResult<std::string> address = addressInRuntimeFolder(name);
        ASSERT_EQ(address.has_value(), isAllowed) << name;
        EXPECT_FALSE(isServiceRunning(name)) << name;
        if (isAllowed) {
            EXPECT_EQ(*address, addressOf(name));
        } else {
            EXPECT_EQ(address.error().code, ErrorStatus::INVALID_ARGUMENT) << name;
        }
    }
    EXPECT_EQ(addressInRuntimeFolder("a#b").error().message,
              "a service cannot be named \"a#b\", allowed without '#', not beginning with '.'");
}

TEST_F(RuntimeFolder, ListsListeningServers) {
    EXPECT_THAT(runningServices(), IsEmpty());
    ASSERT_TRUE(addressInRuntimeFolder("one").has_value());
    const std::string folder = mParent + "/nnapi/";
    const auto one = listenAt({.path = folder + "one"});
    auto two = listenAt({.path = folder + "two"});
    ASSERT_TRUE(one.ok() && two.ok());
    EXPECT_TRUE(isServiceRunning("one"));
    EXPECT_FALSE(isServiceRunning("three"));
    EXPECT_THAT(runningServices(), ElementsAre(addressOf("one"), addressOf("two")));

    *two = UniqueFd();  // its socket file stays, as after a server was killed
    EXPECT_TRUE(std::filesystem::is_socket(folder + "two"));
    EXPECT_FALSE(isServiceRunning("two"));
    EXPECT_THAT(runningServices(), ElementsAre(addressOf("one")));
}

// A socket can exist below a deep folder, because its full path is never passed to the kernel.
TEST_F(RuntimeFolder, PathsThatNoSocketHas) {
    const Address address{.path = mParent + "/" + std::string(108, 'a')};
    EXPECT_FALSE(connectTo(address, Clock::now()).ok());
    EXPECT_FALSE(listenAt(address).ok());
    const std::string deep = mParent + "/" + std::string(100, 'd');
    std::filesystem::create_directories(deep + "/nnapi");
    std::filesystem::permissions(deep + "/nnapi", std::filesystem::perms(0700));
    setenv("XDG_RUNTIME_DIR", deep.c_str(), /*overwrite=*/1);
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(deep + "/nnapi");
    const auto one = listenAt({.path = "one"});
    std::filesystem::current_path(before);
    ASSERT_TRUE(one.ok());
    EXPECT_FALSE(isServiceRunning("one"));
    EXPECT_THAT(runningServices(), IsEmpty());
}

TEST_F(RuntimeFolder, IsAFolderOfThisUser) {
    const auto refusal = [] { return addressInRuntimeFolder("a").error().message; };
    const std::string folder = mParent + "/nnapi";
    std::ofstream(folder) << "a file";
    EXPECT_EQ(refusal(), folder + ": is not a folder");
    std::filesystem::remove(folder);
    ASSERT_TRUE(addressInRuntimeFolder("a").has_value());
    std::ofstream(folder + "/a") << "a file among the sockets";
    EXPECT_THAT(runningServices(), IsEmpty());
    if (chown(folder.c_str(), 4321, 4321) ==
        0) {  // as root can if its user namespace has such a user
        EXPECT_EQ(refusal(), folder + ": belongs to another user");
    }
    setenv("XDG_RUNTIME_DIR", (mParent + "/none").c_str(), /*overwrite=*/1);
    EXPECT_EQ(refusal(), mParent + "/none/nnapi: No such file or directory");
    const std::string otherwise = "/tmp/nnapi-" + std::to_string(geteuid());
    setenv("XDG_RUNTIME_DIR", "relative", /*overwrite=*/1);
    EXPECT_EQ(runtimeFolder(), otherwise);
    unsetenv("XDG_RUNTIME_DIR");
    EXPECT_EQ(runtimeFolder(), otherwise);
}

TEST_F(RuntimeFolder, IsNotUsedIfOwnedByAnotherUser) {
    std::filesystem::create_directory(mParent + "/nnapi");
    std::filesystem::permissions(mParent + "/nnapi", std::filesystem::perms(0770));
    const auto address = addressInRuntimeFolder("a");
    ASSERT_FALSE(address.has_value());
    EXPECT_EQ(address.error().code, ErrorStatus::DEVICE_UNAVAILABLE);
    EXPECT_EQ(address.error().message, mParent + "/nnapi: other users can write to it");
}

}  // namespace
}  // namespace nn::service
