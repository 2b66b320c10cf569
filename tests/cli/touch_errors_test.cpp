// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Bad lines of `carom touch`: a clear error for each with the path of the field, and the rest still
// answered; numbers at the ends of the range: an error or a finite answer, in bounded time.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>

#include "tests/cli/run_carom.h"
#include "tests/cli/touch_problems.h"

namespace carom::tests {
namespace {

constexpr const char* k_good_touch =
    R"({"id":"good","a":{"shape":{"type":"sphere","radius":1},"motion":{"position":[0,0,6],)"
    R"("gravity":[0,0,-10]}},"b":{"shape":{"type":"plane"}},"until":2})";

// While it lives, programs that are started end after some seconds of computing.
class ComputingLimit {
public:
    explicit ComputingLimit(rlim_t seconds) {
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        getrlimit(RLIMIT_CPU, &before_);
        rlimit limit = before_;
        limit.rlim_cur = seconds + static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
        setrlimit(RLIMIT_CPU, &limit);
    }
    ~ComputingLimit() { setrlimit(RLIMIT_CPU, &before_); }
    ComputingLimit(const ComputingLimit&) = delete;
    ComputingLimit& operator=(const ComputingLimit&) = delete;

private:
    rlimit before_{};
};

ProgramRun run_touch_briefly(std::string_view input, std::vector<std::string> options = {}) {
    const ComputingLimit limit(20);
    options.insert(options.begin(), "touch");
    return run_carom(options, input);
}

std::string pair(std::string_view a, std::string_view b = k_still_plane,
                 std::string_view until = "1") {
    return fmt::format(R"({{"id":"bad","a":{},"b":{},"until":{}}})", a, b, until);
}

std::string shape(std::string_view fields) {
    return pair(touch_body(fmt::format("{{{}}}", fields), R"("position":[0,0,9])"));
}

std::string hull(std::string_view points) {
    return shape(fmt::format(R"("type":"hull","points":{})", points));
}

std::string motion(std::string_view fields) {
    return pair(touch_body(k_cube_shape, fields));
}

// A line that must be refused, with words that its message must hold.
struct BadTouchLine {
    const char* name;
    std::string line;
    std::vector<const char*> words;
    const char* id = "bad";  // empty: the id cannot be known
};

void PrintTo(const BadTouchLine& bad, std::ostream* out) {
    *out << bad.name;
}

void expect_line_refused(const BadTouchLine& bad) {
    const ProgramRun run =
        run_touch_briefly(fmt::format("{}\n{}\n{}\n", k_good_touch, bad.line, k_good_touch));
    EXPECT_EQ(run.exit_code, 2) << run.err;
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 3U) << run.out.substr(0, 500);
    EXPECT_EQ(answers[0].value("t", 0.0), 1.0);
    EXPECT_EQ(answers[0], answers[2]);
    ASSERT_TRUE(answers[1].is_object() && answers[1].contains("error")) << answers[1];
    EXPECT_FALSE(answers[1].contains("t"));
    const std::string message = answers[1].value("error", "");
    for (const char* word : bad.words)
        EXPECT_NE(message.find(word), std::string::npos) << "'" << word << "' in: " << message;
    EXPECT_LT(message.size(), 400U);
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_EQ(answers[1].value("line", 0), 2);
    if (*bad.id != '\0') {
        EXPECT_EQ(answers[1].value("id", Json()), Json(bad.id));
    }
}

class BadTouch : public testing::TestWithParam<BadTouchLine> {};

TEST_P(BadTouch, IsRefusedClearlyAndTheRestIsAnswered) {
    expect_line_refused(GetParam());
}

const auto k_name_of_bad_touch = [](const auto& bad) { return bad.param.name; };

std::vector<BadTouchLine> bad_shapes() {
    const char* points = "a.shape.points";
    return {
        {"coplanar", hull("[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]"), {points, "one plane"}},
        {"coplanar_tilted", hull("[[0,0,0],[1,0,1],[0,1,3],[1,1,4],[2,1,5]]"), {points, "plane"}},
        {"collinear", hull("[[0,0,0],[1,2,3],[2,4,6],[3,6,9]]"), {points, "one line"}},
        {"repeated", hull("[[1,2,3],[1,2,3],[1,2,3],[1,2,3]]"), {points, "equal"}},
        {"three_points", hull("[[0,0,0],[1,0,0],[0,1,0]]"), {points, "at least 4"}},
        {"no_points", hull("[]"), {points, "at least one"}},
        {"nan_point", hull("[[NaN,0,0],[1,0,0],[0,1,0],[0,0,1]]"), {"JSON", "NaN"}, ""},
        {"null_point", hull("[[0,0,0],[1,0,0],[0,null,0],[0,0,1]]"), {"a.shape.points[2]"}},
        {"plane_point", hull("[[0,0],[1,0],[0,1],[1,1]]"), {"a.shape.points[0]", "3 numbers"}},
        {"huge_points", hull("[[1e308,0,0],[0,1,0],[0,0,1],[0,0,0]]"), {points, "1e60"}},
        {"tiny_points", hull("[[1e-300,0,0],[0,1e-300,0],[0,0,1e-300],[0,0,0]]"), {points}},
        {"points_and_file", shape(R"("type":"hull","points":[],"file":"x")"), {"either points"}},
        {"no_radius", shape(R"("type":"sphere")"), {"a.shape.radius", "missing"}},
        {"zero_radius", shape(R"("type":"sphere","radius":0)"), {"a.shape", "radius", "larger"}},
        {"minus_radius", shape(R"("type":"sphere","radius":-1)"), {"a.shape", "radius is -1"}},
        {"tiny_radius", shape(R"("type":"sphere","radius":1e-300)"), {"a.shape", "1e-300"}},
        {"huge_radius", shape(R"("type":"sphere","radius":1e300)"), {"a.shape", "1e+300"}},
        {"text_radius", shape(R"("type":"sphere","radius":"1")"), {"a.shape.radius", "number"}},
        {"flat_box", shape(R"("type":"box","size":[1,0,1])"), {"a.shape", "size[1]"}},
        {"minus_box", shape(R"("type":"box","size":[1,1,-1])"), {"a.shape", "size[2]"}},
        {"short_box", shape(R"("type":"box","size":[1,1])"), {"a.shape.size", "3 numbers"}},
        {"cylinder", shape(R"("type":"cylinder","radius":1,"height":0)"), {"a.shape", "height"}},
        {"cone", shape(R"("type":"cone","radius":-1,"height":1)"), {"a.shape", "radius"}},
        {"capsule", shape(R"("type":"capsule","radius":1,"length":-1)"), {"a.shape", "length"}},
        {"plane",
         pair(touch_body(k_ball_shape), touch_body(R"({"type":"plane","normal":[0,0,0]})")),
         {"b.shape"}},
        {"unknown", shape(R"("type":"shpere","radius":1)"), {"a.shape.type", "'shpere'", "sphere"}},
        {"no_type", shape(R"("radius":1)"), {"a.shape.type", "missing"}},
        {"text_shape", pair(R"({"shape":"sphere"})"), {"a.shape", "object"}},
        {"no_parts", shape(R"("type":"compound","parts":[])"), {"a.shape.parts", "at least one"}},
        {"bad_part",
         shape(R"("type":"compound","parts":[{"type":"sphere","radius":1},{"type":"box"}])"),
         {"a.shape.parts[1].size", "missing"}},
        {"turned_part",
         shape(
             R"("type":"compound","parts":[{"type":"sphere","radius":1,"orientation":[2,0,0,0]}])"),
         {"a.shape.parts[0].orientation", "unit"}},
    };
}
INSTANTIATE_TEST_SUITE_P(Shape, BadTouch, testing::ValuesIn(bad_shapes()), k_name_of_bad_touch);

std::vector<BadTouchLine> bad_motions() {
    const char* place = "a.motion";
    return {
        {"zero_mass", motion(R"("mass":0)"), {place, "mass", "0"}},
        {"minus_mass", motion(R"("mass":-1)"), {place, "mass"}},
        {"zero_density", motion(R"("density":0)"), {place, "density", "0"}},
        {"minus_density", motion(R"("density":-3)"), {place, "density"}},
        {"minus_mass_fixed",
         motion(R"("position":[0,0,9],"mass":-1,"fixed":true)"),
         {place, "mass"}},
        {"both", motion(R"("mass":1,"density":1)"), {place, "mass or density"}},
        {"both_fixed",
         motion(R"("position":[0,0,9],"mass":1,"density":1,"fixed":true)"),
         {place, "mass or density"}},
        {"triangle", motion(R"("inertia":[[1,0,0],[0,1,0],[0,0,3]])"), {place, "triangle"}},
        {"minus_inertia", motion(R"("inertia":[[-1,0,0],[0,1,0],[0,0,1]])"), {place, "definite"}},
        {"zero_inertia", motion(R"("inertia":[[0,0,0],[0,0,0],[0,0,0]])"), {place, "inertia"}},
        {"askew_inertia", motion(R"("inertia":[[1,0.5,0],[0,1,0],[0,0,1]])"), {place, "symmetric"}},
        {"inertia_list", motion(R"("inertia":[1,1,1])"), {"a.motion.inertia", "3 numbers"}},
        {"long_quaternion", motion(R"("orientation":[1.01,0,0,0])"), {"orientation", "1.01"}},
        {"zero_quaternion", motion(R"("orientation":[0,0,0,0])"), {"a.motion.orientation", "unit"}},
        {"huge_quaternion", motion(R"("orientation":[1e308,1e308,0,0])"), {"orientation", "unit"}},
        {"quaternion_of_3", motion(R"("orientation":[1,0,0])"), {"orientation", "[w, x, y, z]"}},
        {"zero_axis", motion(R"("axis":[0,0,0],"angle":9)"), {"a.motion.axis", "zero"}},
        {"axis_alone", motion(R"("axis":[0,0,1])"), {"a.motion.angle", "missing"}},
        {"angle_alone", motion(R"("angle":5)"), {"a.motion.axis", "missing"}},
        {"axis_twice", motion(R"("axis":[0,0,1],"angle":9,"orientation":[1,0,0,0])"), {"not both"}},
        {"free_pivot", motion(R"("pivot":[0,0,0])"), {"a.motion.pivot", "fixed"}},
        {"fixed_text", motion(R"("fixed":"yes")"), {"a.motion.fixed", "true or false"}},
        {"fixed_falling",
         motion(R"("position":[0,0,9],"fixed":true,"gravity":[0,0,-9.81])"),
         {"a.motion.gravity", "fixed"}},
        {"falling_plane",
         pair(touch_body(k_ball_shape, R"("position":[0,0,9])"),
              touch_body(R"({"type":"plane"})", R"("gravity":[0,0,-9.81])")),
         {"b.motion.gravity"}},
        {"free_plane",
         pair(touch_body(k_ball_shape, R"("position":[0,0,9])"),
              touch_body(R"({"type":"plane"})", R"("fixed":false,"velocity":[0,0,1])")),
         {"b.motion.fixed", "plane"}},
        {"turning_plane",
         pair(touch_body(k_ball_shape),
              touch_body(R"({"type":"plane"})", R"("angular_velocity":[0,0,1])")),
         {"b.motion.angular_velocity", "plane"}},
        {"two_planes", pair(k_still_plane), {"a and b", "planes"}},
        {"text_position", motion(R"("position":"up")"), {"a.motion.position", "3 numbers"}},
        {"null_motion", pair(R"({"shape":{"type":"sphere","radius":1},"motion":null})"), {place}},
        {"misspelt", motion(R"("velocty":[0,0,1])"), {"a.motion.velocty", "'velocity'"}},
        {"unknown_field", motion(R"("colour":"red")"), {"unknown field 'a.motion.colour'"}},
    };
}
INSTANTIATE_TEST_SUITE_P(Motion, BadTouch, testing::ValuesIn(bad_motions()), k_name_of_bad_touch);

std::vector<BadTouchLine> bad_lines() {
    const std::string ball = touch_body(k_ball_shape);
    const auto line = [&](std::string_view rest) {
        return fmt::format(R"({{"id":"bad","a":{},{}}})", ball, rest);
    };
    const std::string b = fmt::format(R"("b":{})", k_still_plane);
    return {
        {"no_until", line(b), {"until", "missing"}},
        {"minus_until", line(b + R"(,"until":-1)"), {"until"}},
        {"text_until", line(b + R"(,"until":"1")"), {"until", "number"}},
        {"infinite_until", line(b + R"(,"until":1e999)"), {"too large"}, ""},
        {"no_b", line(R"("until":1)"), {"b is missing"}},
        {"list_for_b", line(R"("b":[],"until":1)"), {"b must be an object"}},
        {"no_shape", line(R"("b":{},"until":1)"), {"b.shape", "missing"}},
        {"third_body", line(b + R"(,"c":{},"until":1)"), {"unknown field 'c'"}},
        {"misspelt_motion",
         pair(R"({"shape":{"type":"sphere","radius":1},"mtion":{}})"),
         {"'a.mtion'", "'motion'"}},
        {"until_twice", line(b + R"(,"until":1,"until":2)"), {"'until'", "twice"}, ""},
        {"radius_twice",
         shape(R"("type":"sphere","radius":1,"radius":1)"),
         {"'radius'", "twice"},
         ""},
        {"truncated", R"({"id":"bad","a":{"shape":{"type":"sph)", {"JSON", "column"}, ""},
        {"not_an_object", "[1,2,3]", {"object"}, ""},
        {"deep_lists", std::string(200'000, '['), {"deep"}, ""},
        {"deep_bodies",
         R"({"id":1,"a":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}",
         {"deep"},
         ""},
        {"id_is_a_list", R"({"id":[1],"until":1})", {"id"}, ""},
        {"not_utf8", "{\"id\":\"\xff\xfe\"}", {"JSON"}, ""},
    };
}
INSTANTIATE_TEST_SUITE_P(Line, BadTouch, testing::ValuesIn(bad_lines()), k_name_of_bad_touch);

constexpr const char* k_corners =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n";
constexpr const char* k_open = "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\n";
// An L of two cubes and a half.
constexpr const char* k_concave =
    "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\n"
    "v 1 2 1\nv 0 2 1\nf 6 5 4 3 2 1\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\n"
    "f 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";

TEST(TouchMeshes, BrokenOnesAreRefusedClearly) {
    const ScratchFolder scratch;
    const std::string corners = k_corners;
    const std::string whole = corners + k_open + "f 5 6 8 7\n";
    const auto mesh = [&](const char* name, std::string_view content) {
        return shape(fmt::format(R"("type":"mesh","file":"{}")", scratch.write(name, content)));
    };
    const std::string good = scratch.write("good.obj", whole);
    const char* place = "a.shape.file";
    const std::vector<BadTouchLine> all = {
        {"missing", shape(R"("type":"mesh","file":"/nowhere/x.obj")"), {place, "/nowhere/x.obj"}},
        {"folder", shape(R"("type":"mesh","file":"/")"), {place}},
        {"no name", shape(R"("type":"mesh","file":"")"), {place}},
        {"number", shape(R"("type":"mesh","file":3)"), {place, "text"}},
        {"nothing", shape(R"("type":"mesh")"), {"a.shape", "either file or pieces"}},
        {"format", mesh("a.xyz", whole), {place, "'.xyz'", ".obj"}},
        {"empty", mesh("a.obj", ""), {place, "empty"}},
        {"open", mesh("b.obj", corners + k_open), {place, "closed"}},
        {"index", mesh("c.obj", whole + "f 1 2 99\n"), {place}},
        {"nan", mesh("d.obj", "v nan 0 0\n" + whole + "f 1 2 3\n"), {place, "finite"}},
        {"points", mesh("e.obj", corners), {place, "no triangles"}},
        {"concave", mesh("f.obj", k_concave), {place, "convex", "pieces"}},
        {"stl",
         mesh("a.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0"),
         {place, "stl"}},
        {"ply", mesh("a.ply", "ply\nformat ascii 1.0\nelement vertex 99999999"), {place, "ply"}},
        {"glb", mesh("a.glb", "glTF\x02"), {place, "glb"}},
        {"gltf", mesh("a.gltf", "{\"meshes\":[{}]"), {place, "gltf"}},
        {"piece",
         shape(fmt::format(R"("type":"mesh","pieces":["{}","/nowhere/y.obj"])", good)),
         {"a.shape.pieces", "/nowhere/y.obj"}},
    };
    for (const BadTouchLine& bad : all) {
        SCOPED_TRACE(bad.name);
        expect_line_refused(bad);
    }
}

TEST(TouchErrors, NearlyUnitQuaternionsAreNormalised) {
    const auto answer = [](const char* q) {
        return run_touch_briefly(
                   pair(touch_body(k_cube_shape,
                                   fmt::format(R"("position":[0,0,2],"orientation":{})", q))))
            .answer();
    };
    EXPECT_EQ(answer("[1.0005,0,0,0]").value("distance", 0.0), 1.5);
    EXPECT_EQ(answer("[0,0,0,-0.9995]").value("distance", 0.0), 1.5);
    EXPECT_NEAR(answer("[0.92388,0.38268,0,0]").value("distance", 0.0), 2.0 - std::sqrt(0.5), 1e-5);
}

TEST(TouchErrors, ASearchOutOfStepsIsReported) {
    const std::string hard =
        pair(touch_body(k_cube_shape,
                        R"("position":[0,0,3],"angular_velocity":[3,1,2],"velocity":[0,0,-1])"),
             touch_body(k_cone_shape), "10");
    const ProgramRun run = run_touch_briefly(
        fmt::format("{}\n{}\n{}\n", k_good_touch, hard, k_good_touch), {"--steps", "1"});
    EXPECT_EQ(run.exit_code, 1);
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 3U);
    EXPECT_EQ(answers[0], answers[2]);
    EXPECT_EQ(answers[0].value("t", 0.0), 1.0);
    EXPECT_EQ(answers[1].value("id", ""), "bad");
    const std::string message = answers[1].value("error", "");
    for (const char* word : {"1 step", "no contact before t = ", "--steps"})
        EXPECT_NE(message.find(word), std::string::npos) << message;
    // a wrong line weighs more
    EXPECT_EQ(run_touch_briefly(hard + "\n{\n", {"--steps", "1"}).exit_code, 2);
    const ProgramRun enough = run_touch_briefly(hard);
    EXPECT_EQ(enough.exit_code, 0);
    EXPECT_TRUE(enough.answer().value("t", Json()).is_number());
    for (const char* wrong : {"0", "-1", "many", "1.5"}) {
        const ProgramRun refused = run_touch_briefly(hard, {"--steps", wrong});
        EXPECT_EQ(refused.exit_code, 2) << wrong;
        EXPECT_EQ(refused.out, "");
        EXPECT_LT(refused.err.size(), 300U) << refused.err;
    }
}

// Numbers at the ends of the range in every field of a motion, over pairs of shapes: an error or an
// answer that holds. JSON has no NaN and no infinity, so that answers() fails on them.
TEST(TouchErrors, ExtremeNumbersGiveAnErrorOrAFiniteAnswer) {
    const char* shapes[] = {k_ball_shape,
                            k_cube_shape,
                            k_cone_shape,
                            R"({"type":"cylinder","radius":1,"height":1})",
                            R"({"type":"capsule","radius":1,"length":1})",
                            R"({"type":"hull","points":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]})"};
    std::string input;
    for (const char* field : {"position", "velocity", "gravity", "angular_velocity", "pivot"}) {
        for (const char* value : {"[1e308,0,0]", "[0,-1e308,1e308]", "[0,1e300,1]",
                                  "[1e160,0,1e20]", "[0,0,1e-300]", "[5e-324,0,0]"}) {
            for (const char* a : shapes) {
                const bool fixed = std::string_view(field) == "pivot";
                const std::string moving = touch_body(
                    a, fmt::format(R"("{}":{}{})", field, value,
                                   fixed ? R"(,"fixed":true,"angular_velocity":[1,0,0])" : ""));
                input += pair(moving) + "\n" +
                         pair(moving, touch_body(k_cone_shape, R"("position":[9,9,9])")) + "\n" +
                         pair(touch_body(k_ball_shape, R"("position":[-5,0,0])"), moving) + "\n";
            }
        }
    }
    for (const char* until : {"1e308", "1e200", "1e-300", "5e-324"}) {
        for (const char* a : shapes) {
            for (const char* how : {R"("velocity":[0,0,1])", R"("gravity":[0,0,1])"}) {
                const std::string moving =
                    touch_body(a, fmt::format(R"("position":[0,0,3],{})", how));
                input += pair(moving, k_still_plane, until) + "\n" +
                         pair(moving, touch_body(k_cube_shape), until) + "\n";
            }
        }
    }
    const ProgramRun run = run_touch_briefly(input, {"--steps", "2000"});
    EXPECT_GE(run.exit_code, 0);
    EXPECT_EQ(run.answers().size(),
              static_cast<std::size_t>(std::count(input.begin(), input.end(), '\n')));
    EXPECT_EQ(run.out.find("nan"), std::string::npos);
}

// A body with three different moments that hardly turns keeps its distance.
TEST(TouchErrors, HardlyTurningBodiesHaveADistance) {
    const char* slab =
        R"({"type":"compound","parts":[{"type":"sphere","radius":0.2,"position":[0,1,3.5]},)"
        R"({"type":"sphere","radius":0.3}]})";
    for (const char* spin : {"5e-324", "1e-310", "1e-200", "1e-160", "1e-150", "1e-100"}) {
        for (const char* a : {R"({"type":"box","size":[1,2,0.6]})", slab}) {
            const ProgramRun run = run_touch_briefly(pair(touch_body(
                a, fmt::format(R"("position":[0,0,2.3],"angular_velocity":[0,{0},{0}])", spin))));
            EXPECT_EQ(run.exit_code, 0) << run.err;
            EXPECT_NEAR(run.answer().value("distance", 0.0), 2.0, 1e-12) << spin << run.out;
        }
    }
}

// A body far away from the other touches nothing, whatever rounding makes of its coordinates.
TEST(TouchErrors, FarBodiesNeverTouchFalsely) {
    for (const char* far : {"[1e20,0,0]", "[0,1e60,0]", "[1e308,0,0]", "[0,-1e308,1e155]"}) {
        for (const char* a : {k_ball_shape, k_cube_shape, k_cone_shape}) {
            const ProgramRun run = run_touch_briefly(pair(
                touch_body(a, fmt::format(R"("position":{})", far)), touch_body(k_cube_shape)));
            EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 2) << run.err;
            const Json answer = run.answer();
            EXPECT_TRUE(!answer.contains("t") || answer["t"].is_null()) << far << a << run.out;
        }
    }
}

}  // namespace
}  // namespace carom::tests
