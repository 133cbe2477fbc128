// A progress line on standard error, shown on terminals only and erased at the end.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace nn::cli {

// Held by a command during long work. While it exists, ^C ends the work cleanly.
class Progress {
   public:
    Progress();
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Shows the current work. Does nothing while no Progress exists.
    static void files(size_t count);
    static void file(const std::filesystem::path& path);
    static void model(const std::string& name);

    // For work that was counted in advance: how many of all are done, and how many failed.
    static void cases(size_t done, size_t all, size_t bad, const std::string& name);

    // Erases the line, before other output to the terminal.
    static void hide();

   private:
    class Line;
    static std::unique_ptr<Line> sLine;
};

}  // namespace nn::cli
