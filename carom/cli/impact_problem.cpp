// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/impact_problem.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/math/spd3.h"

namespace carom::cli {
namespace {

using Json = nlohmann::json;
using impact::ParameterId;
using impact::ParameterKind;

[[noreturn]] void fail(std::string message) { throw ProblemError{"null", std::move(message)}; }

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string did_you_mean(std::string_view nearest) {
    return nearest.empty() ? std::string() : "; did you mean " + in_quotes(nearest) + "?";
}

double read_number(const Json& value, std::string_view name) {
    if (!value.is_number()) fail(std::string(name) + " must be a number");
    const double number = value.get<double>();
    if (!std::isfinite(number)) fail(std::string(name) + " must be a finite number");
    return number;
}

template <int N>
Eigen::Matrix<double, N, 1> read_vector(const Json& value, std::string_view name) {
    if (!value.is_array() || value.size() != N) {
        fail(std::string(name) + " must be a list of " + std::to_string(N) + " numbers");
    }
    Eigen::Matrix<double, N, 1> out;
    for (int i = 0; i < N; ++i) out[i] = read_number(value[static_cast<std::size_t>(i)], name);
    return out;
}

template <int N>
Eigen::Matrix<double, N, N> read_matrix(const Json& value, std::string_view name) {
    const std::string size = std::to_string(N);
    if (!value.is_array() || value.size() != N) {
        fail(std::string(name) + " must be a list of " + size + " rows of " + size + " numbers");
    }
    Eigen::Matrix<double, N, N> out;
    for (int i = 0; i < N; ++i) {
        out.row(i) = read_vector<N>(value[static_cast<std::size_t>(i)], name).transpose();
    }
    return out;
}

const impact::LawInfo& read_law(const Json& value, std::string_view name) {
    if (!value.is_string()) fail(std::string(name) + " must be the name of a law");
    const auto& text = value.get_ref<const std::string&>();
    const impact::LawInfo* law = impact::find_law(text);
    if (law == nullptr) {
        fail("unknown law " + in_quotes(text) + did_you_mean(impact::nearest_law(text)) +
             " ('carom laws' lists them)");
    }
    return *law;
}

void read_parameter(const impact::ParameterInfo& info, const Json& value,
                    impact::LawParameters& parameters) {
    switch (info.kind) {
        case ParameterKind::number: {
            const double number = read_number(value, info.name);
            std::string wrong = impact::check_number(info, number);
            if (!wrong.empty()) fail(std::move(wrong));
            parameters.number(info.id) = number;
            break;
        }
        case ParameterKind::vector: parameters.P = read_vector<3>(value, info.name); break;
        case ParameterKind::termination: {
            if (!value.is_string()) fail("termination must be " + std::string(info.range));
            const auto found = impact::find_termination(value.get_ref<const std::string&>());
            if (!found) {
                fail("unknown termination " + in_quotes(value.get_ref<const std::string&>()) +
                     "; it must be " + std::string(info.range));
            }
            parameters.termination = *found;
            break;
        }
        case ParameterKind::boolean:
            if (!value.is_boolean()) fail(std::string(info.name) + " must be true or false");
            parameters.reversal = value.get<bool>();
            break;
        case ParameterKind::law: parameters.fallback = read_law(value, info.name).id; break;
    }
    parameters.mark(info.id);
}

void read_moving(const Json& value, const std::string& name, impact::BodyState& body) {
    for (const auto& [key, item] : value.items()) {
        if (key == "r") {
            body.r = read_vector<3>(item, name + ".r");
        } else if (key == "v") {
            body.v = read_vector<3>(item, name + ".v");
        } else if (key == "w") {
            body.w = read_vector<3>(item, name + ".w");
        } else if (key != "mass" && key != "inertia" && key != "fixed") {
            fail("unknown field " + in_quotes(name + "." + key) +
                 "; a body has mass, inertia, r, v, w and fixed");
        }
    }
}

impact::BodyState read_body(const Json& value, const std::string& name) {
    impact::BodyState body;
    if (value.is_string()) {
        if (value.get_ref<const std::string&>() != "fixed") {
            fail(name + " must be a body or \"fixed\"");
        }
        return body;
    }
    if (!value.is_object()) fail(name + " must be a body or \"fixed\"");
    read_moving(value, name, body);
    if (value.contains("fixed")) {
        if (!value["fixed"].is_boolean()) fail(name + ".fixed must be true or false");
        if (value["fixed"].get<bool>()) return body;
    }
    for (const char* key : {"mass", "inertia", "r"}) {
        if (!value.contains(key)) fail(name + " needs " + key);
    }
    const double mass = read_number(value["mass"], name + ".mass");
    if (!(mass > 0.0)) fail(name + ".mass must be greater than zero");
    body.inverse_mass = 1.0 / mass;
    const Mat3 inertia = read_matrix<3>(value["inertia"], name + ".inertia");
    const double size = inertia.cwiseAbs().maxCoeff();
    if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > 1e-12 * size ||
        !math::is_positive_definite(inertia, 1e-14)) {
        fail(name + ".inertia must be symmetric positive definite");
    }
    for (int i = 0; i < 3; ++i) {
        body.inverse_inertia.col(i) = math::solve_spd3(inertia, Vec3::Unit(i));
    }
    body.inverse_inertia =
        (0.5 * (body.inverse_inertia + body.inverse_inertia.transpose())).eval();
    if (!std::isfinite(body.inverse_mass) || !body.inverse_inertia.allFinite()) {
        fail(name + " is too light to be a body");
    }
    return body;
}

void read_bodies(const Json& object, ImpactProblem& problem) {
    for (const char* key : {"normal", "A", "B"}) {
        if (!object.contains(key)) {
            fail(std::string("the problem needs K and u, or normal, A and B; ") + key +
                 " is missing");
        }
    }
    impact::BodyPair pair;
    pair.normal = read_vector<3>(object["normal"], "normal");
    const double length = pair.normal.stableNorm();
    if (!(length > 0.0) || !std::isfinite(length)) fail("normal must not be zero");
    pair.normal /= length;
    pair.A = read_body(object["A"], "A");
    pair.B = read_body(object["B"], "B");
    if (pair.A.inverse_mass == 0.0 && pair.B.inverse_mass == 0.0) {
        fail("A and B are both fixed; at least one of them must be able to move");
    }
    const impact::FramedContact framed = impact::make_contact(pair);
    problem.contact = framed.contact;
    problem.R_CW = framed.R_CW;
    problem.parameters.P = (framed.R_CW * problem.parameters.P).eval();
    problem.bodies = pair;
}

void read_matrix_and_velocity(const Json& object, ImpactProblem& problem) {
    if (!object.contains("K") || !object.contains("u")) {
        fail("the problem needs both K and u, or normal, A and B");
    }
    const Json& K = object["K"];
    const Json& u = object["u"];
    if (K.is_array() && K.size() == 2) {
        const Mat2 K2 = read_matrix<2>(K, "K");
        const Vec2 u2 = read_vector<2>(u, "u");
        if (std::abs(K2(0, 1) - K2(1, 0)) > 1e-12 * K2.cwiseAbs().maxCoeff()) {
            fail("K is not symmetric; it must be symmetric positive definite");
        }
        problem.plane = true;
        problem.contact = impact::embed_plane({K2(0, 0), K2(1, 0), K2(1, 1), u2.x(), u2.y()});
        return;
    }
    problem.contact.K = read_matrix<3>(K, "K");
    problem.contact.u = read_vector<3>(u, "u");
}

// Every field must be known; parameters are read on the way.
void read_fields(const Json& object, ImpactProblem& problem) {
    for (const auto& [key, value] : object.items()) {
        if (key == "id" || key == "law" || key == "K" || key == "u" || key == "normal" ||
            key == "A" || key == "B") {
            continue;
        }
        if (key == "trace") {
            if (!value.is_boolean()) fail("trace must be true or false");
            problem.trace = problem.trace || value.get<bool>();
            continue;
        }
        const impact::ParameterInfo* info = impact::find_parameter(key);
        if (info == nullptr) {
            fail("unknown field " + in_quotes(key) + did_you_mean(impact::nearest_parameter(key)));
        }
        read_parameter(*info, value, problem.parameters);
    }
}

void check(ImpactProblem& problem, const ReadOptions& options) {
    std::string wrong = impact::check_contact(problem.contact);
    if (!wrong.empty()) fail(std::move(wrong));
    problem.contact.K = (0.5 * (problem.contact.K + problem.contact.K.transpose())).eval();
    if (options.every_law) return;
    wrong = impact::check_parameters(*problem.law, problem.parameters);
    if (!wrong.empty()) fail(std::move(wrong));
    if (problem.plane && !problem.law->in_plane) {
        fail("law '" + std::string(problem.law->name) + "' needs a 3D problem");
    }
    for (const impact::ParameterInfo& info : impact::parameters()) {
        if (problem.parameters.has(info.id) &&
            !impact::takes(*problem.law, info.id, problem.parameters.fallback)) {
            problem.ignored.push_back(info.name);
        }
    }
}

ImpactProblem read_object(const Json& object, const ReadOptions& options) {
    ImpactProblem problem;
    problem.trace = options.trace;
    problem.law = options.law;
    if (!options.every_law && options.law == nullptr) {
        if (!object.contains("law")) fail("the problem needs a law, or give one with --law");
        problem.law = &read_law(object["law"], "law");
    }
    read_fields(object, problem);
    const bool matrix = object.contains("K") || object.contains("u");
    const bool bodies =
        object.contains("normal") || object.contains("A") || object.contains("B");
    if (matrix && bodies) fail("give either K and u, or normal, A and B, not both");
    if (bodies) {
        read_bodies(object, problem);
    } else {
        read_matrix_and_velocity(object, problem);
    }
    check(problem, options);
    return problem;
}

// The library's message without its own prefix.
std::string plain(const Json::parse_error& error) {
    std::string text = error.what();
    const std::size_t at = text.find("syntax error");
    std::string what = at == std::string::npos ? text : text.substr(at);
    return "not valid JSON at column " + std::to_string(error.byte) + ": " + what;
}

}  // namespace

ImpactProblem read_problem(std::string_view line, const ReadOptions& options) {
    Json object;
    try {
        object = Json::parse(line.begin(), line.end());
    } catch (const Json::parse_error& error) {
        throw ProblemError{"null", plain(error)};
    } catch (const Json::out_of_range&) {
        throw ProblemError{"null", "a number is too large; it must be finite"};
    }
    if (!object.is_object()) throw ProblemError{"null", "a problem must be a JSON object"};
    std::string id = "null";
    if (const auto found = object.find("id"); found != object.end()) {
        if (found->is_structured()) throw ProblemError{"null", "id must be a number or a string"};
        id = found->dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    try {
        ImpactProblem problem = read_object(object, options);
        problem.id = std::move(id);
        return problem;
    } catch (ProblemError& error) {
        error.id = std::move(id);
        throw;
    }
}

}  // namespace carom::cli
