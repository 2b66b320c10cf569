// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Joint problems that are none: a clear error for each, and the rest still solved.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/cli/run_carom.h"

namespace carom::tests {
namespace {

constexpr const char* k_falling_ball =
    R"({"mass":1,"inertia":[[0.4,0,0],[0,0.4,0],[0,0,0.4]],"position":[0,0,1],"v":[0,0,-1]})";
constexpr const char* k_contact = R"({"a":0,"b":1,"point":[0,0,0],"normal":[0,0,1]})";
constexpr const char* k_top = R"("law":"routh","mu":0.4,"e":0.5)";

std::string line(std::string_view top, std::string_view bodies, std::string_view contacts) {
    return fmt::format(R"({{"id":"bad",{},"bodies":[{}],"contacts":[{}]}})", top, bodies, contacts);
}

std::string with_top(std::string_view top) {
    return line(top, std::string(k_falling_ball) + R"(,"fixed")", k_contact);
}

std::string with_body(std::string_view body) {
    return line(k_top, std::string(body) + R"(,"fixed")", k_contact);
}

std::string with_contact(std::string_view contact) {
    return line(k_top, std::string(k_falling_ball) + R"(,"fixed")", contact);
}

struct BadContacts {
    const char* name;
    std::string line;
    const char* message;
    const char* id = "bad";  // empty: the id cannot be known
};

void PrintTo(const BadContacts& bad, std::ostream* out) {
    *out << bad.name;
}

class BadMultiContactLine : public testing::TestWithParam<BadContacts> {};

TEST_P(BadMultiContactLine, IsRefusedClearlyAndTheRestIsSolved) {
    const BadContacts& bad = GetParam();
    const std::string good = with_top(k_top);
    const ProgramRun run = run_impact(fmt::format("{}\n{}\n{}\n", good, bad.line, good));
    EXPECT_EQ(run.exit_code, 2);
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 3U) << run.out.substr(0, 500);
    EXPECT_TRUE(answers[0].contains("bodies"));
    EXPECT_EQ(answers[0], answers[2]);
    const std::string message = answers[1].value("error", "");
    EXPECT_NE(message.find(bad.message), std::string::npos) << message;
    EXPECT_EQ(answers[1].value("line", 0), 2);
    if (*bad.id != '\0') {
        EXPECT_EQ(answers[1].value("id", Json()), Json(bad.id));
    }
}

std::vector<BadContacts> bad_tops() {
    const auto more = [](const char* field) { return with_top(std::string(k_top) + "," + field); };
    return {
        {"multiple", more(R"("multiple":"couplet")"),
         "multiple must be one of sequential, coupled and simultaneous, not 'couplet'; did you "
         "mean "
         "'coupled'?"},
        {"multiple_number", more(R"("multiple":1)"), "multiple must be a text"},
        {"ties", more(R"("ties":"first")"), "ties must be one of index and random, not 'first'"},
        {"seed", more(R"("seed":-1)"), "seed must be a whole number"},
        {"half_seed", more(R"("seed":0.5)"), "seed must be a whole number"},
        {"rounds", more(R"("most_rounds":0)"), "most_rounds must be at least 1"},
        {"tolerance", more(R"("tolerance":1)"), "0 <= tolerance < 1"},
        {"reclose", more(R"("reclose":"gab")"), "reclose must be one of gap and approach"},
        {"restitution", more(R"("restitution":"stronge")"),
         "restitution must be one of newton and poisson"},
        {"unknown", more(R"("stifness":1)"), "unknown field 'stifness'; did you mean 'stiffness'?"},
        {"trace", more(R"("trace":true)"), "unknown field 'trace'"},
        {"law", with_top(R"("law":"ruth","e":0,"mu":0)"),
         "unknown law 'ruth'; did you mean 'routh'?"},
        {"no_law", with_top(R"("e":0.5)"), "contacts[0] needs a law"},
        {"parameter", with_top(R"("law":"routh","e":2,"mu":0)"), "e is out of range"},
        {"missing", with_top(R"("law":"routh","e":0.5)"), "contacts[0]: law 'routh' needs mu"},
        {"twice", more(R"("mu":0.3)"), "'mu' is given twice", ""},
        {"no_bodies", R"({"id":"bad","contacts":[]})", "bodies is missing"},
        {"no_contacts", fmt::format(R"({{"id":"bad","bodies":[{}]}})", k_falling_ball),
         "contacts is missing"},
        {"empty", line(k_top, k_falling_ball, ""),
         "contacts must be a list with at least one element"},
        {"only_multiple", R"({"id":"bad","multiple":"coupled"})", "bodies is missing"},
        {"id", R"({"id":[1],"bodies":[],"contacts":[]})", "id must be a number or a string", ""},
        {"json", R"({"id":"bad","bodies":[],"contacts":[}])", "not valid JSON at column", ""},
    };
}

std::vector<BadContacts> bad_bodies_of_contacts() {
    return {
        {"word", with_body(R"("free")"), R"(bodies[0] must be a body, { ... }, or "fixed")"},
        {"number", with_body("1"), R"(bodies[0] must be a body, { ... }, or "fixed")"},
        {"massless", with_body(R"({"position":[0,0,1]})"), "bodies[0] needs mass"},
        {"no_inertia", with_body(R"({"mass":1,"position":[0,0,1]})"), "bodies[0] needs inertia"},
        {"nowhere", with_body(R"({"mass":1,"inertia":[[1,0,0],[0,1,0],[0,0,1]]})"),
         "bodies[0] needs position"},
        {"no_mass",
         with_body(R"({"mass":0,"inertia":[[1,0,0],[0,1,0],[0,0,1]],"position":[0,0,1]})"),
         "bodies[0].mass must be greater than zero"},
        {"inertia",
         with_body(R"({"mass":1,"inertia":[[1,2,0],[2,1,0],[0,0,1]],"position":[0,0,1]})"),
         "bodies[0].inertia must be symmetric positive definite"},
        {"rows", with_body(R"({"mass":1,"inertia":[1,1,1],"position":[0,0,1]})"),
         "bodies[0].inertia[0] must be a list of 3 numbers"},
        {"fast", with_body(R"({"fixed":true,"v":[0,0,1e60]})"),
         "bodies[0].v is too large; its components must be at most 1e50"},
        {"misspelt", with_body(R"({"mas":1,"position":[0,0,1]})"),
         "unknown field 'bodies[0].mas'; did you mean 'mass'?"},
        {"light",
         with_body(R"({"mass":1e-310,"inertia":[[1,0,0],[0,1,0],[0,0,1]],"position":[0,0,1]})"),
         "bodies[0] is too light to be a body"},
        {"both_fixed", line(k_top, R"("fixed","fixed")", k_contact),
         "contacts[0]: its bodies are both fixed"},
    };
}

std::vector<BadContacts> bad_contacts() {
    return {
        {"no_body", with_contact(R"({"a":0,"b":2,"point":[0,0,0],"normal":[0,0,1]})"),
         "contacts[0]: a and b must be indices of bodies, below 2"},
        {"far", with_contact(R"({"a":0,"b":4294967297,"point":[0,0,0],"normal":[0,0,1]})"),
         "contacts[0]: a and b must be indices of bodies, below 2"},
        {"half", with_contact(R"({"a":0.5,"b":1,"point":[0,0,0],"normal":[0,0,1]})"),
         "contacts[0].a must be a whole number"},
        {"same", with_contact(R"({"a":0,"b":0,"point":[0,0,0],"normal":[0,0,1]})"),
         "contacts[0]: a and b must be two different bodies"},
        {"no_b", with_contact(R"({"a":0,"point":[0,0,0],"normal":[0,0,1]})"),
         "contacts[0].b is missing"},
        {"no_point", with_contact(R"({"a":0,"b":1,"normal":[0,0,1]})"), "contacts[0] needs point"},
        {"no_normal", with_contact(R"({"a":0,"b":1,"point":[0,0,0]})"),
         "contacts[0].normal is missing"},
        {"normal", with_contact(R"({"a":0,"b":1,"point":[0,0,0],"normal":[0,0,0]})"),
         "contacts[0].normal must not be zero"},
        {"stiffness",
         with_contact(R"({"a":0,"b":1,"point":[0,0,0],"normal":[0,0,1],"stiffness":0})"),
         "contacts[0].stiffness must be greater than 0"},
        {"power", with_contact(R"({"a":0,"b":1,"point":[0,0,0],"normal":[0,0,1],"power":0.9})"),
         "contacts[0].power must be at least 1"},
        {"e", with_contact(R"({"a":0,"b":1,"point":[0,0,0],"normal":[0,0,1],"e":-1})"),
         "contacts[0].e is out of range; it must satisfy 0 <= e <= 1"},
        {"termination",
         with_contact(R"({"a":0,"b":1,"point":[0,0,0],"normal":[0,0,1],"termination":"late"})"),
         "contacts[0].termination must be stronge, poisson, poisson-first or newton"},
        {"law", with_contact(R"({"a":0,"b":1,"point":[0,0,0],"normal":[0,0,1],"law":"hing"})"),
         "contacts[0].law: unknown law 'hing'"},
        {"not_an_object", with_contact("3"), "contacts[0] must be an object"},
    };
}

constexpr auto k_name = [](const auto& tested) { return std::string(tested.param.name); };
INSTANTIATE_TEST_SUITE_P(Tops, BadMultiContactLine, testing::ValuesIn(bad_tops()), k_name);
INSTANTIATE_TEST_SUITE_P(Bodies, BadMultiContactLine, testing::ValuesIn(bad_bodies_of_contacts()),
                         k_name);
INSTANTIATE_TEST_SUITE_P(Contacts, BadMultiContactLine, testing::ValuesIn(bad_contacts()), k_name);

// A law that does not apply to its contact: the problem is valid, the answer is an error and the
// exit code 1.
TEST(JointErrors, ALawThatDoesNotApplyIsNoBadInput) {
    const std::string ball =
        R"({"mass":1,"inertia":[[0.4,0,0],[0,0.5,0],[0,0,0.6]],"position":[0.1,0.2,1],"v":[1,2,-1]})";
    const std::string plane =
        line(R"("law":"planar","e":0.5,"mu":0.5)", ball + R"(,"fixed")", k_contact);
    const ProgramRun run = run_impact(plane + "\n" + with_top(k_top) + "\n");
    EXPECT_EQ(run.exit_code, 1);
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[0].at("id"), "bad");
    EXPECT_EQ(answers[0].at("line"), 1);
    const std::string message = answers[0].at("error");
    EXPECT_EQ(message.find("contacts[0]: law 'planar' needs a plane problem"), 0U) << message;
    EXPECT_TRUE(answers[1].contains("bodies"));

    const Json all = run_impact(plane, {"--all"}).answer();
    EXPECT_TRUE(all.at("answers").at(0).contains("not_applicable")) << all;
}

TEST(JointErrors, TooManyContacts) {
    std::string contacts = k_contact;
    for (int i = 0; i < 1000; ++i)
        contacts += "," + std::string(k_contact);
    const ProgramRun run = run_impact(with_contact(contacts));
    EXPECT_EQ(run.exit_code, 2);
    const std::string message = run.answer().value("error", "");
    EXPECT_EQ(message, "contacts must have at most 1000 elements");
}

// Bodies so light that an impulse of a heavy one would make them infinitely fast: never NaN.
TEST(JointErrors, VelocitiesThatOverflow) {
    const std::string heavy =
        R"({"mass":1e300,"inertia":[[1e300,0,0],[0,1e300,0],[0,0,1e300]],"position":[0,0,1],)"
        R"("v":[0,0,-1e50]})";
    const std::string light =
        R"({"mass":1,"inertia":[[1e-250,0,0],[0,1e-250,0],[0,0,1e-250]],"position":[1e10,0,0]})";
    const ProgramRun run = run_impact(line(k_top, heavy + "," + light, k_contact));
    const Json answer = run.answer();
    EXPECT_EQ(answer.dump().find("null"), std::string::npos) << answer;
}

}  // namespace
}  // namespace carom::tests
