// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Problems given as two bodies in the world frame, and problems in a plane.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "carom/impact/law.h"
#include "carom/impact/problem.h"
#include "tests/cli/run_carom.h"
#include "tests/support/random_problems.h"

namespace carom::tests {
namespace {

std::string list(const Vec3& v) {
    return fmt::format("[{},{},{}]", v.x(), v.y(), v.z());
}

std::string list(const Mat3& m) {
    return fmt::format("[{},{},{}]", list(Vec3(m.row(0))), list(Vec3(m.row(1))),
                       list(Vec3(m.row(2))));
}

Vec3 vec(const Json& value) {
    const std::vector<double> n = numbers(value);
    return n.size() == 3 ? Vec3(n[0], n[1], n[2]) : Vec3(Vec3::Constant(1e300));
}

std::string body_text(const impact::BodyState& body) {
    const std::string motion =
        fmt::format(R"("r":{},"v":{},"w":{})", list(body.r), list(body.v), list(body.w));
    if (body.inverse_mass == 0.0) return fmt::format(R"({{"fixed":true,{}}})", motion);
    const Mat3 inertia = body.inverse_inertia.inverse();
    return fmt::format(R"({{"mass":{},"inertia":{},{}}})", 1.0 / body.inverse_mass,
                       list(Mat3(0.5 * (inertia + inertia.transpose()))), motion);
}

std::string bodies_line(const impact::BodyPair& pair, std::string_view parameters,
                        double normal_length = 1.0) {
    return fmt::format(R"({{"id":1,{},"normal":{},"A":{},"B":{}}})", parameters,
                       list(Vec3(normal_length * pair.normal)), body_text(pair.A),
                       body_text(pair.B));
}

Vec3 at_contact(const impact::BodyState& body, const Json& after) {
    return vec(after.at("v")) + vec(after.at("w")).cross(body.r);
}

impact::BodyPair approaching_pair(Random& random) {
    impact::BodyPair pair = random_pair(random);
    if (impact::make_contact(pair).contact.u.z() > 0.0) pair.normal = -pair.normal;
    return pair;
}

constexpr const char* k_routh = R"("law":"routh","mu":0.4,"e":0.5)";

TEST(ImpactBodies, ABallOnAFixedTable) {
    const std::string line =
        R"({"id":2,"law":"routh","mu":0.4,"e":0.5,"normal":[0,0,1],)"
        R"("A":{"mass":1,"inertia":[[0.4,0,0],[0,0.4,0],[0,0,0.4]],"r":[0,0,-1],"v":[-1,0,-5],)"
        R"("w":[0,2,0]},"B":"fixed"})";
    const ProgramRun run = run_impact(line);
    EXPECT_EQ(run.exit_code, 0);
    const Json answer = run.answer();
    // u = v + w x r = [-3, 0, -5], K = diag(3.5, 3.5, 1): slip stops at px = 3 / 3.5
    EXPECT_LT((vec(answer.at("impulse")) - Vec3(3.0 / 3.5, 0.0, 7.5)).norm(), 1e-12);
    EXPECT_LT((vec(answer.at("u_after")) - Vec3(0.0, 0.0, 2.5)).norm(), 1e-12);
    EXPECT_LT((vec(answer.at("A").at("v")) - Vec3(-1.0 + 3.0 / 3.5, 0.0, 2.5)).norm(), 1e-12);
    EXPECT_LT((vec(answer.at("A").at("w")) - Vec3(0.0, 2.0 - 3.0 / 1.4, 0.0)).norm(), 1e-12);
    EXPECT_EQ(vec(answer.at("B").at("v")), Vec3(0, 0, 0));
    EXPECT_EQ(vec(answer.at("B").at("w")), Vec3(0, 0, 0));
}

// p and u of the bodies form are those of the K and u form, turned to the world.
TEST(ImpactBodies, TheWorldAnswerIsTheContactAnswerTurned) {
    Random random(5);
    for (int i = 0; i < 40; ++i) {
        const impact::BodyPair pair = approaching_pair(random);
        const impact::FramedContact framed = impact::make_contact(pair);
        const std::string line = fmt::format(R"({{"id":1,{},"K":{},"u":{}}})", k_routh,
                                             list(framed.contact.K), list(framed.contact.u));
        const Json in_contact = run_impact(line).answer();
        const Json in_world = run_impact(bodies_line(pair, k_routh)).answer();
        const Vec3 p = vec(in_world.at("impulse"));
        const double size = 1.0 + p.norm() + vec(in_world.at("u_after")).norm();
        EXPECT_LT((framed.R_CW * p - vec(in_contact.at("impulse"))).norm(), 1e-8 * size) << line;
        EXPECT_LT(
            (framed.R_CW * vec(in_world.at("u_after")) - vec(in_contact.at("u_after"))).norm(),
            1e-8 * size)
            << line;
        EXPECT_EQ(in_world.at("path"), in_contact.at("path")) << line;
    }
}

// Momentum is kept, and the contact velocity shown is that of the bodies shown.
TEST(ImpactBodies, TheBodiesAfterwardsAgreeWithTheImpulse) {
    Random random(6);
    for (int i = 0; i < 40; ++i) {
        const impact::BodyPair pair = approaching_pair(random);
        const std::string line = bodies_line(pair, k_routh);
        const Json answer = run_impact(line).answer();
        const Vec3 p = vec(answer.at("impulse"));
        const Json& A = answer.at("A");
        const Json& B = answer.at("B");
        const double tolerance = 1e-9 * (1.0 + p.norm());
        EXPECT_LT((vec(A.at("v")) - pair.A.v - pair.A.inverse_mass * p).norm(), tolerance);
        EXPECT_LT((vec(B.at("v")) - pair.B.v + pair.B.inverse_mass * p).norm(), tolerance);
        const Vec3 spin = pair.A.inverse_inertia * pair.A.r.cross(p);
        EXPECT_LT((vec(A.at("w")) - pair.A.w - spin).norm(), 1e-8 * (1.0 + spin.norm())) << line;
        const Vec3 u = at_contact(pair.A, A) - at_contact(pair.B, B);
        EXPECT_LT((u - vec(answer.at("u_after"))).norm(), 1e-8 * (1.0 + u.norm())) << line;
        EXPECT_GE(u.dot(pair.normal), -1e-9);
    }
}

TEST(ImpactBodies, TheNormalNeedNotHaveUnitLength) {
    Random random(8);
    const impact::BodyPair pair = approaching_pair(random);
    const Vec3 p = vec(run_impact(bodies_line(pair, k_routh)).answer().at("impulse"));
    for (const double length : {1e-200, 0.3, 7.0, 1e200}) {
        const Json answer = run_impact(bodies_line(pair, k_routh, length)).answer();
        EXPECT_LT((vec(answer.at("impulse")) - p).norm(), 1e-12 * p.norm()) << length;
    }
}

TEST(ImpactBodies, ADrivenBodyKeepsItsMotion) {
    const std::string start =
        R"({"id":1,"law":"routh","mu":0.4,"e":0.5,"normal":[0,0,1],"A":{"mass":2,)"
        R"("inertia":[[1,0,0],[0,1,0],[0,0,1]],"r":[0,0,-0.5],"v":[0,0,0]},"B":)";
    const Json still = run_impact(start + "\"fixed\"}").answer();
    EXPECT_EQ(vec(still.at("impulse")), Vec3(0, 0, 0));  // grazing: nothing approaches
    const Json driven =
        run_impact(start + R"({"fixed":true,"v":[0,0,1],"w":[0,0,3],"r":[0,2,0]}})").answer();
    EXPECT_EQ(vec(driven.at("B").at("v")), Vec3(0, 0, 1));
    EXPECT_EQ(vec(driven.at("B").at("w")), Vec3(0, 0, 3));
    // the driven point moves with [-6, 0, 1]: it lifts A and drags it along
    EXPECT_NEAR(driven.at("A").at("v")[2].get<double>(), 1.5, 1e-12);
    EXPECT_LT(driven.at("A").at("v")[0].get<double>(), 0.0);
}

TEST(ImpactBodies, TheFixedBodyMayBeTheFirst) {
    const std::string ball =
        R"({"mass":1,"inertia":[[1,0,0],[0,1,0],[0,0,1]],"r":[0,0,-1],"v":[1,0,-2]})";
    const std::string start = R"({"id":1,"law":"routh","mu":0.3,"e":0.7,"normal":)";
    const Json one = run_impact(start + R"([0,0,1],"A":)" + ball + R"(,"B":"fixed"})").answer();
    const Json two = run_impact(start + R"([0,0,-1],"B":)" + ball + R"(,"A":"fixed"})").answer();
    EXPECT_LT((vec(one.at("impulse")) + vec(two.at("impulse"))).norm(), 1e-12);
    EXPECT_LT((vec(one.at("A").at("v")) - vec(two.at("B").at("v"))).norm(), 1e-12);
    EXPECT_LT((vec(one.at("A").at("w")) - vec(two.at("B").at("w"))).norm(), 1e-12);
}

// The wished impulse of region-projected is in the world frame too.
TEST(ImpactBodies, AWishedImpulseIsInTheWorldFrame) {
    const std::string ball =
        R"({"mass":1,"inertia":[[1,0,0],[0,1,0],[0,0,1]],"r":[-1,0,0],"v":[-2,0,0]})";
    const Json answer =
        run_impact(R"({"id":1,"law":"region-projected","mu":0.5,"P":[3,0.1,-0.2],"normal":[1,0,0],)"
                   R"("A":)" +
                   ball + R"(,"B":"fixed"})")
            .answer();
    // K = diag(1, 2, 2) here; P keeps the cone and the energy, so it is the answer
    EXPECT_LT((vec(answer.at("impulse")) - Vec3(3.0, 0.1, -0.2)).norm(), 1e-12) << answer.dump();
}

TEST(ImpactPlane, APlaneProblemHasTwoComponents) {
    const ProgramRun run = run_impact(
        R"({"id":1,"law":"routh","K":[[3.5,0],[0,1]],"u":[-3,-5],"mu":0.4,"e":0.5,"trace":true})");
    EXPECT_EQ(run.exit_code, 0);
    const Json answer = run.answer();
    ASSERT_EQ(answer.at("impulse").size(), 2U);
    EXPECT_NEAR(answer.at("impulse")[0].get<double>(), 3.0 / 3.5, 1e-12);
    EXPECT_NEAR(answer.at("impulse")[1].get<double>(), 7.5, 1e-12);
    EXPECT_EQ(answer.at("u_after").size(), 2U);
    for (const Json& p : answer.at("trace").at("impulse"))
        EXPECT_EQ(p.size(), 2U);
}

// Every law with a meaning in the plane answers as on the same problem in space.
TEST(ImpactPlane, ThePlaneIsASliceOfSpace) {
    for (const impact::LawInfo& law : impact::laws()) {
        const std::vector<std::string> options{"--law", std::string(law.name)};
        const ProgramRun plane =
            run_impact(problem_with_everything("[[3.25,-1.3],[-1.3,1.75]]", "[1,-1]"), options);
        if (!law.in_plane) {
            EXPECT_EQ(plane.exit_code, 2) << law.name;
            EXPECT_NE(plane.answer().value("error", "").find("3D"), std::string::npos) << law.name;
            continue;
        }
        const ProgramRun space = run_impact(
            problem_with_everything("[[3.25,0,-1.3],[0,3.25,0],[-1.3,0,1.75]]", "[1,0,-1]"),
            options);
        EXPECT_EQ(plane.exit_code, space.exit_code) << law.name;
        if (space.exit_code != 0) continue;
        const std::vector<double> p2 = numbers(plane.answer().at("impulse"));
        const Vec3 p3 = vec(space.answer().at("impulse"));
        ASSERT_EQ(p2.size(), 2U) << law.name;
        EXPECT_NEAR(p2[0], p3.x(), 1e-12) << law.name;
        EXPECT_NEAR(p2[1], p3.z(), 1e-12) << law.name;
        EXPECT_NEAR(p3.y(), 0.0, 1e-12) << law.name;
    }
}

// A fallback that needs space cannot answer in the plane: its sideways impulse has no place there.
TEST(ImpactPlane, AFallbackOfSpaceIsRefusedInThePlane) {
    const ProgramRun run = run_impact(
        R"({"id":1,"law":"micro","fallback":"brach","mu":0.01,"e":0.5,"mu2":0.2,"mu3":0.5,)"
        R"("K":[[3.25,-1.3],[-1.3,1.75]],"u":[1,-1]})");
    EXPECT_NE(run.exit_code, 0) << run.out;
    EXPECT_TRUE(run.answer().contains("error"));
}

}  // namespace
}  // namespace carom::tests
