#include "lastbit/base/html.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <type_traits>

namespace lastbit {
namespace html_test {

static_assert(!std::is_convertible_v<std::string, Html>);
static_assert(!std::is_convertible_v<std::string_view, Html>);
static_assert(!std::is_convertible_v<const char*, Html>);
static_assert(!std::is_constructible_v<Html, std::string>);
static_assert(!std::is_constructible_v<Html, const char*>);
static_assert(std::is_convertible_v<HtmlLiteral, Html>);

TEST(HtmlTest, TextIsEscapedForContentAndAttributes) {
  EXPECT_EQ(Html::text("<b a=\"1\" c='2'>&amp;</b>").str(),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;");
  EXPECT_EQ(Html::text("größe 身長").str(), "größe 身長");
  EXPECT_TRUE(Html::text("").empty());
}

TEST(HtmlTest, HiddenCharactersAreShown) {
  EXPECT_EQ(Html::text("a\u202eb\nc\xff").str(), "a\\u202eb\\u000ac\\xff");
}

TEST(HtmlTest, LiteralsAreMarkup) {
  const Html line = "<br/>"_html;
  EXPECT_EQ((line + Html::text("<") + "<hr/>"_html).str(), "<br/>&lt;<hr/>");
}

TEST(HtmlTest, FormatsEscapeTextAndKeepMarkup) {
  const std::string name = "<script>";
  EXPECT_EQ(format_html("<p class=\"{}\">{} {} {:.1f} {}</p>", "a\"b", name,
                        format_html("<b>{}</b>", name), 2.25, 7)
                .str(),
            "<p class=\"a&quot;b\">&lt;script&gt; <b>&lt;script&gt;</b> 2.2 7</p>");
  EXPECT_EQ(format_html("{{}}{}", "<i>"_html).str(), "{}<i>");
}

RC_GTEST_PROP(HtmlTest, NoTextHoldsMarkup, (const std::string& text)) {
  const std::string markup = Html::text(text).str();
  RC_ASSERT(markup.find_first_of("<>\"'\n") == std::string::npos);
}

}  // namespace html_test
}  // namespace lastbit
