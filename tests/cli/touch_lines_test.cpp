// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// `carom touch` as a filter: answers that are known in closed form, one a line, in order.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/cli/run_carom.h"
#include "tests/cli/touch_problems.h"

namespace carom::tests {
namespace {

constexpr const char* k_cylinder = R"({"type":"cylinder","radius":0.5,"height":1})";
constexpr const char* k_capsule = R"({"type":"capsule","radius":0.5,"length":1})";
constexpr const char* k_octahedron =
    R"({"type":"hull","points":[[1,0,0],[-1,0,0],[0,1,0],[0,-1,0],[0,0,1],[0,0,-1]]})";

std::string problem(std::string_view a, std::string_view b, double until = 10.0,
                    std::string_view id = "1") {
    return fmt::format("{{\"id\":{},\"a\":{},\"b\":{},\"until\":{}}}\n", id, a, b, until);
}

ProgramRun run_touch(std::string_view input, std::vector<std::string> options = {}) {
    options.insert(options.begin(), "touch");
    return run_carom(options, input);
}

Json touch(std::string_view a, std::string_view b, double until = 10.0) {
    const ProgramRun run = run_touch(problem(a, b, until));
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_EQ(run.err, "");
    return run.answer();
}

void expect_vector(const Json& value, const std::vector<double>& right, double error) {
    const std::vector<double> v = numbers(value);
    ASSERT_EQ(v.size(), right.size()) << value;
    for (std::size_t i = 0; i < v.size(); ++i)
        EXPECT_NEAR(v[i], right[i], error) << value;
}

// The time to a relative 1e-14, and a contact: no distance but the rounding of coordinates of this
// size, no overlap, a unit normal.
void expect_touch(const Json& answer, double t, double size = 10.0) {
    ASSERT_TRUE(answer.contains("t") && answer["t"].is_number()) << answer;
    EXPECT_NEAR(answer["t"].get<double>(), t, 1e-14 * t) << answer;
    EXPECT_NEAR(answer["distance"].get<double>(), 0.0, 1e-15 * size) << answer;
    EXPECT_FALSE(answer.contains("overlap")) << answer;
    const std::vector<double> n = numbers(answer["normal"]);
    ASSERT_EQ(n.size(), 3U);
    EXPECT_NEAR(std::hypot(n[0], n[1], n[2]), 1.0, 1e-14);
}

void expect_features(const Json& answer, const char* a, const char* b) {
    EXPECT_EQ(answer["features"]["a"].get<std::string>().rfind(a, 0), 0U) << answer;
    EXPECT_EQ(answer["features"]["b"].get<std::string>().rfind(b, 0), 0U) << answer;
}

TEST(TouchLines, DroppedBallsLandAfterTheRootOfTwiceTheHeightOverGravity) {
    for (const double g : {9.81, 1.62, 1e-3}) {
        for (const double h : {1e-6, 0.37, 2.0, 1234.5}) {
            // 2^-20 keeps the height exact enough for small ones
            const double radius = 0x1p-20;
            const Json answer =
                touch(touch_body(
                          fmt::format(R"({{"type":"sphere","radius":{}}})", radius),
                          fmt::format(R"("position":[1,2,{}],"gravity":[0,0,{}])", radius + h, -g)),
                      k_still_plane, 1e4);
            expect_touch(answer, std::sqrt(2.0 * ((radius + h) - radius) / g), 1.0 + h);
            expect_vector(answer["point"], {1, 2, 0}, 1e-12 * h + 1e-15);
            expect_vector(answer["normal"], {0, 0, 1}, 0.0);
            expect_features(answer, "surface", "surface");
        }
    }
}

TEST(TouchLines, TheAnswerHasItsFieldsAndNoOther) {
    const Json touching =
        touch(touch_body(k_ball_shape, R"("position":[0,0,2],"velocity":[0,0,-1])"), k_still_plane);
    const Json never = touch(touch_body(k_ball_shape, R"("position":[0,0,2])"), k_still_plane);
    for (const Json& answer : {touching, never}) {
        ASSERT_EQ(answer.size(), 6U) << answer;
        for (const char* field : {"id", "t", "point", "normal", "distance", "features"})
            EXPECT_TRUE(answer.contains(field)) << answer;
    }
    for (const char* field : {"t", "point", "normal", "features"})
        EXPECT_TRUE(never[field].is_null()) << never;
}

TEST(TouchLines, BodiesInTheSameFreeFallMeetAsIfThereWereNone) {
    const char* fall = R"("gravity":[0,0,-9.81],)";
    const Json answer =
        touch(touch_body(k_ball_shape, fmt::format(R"({}"position":[0,0,50])", fall)),
              touch_body(k_ball_shape, fmt::format(R"({}"velocity":[0,0,20])", fall)));
    expect_touch(answer, 49.5 / 20.0);
    expect_vector(answer["normal"], {0, 0, 1}, 1e-14);
}

TEST(TouchLines, BoxLandsOnItsEdge) {
    const Json answer =
        touch(touch_body(k_cube_shape,
                         R"("position":[0,0,3],"axis":[1,0,0],"angle":45,"velocity":[0,0,-1])"),
              k_still_plane);
    expect_touch(answer, 3.0 - std::numbers::sqrt2 / 2.0);
    expect_features(answer, "edge", "surface");
    EXPECT_NEAR(numbers(answer["point"])[1], 0.0, 1e-15);
    EXPECT_NEAR(numbers(answer["point"])[2], 0.0, 1e-15);
}

// A cone's origin is its centre of mass, a quarter of the height above its base.
TEST(TouchLines, TwoCones) {
    const auto meet = [](std::string_view a, std::string_view b) {
        return touch(touch_body(k_cone_shape, a), touch_body(k_cone_shape, b));
    };
    const Json tips =
        meet("", R"("position":[0,0,5],"axis":[1,0,0],"angle":180,"velocity":[0,0,-1])");
    expect_touch(tips, 3.5);
    expect_features(tips, "apex", "apex");
    expect_vector(tips["point"], {0, 0, 0.75}, 1e-14);
    const Json bases =
        meet(R"("axis":[1,0,0],"angle":180)", R"("position":[0,0,5],"velocity":[0,0,-1])");
    expect_touch(bases, 4.5);
    expect_features(bases, "cap", "cap");
    expect_vector(bases["normal"], {0, 0, -1}, 1e-14);
    const Json rims = meet("", R"("position":[5,0,0],"velocity":[-1,0,0])");
    expect_touch(rims, 4.0);
    expect_vector(rims["normal"], {-1, 0, 0}, 1e-7);
    expect_vector(rims["point"], {0.5, 0, -0.25}, 1e-7);
}

// 30 degrees off upright, the lowest point is found by hand.
TEST(TouchLines, TiltedRoundBodiesLandWhereTheyShould) {
    const char* motion = R"("position":[0,0,5],"axis":[0,1,0],"angle":30,"velocity":[0,0,-1])";
    const double c = std::sqrt(3.0) / 2.0;
    const Json cylinder = touch(touch_body(k_cylinder, motion), k_still_plane);
    expect_touch(cylinder, 5.0 - 0.25 - 0.5 * c);
    expect_vector(cylinder["point"], {0.5 * c - 0.25, 0, 0}, 1e-14);
    expect_features(cylinder, "rim 0", "surface");
    const Json capsule = touch(touch_body(k_capsule, motion), k_still_plane);
    expect_touch(capsule, 5.0 - 0.5 - 0.5 * c);
    expect_features(capsule, "end 0", "surface");
    const Json cone = touch(touch_body(k_cone_shape, motion), k_still_plane);
    expect_touch(cone, 5.0 - 0.25 - 0.25 * c);
    expect_features(cone, "rim 0", "surface");
}

// An arm from the origin sweeps over a ball that is 1.5 away: the face is 0.1 beside the axis.
TEST(TouchLines, PlatterTurnsAboutItsPivot) {
    const std::string arm =
        touch_body(R"({"type":"box","size":[2,0.2,0.2]})",
                   R"("position":[1,0,0],"fixed":true,"pivot":[0,0,0],"angular_velocity":[0,0,2])");
    const Json answer = touch(arm, touch_body(R"({"type":"sphere","radius":0.1})",
                                              R"("position":[0,1.5,0],"fixed":true)"));
    const double left = std::asin(0.2 / 1.5);
    expect_touch(answer, (std::numbers::pi / 2.0 - left) / 2.0);
    expect_vector(answer["normal"], {std::cos(left), -std::sin(left), 0}, 1e-14);
    expect_features(answer, "face", "surface");
}

TEST(TouchLines, SpinningCubeTurnsItsFaceIntoABall) {
    const Json answer = touch(
        touch_body(k_cube_shape, R"("angular_velocity":[0,0,2],"mass":3)"),
        touch_body(R"({"type":"sphere","radius":0.1})", R"("position":[0.7,0,0],"fixed":true)"));
    expect_touch(answer, std::acos(0.6 / 0.7) / 2.0);
    expect_features(answer, "face", "surface");
}

TEST(TouchLines, DumbbellTurnsAboutItsCentreOfMass) {
    const std::string even =
        R"({"type":"compound","parts":[{"type":"sphere","radius":0.2,"position":[-1,0,0]},)"
        R"({"shape":{"type":"sphere","radius":0.2},"position":[1,0,0]},)"
        R"({"type":"capsule","radius":0.05,"length":1.8,"axis":[0,1,0],"angle":90}]})";
    const Json answer = touch(touch_body(even, R"("angular_velocity":[0,1,0])"),
                              touch_body(R"({"type":"plane"})", R"("position":[0,0,-0.7])"));
    expect_touch(answer, std::asin(0.5));
    EXPECT_EQ(answer["features"]["a"], "part 1 surface");
    // masses 1 to 8: the centre is 8/9 from the small ball
    const std::string uneven = R"({"type":"compound","parts":[{"type":"sphere","radius":0.1},)"
                               R"({"type":"sphere","radius":0.2,"position":[1,0,0]}]})";
    const Json small = touch(touch_body(uneven, R"("angular_velocity":[0,-1,0])"),
                             touch_body(R"({"type":"plane"})", R"("position":[0,0,-0.5])"));
    expect_touch(small, std::asin(0.45));
    EXPECT_EQ(small["features"]["a"], "part 0 surface");
}

TEST(TouchLines, HullLandsOnItsVertex) {
    const Json answer = touch(
        touch_body(k_octahedron, R"("position":[0.5,0.25,5],"velocity":[0,0,-2])"), k_still_plane);
    expect_touch(answer, 2.0);
    expect_features(answer, "vertex", "surface");
    expect_vector(answer["point"], {0.5, 0.25, 0}, 1e-15);
}

std::string cube_obj(double x) {
    std::string text;
    for (const int corner : {0, 1, 2, 3, 4, 5, 6, 7}) {
        text += fmt::format("v {} {} {}\n", x + (corner & 1), corner >> 1 & 1, corner >> 2);
    }
    return text + "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";
}

TEST(TouchLines, MeshFilesAreBodies) {
    const ScratchFolder scratch;
    const std::string left = scratch.write("left.obj", cube_obj(0.0));
    const std::string right = scratch.write("right.obj", cube_obj(1.0));
    const std::string whole = fmt::format(R"("file":"{}"}})", left);
    const std::string pieces = fmt::format(R"("pieces":["{}","{}"]}})", left, right);
    const char* falling = R"("position":[0,0,3],"velocity":[0,0,-1])";
    for (const std::string& shape : {R"({"type":"mesh",)" + whole, R"({"type":"hull",)" + whole,
                                     R"({"type":"mesh",)" + pieces})
        expect_touch(touch(touch_body(shape, falling), k_still_plane), 3.0);
    // only the second piece is in the way of the ball
    const Json answer =
        touch(touch_body(R"({"type":"mesh",)" + pieces),
              touch_body(k_ball_shape, R"("position":[5,0.5,0.5],"velocity":[-1,0,0])"));
    expect_touch(answer, 2.75);
    EXPECT_EQ(answer["features"]["a"].get<std::string>().rfind("part 1 face", 0), 0U) << answer;
}

// Bodies straight above each other that overlap by a known depth.
struct Overlap {
    const char* name;
    std::string a, b;
    double depth;
};

void PrintTo(const Overlap& overlap, std::ostream* out) {
    *out << overlap.name;
}

class TouchOverlap : public testing::TestWithParam<Overlap> {};

TEST_P(TouchOverlap, IsReportedAtTheStartWithItsDepth) {
    const Overlap& o = GetParam();
    for (const bool swapped : {false, true}) {
        const Json answer = touch(swapped ? o.b : o.a, swapped ? o.a : o.b);
        EXPECT_EQ(answer["t"], 0.0) << answer;
        EXPECT_EQ(answer.value("overlap", false), true) << answer;
        EXPECT_NEAR(answer["distance"].get<double>(), -o.depth, 1e-14) << answer;
        expect_vector(answer["normal"], {0, 0, swapped ? -1.0 : 1.0}, 1e-14);
    }
}

std::vector<Overlap> overlaps() {
    const auto at = [](const char* shape, const char* position) {
        return touch_body(shape, fmt::format(R"("position":{})", position));
    };
    return {
        {"ball_in_plane", at(k_ball_shape, "[0,0,0.125]"), k_still_plane, 0.125},
        {"box_in_plane", at(k_cube_shape, "[0,0,0.375]"), k_still_plane, 0.125},
        {"cone_in_plane", at(k_cone_shape, "[0,0,0.125]"), k_still_plane, 0.125},
        {"balls", at(k_ball_shape, "[0,0,0.375]"), touch_body(k_ball_shape), 0.125},
        {"ball_in_box", at(k_ball_shape, "[0,0,0.625]"), touch_body(k_cube_shape), 0.125},
        {"capsule_in_box", at(k_capsule, "[0,0,1.375]"), touch_body(k_cube_shape), 0.125},
        {"boxes_aside", at(k_cube_shape, "[0.125,0.25,0.875]"), touch_body(k_cube_shape), 0.125},
        {"boxes_in_line", at(k_cube_shape, "[0,0,0.875]"), touch_body(k_cube_shape), 0.125},
        {"boxes_in_line_inexact", at(k_cube_shape, "[0,0,0.9]"), touch_body(k_cube_shape), 0.1},
        {"cylinders_in_line", at(k_cylinder, "[0,0,0.9]"), touch_body(k_cylinder), 0.1},
        {"cylinder_in_box", at(k_cylinder, "[0,0,0.9]"), touch_body(k_cube_shape), 0.1},
        {"cone_in_box", at(k_cone_shape, "[0,0,0.65]"), touch_body(k_cube_shape), 0.1},
        {"box_on_octahedron", at(k_cube_shape, "[0,0,1.375]"), touch_body(k_octahedron), 0.125},
    };
}
INSTANTIATE_TEST_SUITE_P(Shapes, TouchOverlap, testing::ValuesIn(overlaps()),
                         [](const auto& o) { return o.param.name; });

TEST(TouchLines, BodiesThatTouchAtTheStartTouchThen) {
    for (const char* shape : {k_cube_shape, k_cylinder}) {
        for (const char* velocity : {"[0,0,0]", "[0,0,-1]", "[0,0,1]", "[1,0,0]"}) {
            for (const double until : {0.0, 1.0}) {
                const auto above = [&](double z) {
                    return touch_body(
                        shape, fmt::format(R"("position":[0,0,{}],"velocity":{})", z, velocity));
                };
                expect_touch(touch(above(0.5), k_still_plane, until), 0.0);
                expect_touch(touch(above(1.0), touch_body(k_cube_shape), until), 0.0);
            }
        }
    }
    expect_touch(touch(touch_body(k_ball_shape, R"("position":[0,0,0.25])"), k_still_plane, 0.0),
                 0.0);
}

// g = 10 and h = 5: the contact is at 1 exactly.
TEST(TouchLines, TheEndBelongsToTheTime) {
    const std::string ball =
        touch_body(k_ball_shape, R"("position":[0,0,5.25],"gravity":[0,0,-10])");
    expect_touch(touch(ball, k_still_plane, 1.0), 1.0);
    for (const char* shape : {k_ball_shape, k_cube_shape, k_cone_shape}) {
        const std::string moving = touch_body(shape, R"("position":[4,0,0],"velocity":[-2,0,0])");
        const Json first = touch(moving, touch_body(k_cube_shape));
        ASSERT_TRUE(first["t"].is_number());
        expect_touch(touch(moving, touch_body(k_cube_shape), first["t"].get<double>()), first["t"]);
    }
    const Json before = touch(ball, k_still_plane, 0.5);
    EXPECT_TRUE(before["t"].is_null());
    EXPECT_DOUBLE_EQ(before["distance"].get<double>(), 3.75);
    const Json at_once = touch(ball, k_still_plane, 0.0);
    EXPECT_TRUE(at_once["t"].is_null());
    EXPECT_DOUBLE_EQ(at_once["distance"].get<double>(), 5.0);
}

TEST(TouchLines, NoneComesWithTheDistanceAtTheEnd) {
    for (const char* a : {k_cube_shape, k_cone_shape, k_cylinder, k_capsule}) {
        for (const char* b : {k_cube_shape, k_cone_shape, k_cylinder, k_capsule}) {
            // 100 to 110, and half a unit on either side
            const Json answer = touch(touch_body(a, R"("position":[100,0,0],"velocity":[1,0,0])"),
                                      touch_body(b), 10.0);
            EXPECT_TRUE(answer["t"].is_null()) << answer;
            EXPECT_NEAR(answer["distance"].get<double>(), 109.0, 1e-13 * 109.0) << a << b;
        }
    }
    const Json far = touch(touch_body(k_ball_shape, R"("position":[3e6,0,4e6],"velocity":[1,0,0])"),
                           touch_body(k_ball_shape, R"("velocity":[1,0,0])"), 1.0);
    EXPECT_DOUBLE_EQ(far["distance"].get<double>(), 5e6 - 0.5);
}

TEST(TouchLines, ExchangedBodiesTouchAtTheSameTime) {
    const std::string a = touch_body(
        k_cone_shape, R"("position":[0.1,0.2,4],"velocity":[0,0,-1],"angular_velocity":[3,2,1])");
    const std::string b = touch_body(k_octahedron, R"("angular_velocity":[0,1,0.5])");
    const Json one = touch(a, b);
    const Json other = touch(b, a);
    ASSERT_TRUE(one["t"].is_number() && other["t"].is_number());
    EXPECT_NEAR(one["t"].get<double>(), other["t"].get<double>(), 1e-12);
    const std::vector<double> n = numbers(other["normal"]);
    expect_vector(one["normal"], {-n[0], -n[1], -n[2]}, 1e-7);
}

TEST(TouchLines, AnswersKeepTheOrderAndTheIds) {
    const std::string ball = touch_body(k_ball_shape, R"("position":[0,0,2],"velocity":[0,0,-1])");
    std::string input;
    for (int i = 0; i < 300; ++i)
        input += problem(ball, k_still_plane, 3.0, std::to_string(i * 7919 % 300)) +
                 (i % 3 ? "" : " \n\n");
    const ProgramRun run = run_touch(input);
    EXPECT_EQ(run.exit_code, 0);
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 300U);
    for (int i = 0; i < 300; ++i)
        EXPECT_EQ(answers[static_cast<std::size_t>(i)]["id"], i * 7919 % 300);
    EXPECT_EQ(run.out, run_touch(input).out);

    const ProgramRun odd =
        run_touch(problem(ball, k_still_plane, 3.0, R"("a\u00e9\"b")") +
                  problem(ball, k_still_plane, 3.0, "-2.5") +
                  fmt::format(R"({{"a":{},"b":{},"until":3}})", ball, k_still_plane));
    const std::vector<Json> ids = odd.answers();
    ASSERT_EQ(ids.size(), 3U);
    EXPECT_EQ(ids[0]["id"], "aé\"b");
    EXPECT_EQ(ids[1]["id"], -2.5);
    EXPECT_TRUE(ids[2]["id"].is_null());
}

TEST(TouchLines, FilesAreReadOneAfterTheOther) {
    const ScratchFolder scratch;
    const std::string ball =
        touch_body(k_ball_shape, R"("position":[0,0,2.25],"velocity":[0,0,-1])");
    const std::string one =
        scratch.write("one", "\n" + problem(ball, k_still_plane, 3.0, "1") + "\r\n");
    std::string last = problem(ball, k_still_plane, 3.0, "2");
    last.pop_back();
    const std::string two = scratch.write("two", last);
    const ProgramRun run = run_carom({"touch", one, two, one});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 3U);
    EXPECT_EQ(answers[0], answers[2]);
    EXPECT_EQ(answers[1]["id"], 2);
    EXPECT_EQ(run_carom({"touch", scratch.write("empty", "")}).out, "");

    const ProgramRun missing = run_carom({"touch", scratch.path("none"), two});
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_NE(missing.err.find("none"), std::string::npos) << missing.err;
}

TEST(TouchLines, TableHasARowForEachProblem) {
    const std::string falling =
        touch_body(k_ball_shape, R"("position":[0,0,2.25],"gravity":[0,0,-9.81])");
    const std::string input =
        problem(falling, k_still_plane, 3.0, R"("falls")") +
        problem(touch_body(k_ball_shape, R"("position":[0,0,2])"), k_still_plane, 3.0, "7") +
        problem(touch_body(k_ball_shape), k_still_plane, 3.0, "8") + "{\n";
    const ProgramRun run = run_touch(input, {"--table"});
    EXPECT_EQ(run.exit_code, 2);
    const std::vector<std::string> lines = run.lines();
    ASSERT_EQ(lines.size(), 5U) << run.out;
    for (const char* head : {"id", "t (s)", "point (m)", "normal", "distance (m)", "a", "b"})
        EXPECT_NE(lines[0].find(head), std::string::npos) << lines[0];
    EXPECT_NE(lines[2].find("falls"), std::string::npos);
    EXPECT_NE(lines[2].find("0.638551"), std::string::npos);
    EXPECT_NE(lines[3].find("never"), std::string::npos);
    EXPECT_NE(lines[3].find("1.75"), std::string::npos);
    EXPECT_NE(lines[4].find("-0.25"), std::string::npos);
    EXPECT_NE(run.err.find(":4: "), std::string::npos) << run.err;
    EXPECT_EQ(run_touch(input, {"--table", "--json"}).exit_code, 2);
}

}  // namespace
}  // namespace carom::tests
