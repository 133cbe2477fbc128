#include "types/printable.h"

#include <gtest/gtest.h>

#include "nnapi/print.h"
#include "types/untrusted_text.h"

namespace nn::printable_test {
namespace {

using namespace std::string_view_literals;

struct Row {
    std::string_view name;
    std::string_view shown;
};

constexpr Row kRows[] = {
        // Unchanged.
        {"mobilenet_v1-1.0,224=@~%#+", "mobilenet_v1-1.0,224=@~%#+"},
        {"models/add.pb", "models/add.pb"},
        {"grüße_模型_😀", "grüße_模型_😀"},

        // Names that could be misread.
        {"", R"("")"},
        {"a b", R"("a b")"},
        {"x: valid", R"("x: valid")"},
        {R"(a"b)", R"("a\"b")"},
        {R"(a\nb)", R"("a\\nb")"},

        // Control characters of ASCII and beyond.
        {"\x1b[31m", R"("\u001b[31m")"},
        {"x\nforged: valid", R"("x\nforged: valid")"},
        {"\b\f\r\t\x7f", R"("\b\f\r\t\u007f")"},
        {"\0"sv, R"("\u0000")"},
        {"\u009b31m", R"("\u009b31m")"},
        {"a\u2028b\u2029", R"("a\u2028b\u2029")"},

        // Invisible characters, and those that change the direction of writing.
        {"a\u202egnp.exe", R"("a\u202egnp.exe")"},
        {"\u2066a\u2069", R"("\u2066a\u2069")"},
        {"a\u200bb\ufeff", R"("a\u200bb\ufeff")"},
        {"\U000e0041", R"("\udb40\udc41")"},

        // Not UTF-8: a byte of another encoding, cut off, too long, a surrogate, too large.
        {"caf\xe9", R"("caf\xe9")"},
        {"\xe2\x82", R"("\xe2\x82")"},
        {"\xc0\x8a", R"("\xc0\x8a")"},
        {"\xed\xa0\x80", R"("\xed\xa0\x80")"},
        {"\xf4\x90\x80\x80", R"("\xf4\x90\x80\x80")"},
        {"\xff\xfe", R"("\xff\xfe")"},
};

TEST(Printable, IsTheNameOrQuotesIt) {
    for (const Row& row : kRows) EXPECT_EQ(printable(row.name), row.shown);
}

struct CutRow {
    std::string_view text;
    size_t most;
    std::string_view beginning;
    std::string_view shown;
};

constexpr CutRow kCutRows[] = {
        {"", 0, "", R"("")"},
        {"abc", 4, "abc", "abc"},
        {"abc", 3, "abc", "abc"},
        {"abc", 2, "ab", "ab..."},
        {"abc", 0, "", R"(""...)"},
        {"a\nb", 2, "a\n", R"("a\n"...)"},

        // A character is whole or left out.
        {"ßß", 1, "", R"(""...)"},
        {"ßß", 2, "ß", "ß..."},
        {"ßß", 3, "ß", "ß..."},
        {"ßß", 4, "ßß", "ßß"},
        {"x模型", 1, "x", "x..."},
        {"x模型", 3, "x", "x..."},
        {"x模型", 4, "x模", "x模..."},
        {"x模型", 6, "x模", "x模..."},
        {"😀😀", 3, "", R"(""...)"},
        {"😀😀", 4, "😀", "😀..."},
        {"😀😀", 5, "😀", "😀..."},
        {"😀😀", 7, "😀", "😀..."},

        // Bytes that are not UTF-8 have no characters to keep whole.
        {"\xff\xff\xff", 2, "\xff\xff", R"("\xff\xff"...)"},
        {"\x80\x80\x80\x80\x80", 4, "\x80\x80\x80\x80", R"("\x80\x80\x80\x80"...)"},
        {"\xe2\x82", 1, "\xe2", R"("\xe2"...)"},
        {"\xff\xc3\xa9", 2, "\xff", R"("\xff"...)"},
};

TEST(Printable, OfALongTextShowsTheBeginning) {
    for (const CutRow& row : kCutRows) {
        SCOPED_TRACE(::testing::Message() << inQuotes(row.text) << " " << row.most);
        EXPECT_EQ(beginningOf(row.text, row.most), row.beginning);
        EXPECT_EQ(printable(row.text, row.most), row.shown);
    }
    EXPECT_EQ(inQuotes("模型", 5), R"("模"...)");
    EXPECT_EQ(inQuotes("a\"b", 2), R"("a\""...)");
    EXPECT_EQ(onOneLine("a\n\"模型", 6), R"(a\n"模...)");
    EXPECT_EQ(onOneLine("模型", 6), "模型");
}

TEST(Printable, SentencesKeepTheirQuotes) {
    EXPECT_EQ(onOneLine("no field \"a\\b\x1b\nc\xff\""), R"(no field "a\b\u001b\nc\xff")");
}

TEST(Printable, ValuesOfTheLibraryAreEscapedAlike) {
    EXPECT_EQ(print(ExtensionNameAndPrefix{.name = "\x1b[31m\xff\u202e\n", .prefix = 1}),
              R"({name = "\u001b[31m\xff\u202e\n", prefix = 1})");
}

TEST(EndOfUtf8, IsWhereTheFirstOtherByteLies) {
    EXPECT_EQ(endOfUtf8(""), 0u);
    EXPECT_EQ(endOfUtf8("0123456789"), 10u);
    EXPECT_EQ(endOfUtf8("01234567\xff"), 8u);
    EXPECT_EQ(endOfUtf8("0123456\xc3\xa9"), 9u);
    EXPECT_EQ(endOfUtf8("0123456\xc3"), 7u);
}

TEST(UntrustedText, IsFormattedAsPrintable) {
    const std::string hostile = "\x1b[31m";
    EXPECT_EQ(fmt::format("{} {}", UntrustedText{hostile}, UntrustedView(hostile)),
              R"("\u001b[31m" "\u001b[31m")");
    EXPECT_EQ(fmt::format("{:>4}", UntrustedText{"ab"}), "  ab");
    const UntrustedText longText{std::string(65, 'x')};
    EXPECT_EQ(fmt::format("{}", longText.beginning()), std::string(64, 'x') + "...");
    EXPECT_EQ(fmt::format("{}", UntrustedView(hostile).beginning()), R"("\u001b[31m")");
}

}  // namespace
}  // namespace nn::printable_test
