// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "carom/cli/impact_problem.h"
#include "carom/impact/law.h"

// Worked impacts from an independent reference, one test for each file: ours, made by the scripts
// in tests/oracle, and where they are at hand those the project was given.
namespace carom::tests {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path k_own = fs::path(CAROM_SOURCE_DIR) / "tests/oracle/vectors";
const fs::path k_given = fs::path(CAROM_SOURCE_DIR) / "../shared/vectors";

std::vector<std::string> vector_files() {
    std::vector<std::string> files;
    for (const fs::path& folder : {k_own, k_given}) {
        if (!fs::is_directory(folder)) continue;
        for (const auto& entry : fs::directory_iterator(folder)) {
            const fs::path& path = entry.path();
            if (path.extension() != ".jsonl" || path.filename() == "touch.jsonl") continue;
            files.push_back(path.string());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    const fs::path path(info.param);
    const bool own = path.parent_path() == k_own;
    return (own ? "own_" : "given_") + path.stem().string();
}

double condition(const Mat3& K) {
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(K, Eigen::EigenvaluesOnly);
    return eigen.eigenvalues()[2] / eigen.eigenvalues()[0];
}

Vec3 to_vec3(const json& value) {
    return Vec3(value.at(0).get<double>(), value.at(1).get<double>(), value.at(2).get<double>());
}

// The expected impulse with three components; plane problems give two.
Vec3 expected_impulse(const json& p) {
    if (p.size() == 3) return to_vec3(p);
    return Vec3(p.at(0).get<double>(), 0.0, p.at(1).get<double>());
}

double relative_error(const Vec3& a, const Vec3& b) {
    const double scale = b.norm();
    return scale > 0.0 ? (a - b).norm() / scale : a.norm();
}

double tolerance(const cli::ImpactProblem& problem, const std::string& tag) {
    const double bound = problem.law->id == impact::LawId::compliant ? 1e-8 : 1e-9;
    if (tag != "near_singular") return bound;
    return std::max(bound, 2.3e-16 * condition(problem.contact.K));
}

class Vectors : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Files, Vectors, testing::ValuesIn(vector_files()), test_name);

// Velocities of one body after the impact.
void expect_body(const json& expected, const impact::BodyState& body, double bound,
                 const std::string& where) {
    const double scale = to_vec3(expected.at("v")).norm() + to_vec3(expected.at("w")).norm();
    EXPECT_LT((body.v - to_vec3(expected.at("v"))).norm(), bound * scale) << where << " v";
    EXPECT_LT((body.w - to_vec3(expected.at("w"))).norm(), bound * scale) << where << " w";
}

TEST_P(Vectors, AnswersAsExpected) {
    std::ifstream file(GetParam());
    ASSERT_TRUE(file.is_open()) << GetParam();
    int lines = 0;
    double worst = 0.0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty()) continue;
        ++lines;
        const json whole = json::parse(line);
        const std::string tag = whole.value("tag", "");
        const std::string where =
            "id " + whole.at("problem").at("id").dump() + " tag " + tag + " in " + GetParam();
        cli::ImpactProblem problem;
        try {
            problem = cli::read_problem(whole.at("problem").dump(), {});
        } catch (const cli::ProblemError& error) {
            ADD_FAILURE() << where << ": " << error.message;
            continue;
        }
        const auto outcome = impact::resolve(*problem.law, problem.contact, problem.parameters);
        if (outcome.refusal != nullptr) {
            ADD_FAILURE() << where << ": refused, " << outcome.refusal;
            continue;
        }
        const Vec3& p = outcome.solution.p;
        const json& expect = whole.at("expect");
        const double bound = tolerance(problem, tag);
        bool checked = false;
        if (expect.contains("p")) {
            checked = true;
            const Vec3 expected = expected_impulse(expect.at("p"));
            const double error = relative_error(p, expected);
            worst = std::max(worst, error / bound);
            EXPECT_LT(error, bound) << where << ": relative error " << error << ", got "
                                    << p.transpose() << ", expected " << expected.transpose();
        }
        if (expect.contains("A") || expect.contains("B")) {
            checked = true;
            ASSERT_TRUE(problem.bodies.has_value()) << where;
            const auto hit = impact::apply_impulse(*problem.bodies, problem.R_CW.transpose() * p);
            if (expect.contains("A")) expect_body(expect.at("A"), hit.A, bound, where + " A");
            if (expect.contains("B")) expect_body(expect.at("B"), hit.B, bound, where + " B");
        }
        EXPECT_TRUE(checked) << where << ": nothing to compare";
    }
    EXPECT_GT(lines, 0) << GetParam();
    RecordProperty("worst_error_over_bound", std::to_string(worst));
}

TEST(VectorFiles, TheRepositoryHoldsEnough) {
    ASSERT_TRUE(fs::is_directory(k_own)) << k_own;
    int lines = 0;
    std::vector<std::string> laws;
    for (const auto& entry : fs::directory_iterator(k_own)) {
        if (entry.path().extension() != ".jsonl") continue;
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);) {
            if (line.empty()) continue;
            ++lines;
            laws.push_back(json::parse(line).at("problem").at("law").get<std::string>());
        }
    }
    EXPECT_GT(lines, 1000);
    for (const auto& law : impact::laws()) {
        EXPECT_GT(std::count(laws.begin(), laws.end(), law.name), 20) << law.name;
    }
}

}  // namespace
}  // namespace carom::tests
