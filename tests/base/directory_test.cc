// Files in folders that other users can access.
#include "base/directory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "temporary_folder.h"

namespace nn::directory_test {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& content) { std::ofstream(path) << content; }
std::string messageOf(const Status& status) { return std::string(status.message()); }

TEST(Directory, OwnFolders) {
    const TemporaryFolder folder;
    const fs::path own = folder / "own";
    fs::create_directory(own);
    fs::create_directory_symlink(own, folder / "link");
    write(folder / "file", "");
    const std::string others = ", in which others may replace files";
    const struct {
        const char* name;
        unsigned mode;
        std::string message;  // empty if it can be opened
    } kRows[] = {
            {"own", 0700, ""},
            {"own", 0755, ""},
            {"own", 0775, ""},  // for the group of this process
            {"own", 0777, "it has mode 0777" + others},
            {"own", 0722, "it has mode 0722" + others},
            {"own", 01777, ""},
            {"own//", 0700, ""},
            {"link", 0700, "it is a link, allowed is a folder"},
            {"link//", 0700, "it is a link, allowed is a folder"},
            {"file", 0700, "Not a directory"},
            {"none", 0700, "No such file or directory"},
    };
    for (const auto& row : kRows) {
        fs::permissions(own, fs::perms(row.mode));
        const std::string path = (folder / row.name).string();
        EXPECT_EQ(messageOf(Directory::openOwn(path).status()), row.message)
                << row.name << " " << std::oct << row.mode;
    }
    EXPECT_TRUE(Directory::open((folder / "link").string()).ok());
    for (const auto& open : {Directory::open, Directory::openOwn}) {
        EXPECT_EQ(messageOf(open("").status()), "No such file or directory");
    }
    EXPECT_EQ(Directory::split("a/b/c"), (std::pair<std::string, std::string>("a/b/", "c")));
    EXPECT_EQ(Directory::split("/c"), (std::pair<std::string, std::string>("/", "c")));
    EXPECT_EQ(Directory::split("c"), (std::pair<std::string, std::string>(".", "c")));
}

TEST(Directory, FoldersAndFilesOfOthers) {
    const TemporaryFolder folder;
    const fs::path path = folder / "given";
    fs::create_directory(path);
    write(path / "file", "theirs");
    if (chown((path / "file").c_str(), 4321, 4321) != 0) {
        GTEST_SKIP() << "files can be given away only by root, and to users that its namespace has";
    }
    EXPECT_EQ(messageOf(Directory::openOwn(path.string())->openFile("file", O_RDONLY).status()),
              "it belongs to user 4321, allowed 0");
    fs::permissions(path, fs::perms(0770));
    ASSERT_EQ(chown(path.c_str(), 0, 4321), 0);
    EXPECT_EQ(messageOf(Directory::openOwn(path.string()).status()),
              "it has mode 0770, in which others may replace files");
    ASSERT_EQ(chown(path.c_str(), 4321, 0), 0);
    EXPECT_EQ(messageOf(Directory::openOwn(path.string()).status()),
              "it belongs to user 4321, allowed 0 and root");
}

TEST(Directory, Files) {
    const TemporaryFolder folder, elsewhere;
    const fs::path precious = elsewhere / "precious";
    write(precious, "precious");
    write(folder / "file", "file");
    fs::create_symlink(precious, folder / "link");
    fs::create_symlink("nowhere", folder / "broken");
    fs::create_hard_link(precious, folder / "second");
    fs::create_directory(folder / "folder");
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    write(folder / "public", "");
    fs::permissions(folder / "public", fs::perms(0646));
    const std::string link = "it is a link, allowed is a regular file",
                      names = "it has 2 names, allowed 1",
                      shared = "it has mode 0646, in which others may write to it";
    const struct {
        const char* name;
        std::string read, write;
    } kRows[] = {
            {"file", "", ""},
            {"link", link, link},
            {"broken", link, link},
            {"second", "", names},
            {"folder", "it is not a regular file", "Is a directory"},
            {"pipe", "it is not a regular file", "it is not a regular file"},
            {"public", shared, shared},
            {"../file", "it is not in the folder itself", "it is not in the folder itself"},
            {"..", "it is not a regular file", "Is a directory"},
    };
    const auto directory = Directory::openOwn(folder.path().string());
    ASSERT_TRUE(directory.ok());
    for (const auto& row : kRows) {
        EXPECT_EQ(messageOf(directory->openFile(row.name, O_RDONLY).status()), row.read)
                << row.name;
        for (const int flags : {0, O_CREAT, O_APPEND}) {
            for (const int access : {O_RDWR, O_WRONLY}) {
                EXPECT_EQ(messageOf(directory->openFile(row.name, access | flags).status()),
                          row.write)
                        << row.name << " " << flags;
            }
        }
    }
    EXPECT_EQ(contentsOf(precious), "precious");
    EXPECT_EQ(contentsOf(folder / "file"), "file");

    const auto none = directory->openFile("none", O_RDWR);
    ASSERT_TRUE(none.ok());
    EXPECT_FALSE(none->ok());
    EXPECT_TRUE(directory->openFile("none", O_RDWR | O_CREAT)->ok());
    EXPECT_EQ(fs::status(folder / "none").permissions(), fs::perms(0600));

    // If the folder is replaced by another, open directories still refer to the original one.
    const TemporaryFolder other;
    fs::create_directory(other / "before");
    write(other / "before" / "file", "before");
    const auto held = Directory::openOwn((other / "before").string());
    fs::rename(other / "before", other / "moved");
    fs::create_directory_symlink(folder.path(), other / "before");
    char byte = 0;
    EXPECT_EQ(read(held->openFile("file", O_RDONLY)->get(), &byte, 1), 1);
    EXPECT_EQ(byte, 'b');
}

TEST(Directory, NewFiles) {
    const TemporaryFolder folder, elsewhere;
    const fs::path precious = elsewhere / "precious";
    write(precious, "precious");
    const auto directory = Directory::open(folder.path().string());
    ASSERT_TRUE(directory.ok());
    const auto put = [&](const std::string& name) {
        auto file = NewFile::create(*directory, name);
        if (!file.ok()) return messageOf(file.status());
        EXPECT_EQ(::write(file->fd(), "new", 3), 3);
        return messageOf(file->commit());
    };
    write(folder / "old", "old");
    fs::create_symlink(precious, folder / "link");
    fs::create_symlink(precious, folder / "other.partial0");
    fs::create_hard_link(precious, folder / "second");
    fs::create_directory(folder / "folder");
    for (const char* name : {"none", "old", "link", "second", "other"}) {
        EXPECT_EQ(put(name), "") << name;
        EXPECT_EQ(contentsOf(folder / name), "new") << name;
        EXPECT_FALSE(fs::is_symlink(folder / name)) << name;
    }
    const auto modeAfter = [&](unsigned mode, mode_t allowed) {
        fs::permissions(folder / "old", fs::perms(mode));
        EXPECT_EQ(NewFile::create(*directory, "old", allowed)->commit(), Status());
        return static_cast<unsigned>(fs::status(folder / "old").permissions());
    };
    for (const unsigned mode : {0400u, 0600u, 0666u, 0755u}) EXPECT_EQ(modeAfter(mode, 0666), mode);
    EXPECT_EQ(modeAfter(0666, 0600), 0600u);
    EXPECT_EQ(put("folder"), "is not a regular file");
    EXPECT_EQ(contentsOf(precious), "precious");
    fs::remove(folder / "other.partial0");
    EXPECT_EQ(folder.files(),
              (std::vector<std::string>{"folder", "link", "none", "old", "other", "second"}));
    // The first file is kept.
    for (const char* content : {"first", "later"}) {
        auto file = NewFile::create(*directory, "key", 0600);
        ASSERT_TRUE(file.ok());
        EXPECT_EQ(::write(file->fd(), content, 5), 5);
        EXPECT_EQ(file->commitUnlessThere(), Status());
    }
    EXPECT_EQ(contentsOf(folder / "key"), "first");
    EXPECT_EQ(fs::status(folder / "key").permissions(), fs::perms(0600));
    EXPECT_EQ(folder.files().size(), 7u) << "nothing of the temporary files is left";
}

}  // namespace
}  // namespace nn::directory_test
