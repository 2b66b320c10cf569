// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// `carom export`: what it writes, and what it refuses without writing anything.

#include <gtest/gtest.h>

#include <filesystem>

#include "carom/serve/pages.h"
#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

namespace fs = std::filesystem;

class ExportCommand : public testing::Test {
protected:
    ScratchFolder scratch_;
    std::string recording_ = record(scratch_, "ball", bouncing_ball());

    ProgramRun run(std::vector<std::string> options) const {
        options.insert(options.begin(), {"export", recording_});
        return run_carom(options);
    }
    std::size_t files() const {
        std::size_t count = 0;
        for ([[maybe_unused]] const auto& entry : fs::directory_iterator(scratch_.path("")))
            ++count;
        return count;
    }
};

TEST_F(ExportCommand, CsvIsThatOfSample) {
    const std::string path = scratch_.path("states.csv");
    const ProgramRun done = run({"--to", "csv", "--fps", "25", "-o", path});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(done.out, path + "\n");
    const ProgramRun sample = run_carom({"sample", recording_, "--fps", "25", "--format", "csv"});
    EXPECT_EQ(read_whole(path), sample.out);
    EXPECT_EQ(sample.lines().size(), 1 + 2 * 63U);

    const ProgramRun some =
        run({"--to", "csv", "--fps", "10", "--from", "0.5", "--until", "1", "-o", "-"});
    EXPECT_EQ(some.out, run_carom({"sample", recording_, "--fps", "10", "--from", "0.5", "--to",
                                   "1", "--format", "csv"})
                            .out);
    EXPECT_EQ(run({"--to", "csv", "-o", "-"}).lines().size(), 1 + 2 * 151U);
}

TEST_F(ExportCommand, TheFileIsCalledAsTheRecordingUnlessTold) {
    const ProgramRun done =
        run_in(scratch_.path(""), {"export", recording_, "--to", "gltf", "--json"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const Json answer = done.answer();
    EXPECT_EQ(answer.at("output"), "ball.glb");
    EXPECT_EQ(answer.at("format"), "gltf");
    EXPECT_EQ(answer.at("bodies"), 2);
    EXPECT_EQ(answer.at("moving"), 1);
    EXPECT_GT(answer.at("keys"), 10);
    EXPECT_GT(answer.at("tolerance"), 0.0);
    EXPECT_TRUE(read_whole(scratch_.path("ball.glb")).starts_with("glTF"));
    const std::string text = scratch_.path("ball.gltf");
    EXPECT_EQ(run({"--to", "gltf", "-o", text}).exit_code, 0);
    EXPECT_EQ(Json::parse(read_whole(text)).at("asset").at("version"), "2.0");
}

TEST_F(ExportCommand, HtmlHoldsThePageAndTheData) {
    const std::string path = scratch_.path("ball.html");
    const ProgramRun done = run({"--to", "html", "-o", path});
    if (!has_pages()) {
        EXPECT_EQ(done.exit_code, 1);
        EXPECT_NE(done.err.find("built without its pages"), std::string::npos) << done.err;
        EXPECT_FALSE(fs::exists(path));
        return;
    }
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const std::string page = read_whole(path);
    const std::string begin = "<script type=\"application/json\" id=\"carom-recording\">";
    const std::size_t from = page.rfind(begin);
    ASSERT_NE(from, std::string::npos);
    const std::string_view viewer = pages::viewer_page();
    EXPECT_TRUE(viewer.starts_with(page.substr(0, from)));
    const std::size_t to = page.find("</script>", from);
    const Json data = Json::parse(page.substr(from + begin.size(), to - from - begin.size()));
    EXPECT_EQ(data.at("meta").at("title"), "A ball");
    EXPECT_EQ(data.at("meta").at("running"), false);
    EXPECT_EQ(data.at("tables").size(), 4U);
}

TEST_F(ExportCommand, NothingIsReplacedWithoutForce) {
    const std::string path = scratch_.write("out.csv", "precious");
    const ProgramRun refused = run({"--to", "csv", "-o", path});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("exists already"), std::string::npos) << refused.err;
    EXPECT_EQ(read_whole(path), "precious");
    EXPECT_EQ(run({"--to", "csv", "-o", path, "--force"}).exit_code, 0);
    EXPECT_TRUE(read_whole(path).starts_with("t,body,"));
}

TEST_F(ExportCommand, WrongCallsAreRefusedAndLeaveNothing) {
    const std::size_t before = files();
    const std::string path = scratch_.path("out");
    const auto refused = [&](std::vector<std::string> options, const std::string& message) {
        options.insert(options.begin(), {"export", recording_, "-o", path});
        expect_refused(options, {message});
    };
    refused({"--to", "htm"}, "html");
    refused({"--to", "obj"}, "html, gltf");
    refused({"--to", "html", "--fps", "5"}, "--fps goes with csv");
    refused({"--to", "gltf", "--fps", "5"}, "--fps goes with csv");
    refused({"--to", "csv", "--tolerance", "1"}, "--tolerance goes with gltf");
    refused({"--to", "gltf", "--tolerance", "0"}, "--tolerance must be");
    refused({"--to", "html", "--from", "1"}, "whole recording");
    refused({"--to", "gltf", "--from", "2", "--until", "1"}, "later than");
    refused({"--to", "gltf", "--until", "9"}, "beyond the recording");
    refused({"--to", "csv", "--fps", "0"}, "--fps must be");
    refused({}, "--to is required");
    EXPECT_EQ(files(), before);
}

TEST_F(ExportCommand, BadRecordingsAreRefusedAndLeaveNothing) {
    const std::string whole = read_whole(recording_);
    const std::vector<std::string> bad{
        scratch_.path("missing.carom"), scratch_.write("empty.carom", ""),
        scratch_.write("text.carom", "t,body,x,y,z\n"),
        scratch_.write("cut.carom", whole.substr(0, whole.size() / 2)),
        scratch_.write("head.carom", whole.substr(0, 100))};
    const std::size_t before = files();
    for (const std::string& path : bad) {
        for (const char* format : {"csv", "gltf", "html"})
            expect_refused({"export", path, "--to", format, "-o", scratch_.path("out")}, {path});
        expect_refused({"view", path, "--no-browser"}, {path});
    }
    EXPECT_EQ(files(), before);
}

}  // namespace
}  // namespace carom::tests
