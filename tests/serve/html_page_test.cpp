// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The page with a recording inside: what it holds is what the server would give.

#include "carom/serve/html_page.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "tests/serve/served.h"

namespace carom::tests {
namespace {

std::string from_base64(const std::string& text) {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0, value = 0;
    for (const char c : text) {
        if (c == '=') break;
        value = value << 6U | static_cast<unsigned>(letters.find(c));
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes.push_back(static_cast<char>(value >> bits & 255U));
    }
    EXPECT_EQ(text.size() % 4, 0U);
    return bytes;
}

std::string inflated(const std::string& packed, std::size_t size) {
    std::string bytes(size + 1, '\0');
    uLongf length = bytes.size();
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                         reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
              Z_OK);
    bytes.resize(length);
    return bytes;
}

std::string page_of(std::string_view viewer, const serve::RunData& run) {
    std::string page;
    serve::write_html_page(viewer, run, [&](std::string_view text) { page += text; });
    return page;
}

Json data_in(const std::string& page) {
    const std::string begin = "<script type=\"application/json\" id=\"carom-recording\">";
    const std::size_t from = page.find(begin) + begin.size();
    const std::size_t to = page.find("</script>", from);
    EXPECT_NE(to, std::string::npos);
    return Json::parse(page.substr(from, to - from), nullptr, false);
}

TEST(HtmlPage, HoldsTheWholeRecording) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "gas", gas(0.5));
    const Served served = serve_recording(path);
    const std::string viewer = "<html><body><script>var a = '</body>';</script>text</body></html>";
    const std::string page = page_of(viewer, *served.session->data());
    EXPECT_TRUE(page.starts_with("<html><body><script>var a = '</body>';</script>text<script "));
    EXPECT_TRUE(page.ends_with("</script>\n</body></html>"));
    const Json data = data_in(page);
    EXPECT_EQ(data.at("meta"), served.get("/api/meta"));
    ASSERT_EQ(data.at("tables").size(), record::k_table_count);
    for (std::size_t i = 0; i < record::k_table_count; ++i) {
        const std::string expected = rows_of(path, static_cast<serve::TableId>(i));
        const std::string packed =
            from_base64(data.at("tables").at(std::string(record::k_table_names[i])));
        EXPECT_TRUE(inflated(packed, expected.size()) == expected) << record::k_table_names[i];
    }
}

TEST(HtmlPage, NothingInASceneCanEndTheScript) {
    const ScratchFolder scratch;
    const std::string evil = "</script><script>alert(1)</script><!--";
    const std::string scene =
        "title = \"" + evil + "\"\n" + bouncing_ball().substr(bouncing_ball().find("expect"));
    const Served served = serve_recording(record(scratch, "ball", scene));
    const std::string page = page_of(k_test_pages.viewer, *served.session->data());
    EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
    EXPECT_EQ(page.find("<!--"), std::string::npos);
    EXPECT_EQ(data_in(page).at("meta").at("title"), evil);
}

TEST(HtmlPage, APageWithoutABodyIsRefused) {
    const ScratchFolder scratch;
    const Served served = serve_recording(record(scratch, "ball", bouncing_ball()));
    EXPECT_THROW(page_of("<html>", *served.session->data()), serve::PageError);
}

}  // namespace
}  // namespace carom::tests
