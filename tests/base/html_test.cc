// Pages never contain text from outside as markup. tests/html looks at whole pages in a browser.
#include "base/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nn::html_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Html, EscapesTextButNotMarkup) {
    const std::string hostile = "<i a=\"1\" b='2'>&amp;";
    const std::string expected = "&#60;i a=&#34;1&#34; b=&#39;2&#39;&#62;&#38;amp;";
    EXPECT_EQ(html("{}", hostile).markup, expected);
    EXPECT_EQ(html("{}", std::string_view(hostile)).markup, expected);
    EXPECT_EQ(html("{}", hostile.c_str()).markup, expected);
    EXPECT_EQ(html("{}", UntrustedText{hostile}).markup, expected);
    EXPECT_EQ(html("<b>{}</b>", html("<i>{}</i>", "<")).markup, "<b><i>&#60;</i></b>");
    EXPECT_EQ(html("{} {:.1f} {}", 3, 0.25, Plural{1, "losses"}).markup, "3 0.2 1 loss");
}

TEST(Html, ShowsWhatXmlCannotHold) {
    EXPECT_EQ(escapedForXml("3×3 \x1b[31m\n\xff\xef\xbf\xbe"), "3×3 \\u001b[31m\\n\\xff?");
}

TEST(Html, ExpandsOnlyIfThereIsContent) {
    EXPECT_EQ(expandable(html("none"), listOf({})).markup, "none");
    EXPECT_EQ(expandable(html("one"), listOf({html("x")})).markup,
              "<details><summary>one</summary>\n<ul>\n<li>x</li>\n</ul>\n</details>\n");
}

TEST(Html, PagesLoadNothing) {
    const std::string page = (pageHead("<title>") + filterBox("a\"b") + pageEnd()).markup;
    EXPECT_THAT(page, HasSubstr("<title>&#60;title&#62;</title>"));
    EXPECT_THAT(page, HasSubstr("placeholder=\"a&#34;b\""));
    EXPECT_THAT(page, HasSubstr("content=\"default-src 'none'; "));
    EXPECT_THAT(page, Not(HasSubstr("src=")));
    EXPECT_THAT(page, Not(HasSubstr("://")));
}

}  // namespace
}  // namespace nn::html_test
