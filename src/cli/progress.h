// How far long work has come, on standard error where that is a terminal. Erased at the end.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace nn::cli {

// A command whose work can be long has one while it works; ^C then ends it in good order.
class Progress {
   public:
    Progress();
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // What the work is about to do. Nothing where no command has a Progress.
    static void files(size_t count);
    static void file(const std::filesystem::path& path);
    static void model(const std::string& name);

    // Takes the line away, before something else is written to the terminal.
    static void hide();

   private:
    class Line;
    static std::unique_ptr<Line> sLine;
};

}  // namespace nn::cli
