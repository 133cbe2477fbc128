#include "tools/nnapi/output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/no_throw.h"
#include "base/printable.h"
#include "base/status_message.h"
#include "tools/nnapi/progress.h"

namespace nn::cli {
namespace {

// The errno of the first failed write to standard output; 0 if none has failed.
int& writeError() {
    static int error = 0;
    return error;
}

enum class ColorChoice { AUTO, ALWAYS, NEVER };
ColorChoice& colorChoice() {
    static ColorChoice choice = ColorChoice::AUTO;
    return choice;
}

bool showsColors(std::FILE* stream) {
    if (colorChoice() != ColorChoice::AUTO) return colorChoice() == ColorChoice::ALWAYS;
    const char* off = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    return isatty(fileno(stream)) != 0 && (off == nullptr || *off == '\0') &&
           (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace

void setColor(std::string_view when) {
    colorChoice() = when == "always"  ? ColorChoice::ALWAYS
                    : when == "never" ? ColorChoice::NEVER
                                      : ColorChoice::AUTO;
}

std::string shownColored(const Colored& text, std::FILE* stream) {
    std::string line = onOneLine(text.text);
    if (!showsColors(stream)) return line;
    constexpr int kGreen = 32, kRed = 31, kYellow = 33;
    const int code = text.meaning == Colored::Meaning::GOOD  ? kGreen
                     : text.meaning == Colored::Meaning::BAD ? kRed
                                                             : kYellow;
    return fmt::format("\x1b[{}m{}\x1b[0m", code, line);
}

std::string shownLines(std::string_view text) {
    std::string lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        lines += onOneLine(text.substr(0, end));
        if (end < text.size()) lines += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// Only ASCII, so the output is exact and contains no control sequences of terminals.
void Output::object(const Json& object) const {
    write(object.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n");
}

void Output::write(std::string_view bytes, std::FILE* to) {
    Progress::hide();
    if (std::fwrite(bytes.data(), 1, bytes.size(), to) == bytes.size()) return;
    if (to == stdout && writeError() == 0) writeError() = errno;
}

bool Output::hasFailed() { return writeError() != 0; }

Exit Output::complain(const std::string& message, Exit exit) {
    Progress::hide();
    std::fflush(stdout);
    std::fprintf(stderr, "%s %s\n", shownColored(Colored::bad("nnapi:"), stderr).c_str(),
                 onOneLine(message).c_str());
    return exit;
}

Exit Output::complain(const Status& status) { return complain(messageOf(status)); }

Exit withMemory(std::string_view input, const std::function<Exit()>& work) try {
    return work();
} catch (...) {
    const Status why = statusOfException();
    return Output::complain(isOutOfMemory(why)
                                    ? fmt::format("out of memory while reading {}", input)
                                    : fmt::format("{}: {}", input, messageOf(why)));
}

Exit Output::finish(Exit exit) {
    errno = 0;
    // Some file systems report a full disk only when a descriptor is closed. The help goes to cout.
    const bool isWritten = std::fflush(stdout) == 0 && close(dup(STDOUT_FILENO)) == 0 &&
                           std::cout.flush().good() && std::ferror(stdout) == 0;
    if (isWritten && !hasFailed()) return exit;
    const int error = hasFailed() ? writeError() : errno;
    // Not reported to a reader that closed its pipe.
    if (error != EPIPE) {
        Output::complain(fmt::format("standard output: {}",
                                     error == 0 ? "cannot be written" : std::strerror(error)));
    }
    return kUsageOrUnreadable;
}

}  // namespace nn::cli
