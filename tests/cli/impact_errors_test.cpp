// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Bad lines: a clear error for each, and the rest still solved.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/cli/run_carom.h"

namespace carom::tests {
namespace {

constexpr const char* k_K = "[[3.5,0,0],[0,3.5,0],[0,0,1]]";
constexpr const char* k_good =
    R"({"id":"good","law":"routh","K":[[3.5,0,0],[0,3.5,0],[0,0,1]],"u":[-3,0,-5],"mu":0.4,"e":0.5})";

std::string problem(std::string_view K, std::string_view u, std::string_view more) {
    return fmt::format(R"({{"id":"bad","law":"routh","K":{},"u":{},{}}})", K, u, more);
}

std::string with(std::string_view more) {
    return problem(k_K, "[-3,0,-5]", more);
}

std::string bodies(std::string_view normal, std::string_view A, std::string_view B) {
    return fmt::format(R"({{"id":"bad","law":"routh","mu":0.4,"e":0.5,"normal":{},"A":{},"B":{}}})",
                       normal, A, B);
}

constexpr const char* k_unit = "[[1,0,0],[0,1,0],[0,0,1]]";

std::string body(std::string_view mass, std::string_view inertia = k_unit) {
    return fmt::format(R"({{"mass":{},"inertia":{},"r":[0,0,-1]}})", mass, inertia);
}

// A line that must be refused, with words that its message must hold.
struct Bad {
    const char* name;
    std::string line;
    std::vector<const char*> words;
    const char* id = "bad";  // empty: the id cannot be known
};

void PrintTo(const Bad& bad, std::ostream* out) {
    *out << bad.name;
}

class BadLine : public testing::TestWithParam<Bad> {};

// The line between two good ones: both are solved, and the message says what is wrong.
TEST_P(BadLine, IsRefusedClearlyAndTheRestIsSolved) {
    const Bad& bad = GetParam();
    const ProgramRun run = run_impact(fmt::format("{}\n{}\n{}\n", k_good, bad.line, k_good));
    EXPECT_EQ(run.exit_code, 2);
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 3U) << run.out.substr(0, 500);
    EXPECT_TRUE(answers[0].contains("impulse"));
    EXPECT_TRUE(answers[2].contains("impulse"));
    EXPECT_EQ(answers[0], answers[2]);
    ASSERT_TRUE(answers[1].is_object());
    EXPECT_FALSE(answers[1].contains("impulse")) << run.out.substr(0, 500);
    const std::string message = answers[1].value("error", "");
    for (const char* word : bad.words) {
        EXPECT_NE(message.find(word), std::string::npos) << "'" << word << "' in: " << message;
    }
    EXPECT_LT(message.size(), 400U);
    EXPECT_EQ(answers[1].value("line", 0), 2);
    if (*bad.id != '\0') {
        EXPECT_EQ(answers[1].value("id", Json()), Json(bad.id));
    }
}

std::vector<Bad> bad_matrices() {
    const char* ok = R"("mu":0.4,"e":0.5)";
    const char* u = "[-3,0,-5]";
    return {
        {"not_symmetric", problem("[[3,1,0],[0,3,0],[0,0,1]]", u, ok), {"K", "symmetric"}},
        {"not_definite", problem("[[1,2,0],[2,1,0],[0,0,1]]", u, ok), {"K", "positive definite"}},
        {"negative", problem("[[-1,0,0],[0,1,0],[0,0,1]]", u, ok), {"K", "positive definite"}},
        {"semidefinite", problem("[[1,0,0],[0,1,1],[0,1,1]]", u, ok), {"K", "positive definite"}},
        {"zero", problem("[[0,0,0],[0,0,0],[0,0,0]]", u, ok), {"K", "positive definite"}},
        {"plane_not_symmetric", problem("[[3,1],[0,3]]", "[1,-1]", ok), {"K", "symmetric"}},
        {"plane_not_definite", problem("[[1,2],[2,1]]", "[1,-1]", ok), {"K", "positive definite"}},
        {"four_rows", problem("[[1,0,0],[0,1,0],[0,0,1],[0,0,1]]", u, ok), {"K", "3 rows"}},
        {"short_row", problem("[[1,0,0],[0,1],[0,0,1]]", u, ok), {"K", "3 numbers"}},
        {"K_is_text", problem(R"("unit")", u, ok), {"K", "3 rows"}},
        {"K_holds_text", problem(R"([[1,0,0],[0,"1",0],[0,0,1]])", u, ok), {"K", "number"}},
        {"K_holds_null", problem("[[1,0,0],[0,null,0],[0,0,1]]", u, ok), {"K", "number"}},
        {"u_too_short", problem(k_K, "[1,-1]", ok), {"u", "3 numbers"}},
        {"plane_K_with_3D_u", problem("[[1,0],[0,1]]", u, ok), {"u", "2 numbers"}},
        {"u_is_a_number", problem(k_K, "-1", ok), {"u", "3 numbers"}},
        {"no_u", R"({"id":"bad","law":"routh","K":[[1,0],[0,1]],"mu":0.4,"e":0.5})", {"K and u"}},
        {"no_K", R"({"id":"bad","law":"routh","u":[1,-1],"mu":0.4,"e":0.5})", {"K and u"}},
        {"nothing", R"({"id":"bad","law":"routh","mu":0.4,"e":0.5})", {"K and u", "normal"}},
    };
}
INSTANTIATE_TEST_SUITE_P(Matrix, BadLine, testing::ValuesIn(bad_matrices()),
                         [](const auto& bad) { return bad.param.name; });

std::vector<Bad> bad_numbers() {
    const char* ok = R"("mu":0.4,"e":0.5)";
    return {
        {"nan_in_u", problem(k_K, "[NaN,0,-5]", ok), {"JSON", "column"}, ""},
        {"infinity_in_u", problem(k_K, "[0,0,-Infinity]", ok), {"JSON", "column"}, ""},
        {"inf_in_K", problem("[[inf,0,0],[0,1,0],[0,0,1]]", "[0,0,-1]", ok), {"JSON"}, ""},
        {"too_large_in_u", problem(k_K, "[0,0,-1e999]", ok), {"too large", "finite"}, ""},
        {"too_large_mu", with(R"("mu":1e400,"e":0.5)"), {"too large", "finite"}, ""},
        {"e_above_one", with(R"("mu":0.4,"e":1.0000001)"), {"e", "0 <= e <= 1"}},
        {"e_negative", with(R"("mu":0.4,"e":-0.1)"), {"e", "0 <= e <= 1"}},
        {"mu_negative", with(R"("mu":-1e-9,"e":0.5)"), {"mu", "0 <= mu"}},
        {"et_out_of_range", with(R"("mu":0.4,"e":0.5,"et":1.5)"), {"et", "-1 <= et <= 1"}},
        {"nu_is_one", with(R"("mu":0.4,"e":0.5,"nu":1)"), {"nu", "0 <= nu < 1"}},
        {"eta2_is_zero", with(R"("mu":0.4,"e":0.5,"eta2":0)"), {"eta2", "0 < eta2"}},
        {"threshold_is_zero", with(R"("mu":0.4,"e":0.5,"threshold":0)"), {"threshold", "0 <"}},
        {"sigma_out_of_range", with(R"("mu":0.4,"e":0.5,"sigma":2)"), {"sigma"}},
        {"rho_out_of_range", with(R"("mu":0.4,"e":0.5,"rho":-1)"), {"rho"}},
        {"P_too_short", with(R"("mu":0.4,"e":0.5,"P":[1,2])"), {"P", "3 numbers"}},
        {"e_is_text", with(R"("mu":0.4,"e":"0.5")"), {"e", "number"}},
        {"e_is_null", with(R"("mu":0.4,"e":null)"), {"e", "number"}},
        {"e_is_missing", with(R"("mu":0.4)"), {"routh", "needs e"}},
        {"mu_is_missing", with(R"("e":0.4)"), {"routh", "needs mu"}},
    };
}
INSTANTIATE_TEST_SUITE_P(Number, BadLine, testing::ValuesIn(bad_numbers()),
                         [](const auto& bad) { return bad.param.name; });

std::vector<Bad> bad_words() {
    const std::string rest = R"("K":[[1,0],[0,1]],"u":[1,-1],"mu":0.4,"e":0.5})";
    return {
        {"unknown_law", R"({"id":"bad","law":"ruth",)" + rest, {"law 'ruth'", "'routh'"}},
        {"strange_law", R"({"id":"bad","law":"magic",)" + rest, {"law 'magic'", "carom laws"}},
        {"law_is_a_number", R"({"id":"bad","law":3,)" + rest, {"law", "name"}},
        {"no_law", R"({"id":"bad",)" + rest, {"needs a law", "--law"}},
        {"unknown_field", R"({"id":"bad","law":"routh","muu":1,)" + rest, {"'muu'", "'mu'"}},
        {"wrong_case", R"({"id":"bad","law":"routh","k":1,)" + rest, {"unknown field 'k'"}},
        {"empty_field", R"({"id":"bad","law":"routh","":1,)" + rest, {"unknown field ''"}},
        {"termination",
         R"({"id":"bad","law":"routh","termination":"late",)" + rest,
         {"'late'", "stronge", "poisson-first"}},
        {"termination_number",
         R"({"id":"bad","law":"routh","termination":1,)" + rest,
         {"termination", "newton"}},
        {"reversal", R"({"id":"bad","law":"particle","reversal":1,)" + rest, {"true or false"}},
        {"trace", R"({"id":"bad","law":"routh","trace":"yes",)" + rest, {"trace", "true or false"}},
        {"fallback", R"({"id":"bad","law":"micro","fallback":"routth",)" + rest, {"'routh'"}},
        {"micro_on_micro",
         R"({"id":"bad","law":"micro","fallback":"micro",)" + rest,
         {"fallback", "other than micro"}},
        {"compliant", R"({"id":"bad","law":"compliant",)" + rest, {"nu or eta2"}},
        {"compliant_both",
         R"({"id":"bad","law":"compliant","nu":0.3,"eta2":1,)" + rest,
         {"either nu or eta2"}},
        {"law_of_space", R"({"id":"bad","law":"brach","mu2":0.1,"mu3":0,)" + rest, {"brach", "3D"}},
        {"id_is_a_list", R"({"id":[1],"law":"routh",)" + rest, {"id"}, ""},
        {"id_is_an_object", R"({"id":{},"law":"routh",)" + rest, {"id"}, ""},
        {"both_forms", R"({"id":"bad","law":"routh","normal":[0,0,1],)" + rest, {"not both"}},
    };
}
INSTANTIATE_TEST_SUITE_P(Word, BadLine, testing::ValuesIn(bad_words()),
                         [](const auto& bad) { return bad.param.name; });

std::vector<Bad> bad_bodies() {
    const char* z = "[0,0,1]";
    const char* fixed = R"("fixed")";
    return {
        {"no_normal", R"({"id":"bad","law":"routh","mu":0,"e":0,"A":{},"B":"fixed"})", {"normal"}},
        {"no_B", R"({"id":"bad","law":"routh","mu":0,"e":0,"normal":[0,0,1],"A":{}})", {"B"}},
        {"zero_normal", bodies("[0,0,0]", body("1"), fixed), {"normal", "zero"}},
        {"both_fixed", bodies(z, fixed, R"({"fixed":true})"), {"both fixed"}},
        {"zero_mass", bodies(z, body("0"), fixed), {"A.mass", "greater than zero"}},
        {"negative_mass", bodies(z, fixed, body("-1")), {"B.mass", "greater than zero"}},
        {"mass_is_text", bodies(z, body(R"("heavy")"), fixed), {"A.mass", "number"}},
        {"skew_inertia",
         bodies(z, body("1", "[[1,0,0],[1,1,0],[0,0,1]]"), fixed),
         {"A.inertia", "symmetric"}},
        {"flat_inertia",
         bodies(z, body("1", "[[1,0,0],[0,1,0],[0,0,0]]"), fixed),
         {"A.inertia", "positive definite"}},
        {"no_inertia", bodies(z, R"({"mass":1,"r":[0,0,-1]})", fixed), {"A needs inertia"}},
        {"empty_body", bodies(z, "{}", fixed), {"A needs mass"}},
        {"no_body", bodies(z, "null", fixed), {"A", "fixed"}},
        {"free_body", bodies(z, body("1"), R"("free")"), {"B", "fixed"}},
        {"fixed_is_one", bodies(z, body("1"), R"({"fixed":1})"), {"B.fixed", "true or false"}},
        {"unknown_field",
         bodies(z, body("1"), R"({"fixed":true,"omega":[0,0,1]})"),
         {"B.omega", "w"}},
        {"short_v", bodies(z, body("1"), R"({"fixed":true,"v":[0,1]})"), {"B.v", "3 numbers"}},
    };
}
INSTANTIATE_TEST_SUITE_P(Body, BadLine, testing::ValuesIn(bad_bodies()),
                         [](const auto& bad) { return bad.param.name; });

std::vector<Bad> bad_text() {
    using namespace std::string_literals;
    const std::string good = k_good;
    return {
        {"plain_words", "hello", {"JSON", "column 1"}, ""},
        {"a_list", "[1,2,3]", {"object"}, ""},
        {"a_number", "42", {"object"}, ""},
        {"a_string", R"("routh")", {"object"}, ""},
        {"two_objects", good + good, {"JSON"}, ""},
        {"trailing_comma", good.substr(0, good.size() - 1) + ",}", {"JSON"}, ""},
        {"comment", good + " // why", {"JSON"}, ""},
        {"zero_byte_inside", "{\"id\":\"bad\"\0,"s + good.substr(1), {"JSON"}, ""},
        {"zero_byte_after", good + "\0"s + "x", {"JSON"}, ""},
        {"not_utf8", "{\"id\":\"\xff\xfe\"}", {"JSON"}, ""},
        {"not_utf8_outside", "\xc3\x28", {"JSON"}, ""},
        {"half_a_character", "{\"id\":\"\xf0\x9f", {"JSON"}, ""},
        {"lone_surrogate", R"({"id":"\ud800"})", {"JSON"}, ""},
        {"deep_lists", std::string(100000, '['), {"JSON"}, ""},
        {"deep_but_whole",
         R"({"id":"bad","law":"routh","K":)" + std::string(100000, '[') + std::string(100000, ']') +
             "}",
         {"nested too deeply"},
         ""},
        {"long_word", fmt::format("\"{}", std::string(100000, 'x')), {"JSON"}, ""},
        {"long_field",
         R"({"id":"bad","law":"routh",")" + std::string(100000, 'x') + "\":1}",
         {"unknown field"}},
        {"long_law", R"({"id":"bad","law":")" + std::string(100000, 'x') + "\"}", {"unknown law"}},
    };
}
INSTANTIATE_TEST_SUITE_P(Text, BadLine, testing::ValuesIn(bad_text()),
                         [](const auto& bad) { return bad.param.name; });

// A line cut off anywhere is refused, and nothing around it suffers.
TEST(ImpactErrors, ALineCutOffAnywhereIsRefused) {
    const std::string good = k_good;
    std::string input;
    for (std::size_t length = 1; length < good.size(); ++length) {
        input += good.substr(0, length) + "\n" + good + "\n";
    }
    const ProgramRun run = run_impact(input);
    EXPECT_EQ(run.exit_code, 2);
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 2 * (good.size() - 1));
    for (std::size_t i = 0; i < answers.size(); i += 2) {
        EXPECT_TRUE(answers[i].contains("error")) << i;
        EXPECT_EQ(answers[i].value("line", std::size_t{0}), i + 1);
        EXPECT_TRUE(answers[i + 1].contains("impulse")) << i;
    }
}

// Finite input whose results may be too large for a double: nothing that is no number is printed.
class LargeNumbers : public testing::TestWithParam<const char*> {};

TEST_P(LargeNumbers, GiveAnErrorOrFiniteAnswers) {
    const char* tiny = "[[1e-300,0,0],[0,1e-300,0],[0,0,1e-300]]";
    const char* ok = R"("mu":0.4,"e":0.5)";
    const std::vector<std::string> lines{
        problem(k_K, "[0,0,-1e200]", ok),
        problem(k_K, "[1e308,0,-1e308]", ok),
        problem(tiny, "[1e100,0,-1e100]", ok),
        problem(k_K, "[1e300,0,-1e-300]", R"("mu":1e300,"e":1)"),
        problem("[[2,0,1.9],[0,2,0],[1.9,0,2]]", "[1,0,-5e-324]", R"("mu":1,"e":1)"),
        bodies("[0,0,1]",
               R"({"mass":1e-300,"inertia":[[1,0,0],[0,1,0],[0,0,1]],"r":[0,0,-1],)"
               R"("v":[0,0,-1e308]})",
               R"("fixed")"),
    };
    std::vector<std::string> options;
    if (*GetParam() != '\0') options.emplace_back(GetParam());
    for (const std::string& line : lines) {
        const ProgramRun run = run_impact(line, options);
        EXPECT_NE(run.exit_code, -1) << line;
        EXPECT_TRUE(run.answer().is_object()) << line;
    }
}

INSTANTIATE_TEST_SUITE_P(Options, LargeNumbers,
                         testing::Values("", "--trace", "--region", "--all"));

}  // namespace
}  // namespace carom::tests
