// A progress line on standard error, shown on terminals only and erased at the end.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace nn::cli {

// A command with long work holds one while it works; ^C then ends the work in good order.
class Progress {
   public:
    Progress();
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Tells what the work is about to do. Does nothing while no Progress exists.
    static void files(size_t count);
    static void file(const std::filesystem::path& path);
    static void model(const std::string& name);

    // Of work that is counted beforehand: how many of all are done, and how many went wrong.
    static void cases(size_t done, size_t all, size_t bad, const std::string& name);

    // Erases the line, before other output to the terminal.
    static void hide();

   private:
    class Line;
    static std::unique_ptr<Line> sLine;
};

}  // namespace nn::cli
