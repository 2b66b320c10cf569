// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/impact_problem.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/math/spd3.h"

namespace carom::cli {
namespace {

using Value = simdjson::dom::element;
using Object = simdjson::dom::object;
using impact::ParameterKind;

double read_number(Value value, std::string_view name) {
    double number = 0.0;
    if (value.get_double().get(number) != simdjson::SUCCESS) {
        fail(std::string(name) + " must be a number");
    }
    return number;
}

std::string_view read_text(Value value, const std::string& otherwise) {
    std::string_view text;
    if (value.get_string().get(text) != simdjson::SUCCESS) fail(otherwise);
    return text;
}

bool read_flag(Value value, const std::string& name) {
    bool flag = false;
    if (value.get_bool().get(flag) != simdjson::SUCCESS) fail(name + " must be true or false");
    return flag;
}

// The elements of a list of this length; fails with the message otherwise.
template <std::size_t N>
std::array<Value, N> read_list(Value value, const char* otherwise, std::string_view name) {
    simdjson::dom::array list;
    std::array<Value, N> out;
    std::size_t count = 0;
    if (value.get_array().get(list) == simdjson::SUCCESS) {
        for (const Value item : list) {
            if (count < N) out[count] = item;
            ++count;
        }
    }
    if (count != N) fail(std::string(name) + otherwise);
    return out;
}

template <int N>
Eigen::Matrix<double, N, 1> read_vector(
    Value value, std::string_view name,
    const char* otherwise = N == 3 ? " must be a list of 3 numbers"
                                   : " must be a list of 2 numbers") {
    constexpr auto k_size = static_cast<std::size_t>(N);
    const auto list = read_list<k_size>(value, otherwise, name);
    Eigen::Matrix<double, N, 1> out;
    for (int i = 0; i < N; ++i)
        out[i] = read_number(list[static_cast<std::size_t>(i)], name);
    return out;
}

template <int N>
Eigen::Matrix<double, N, N> read_matrix(Value value, std::string_view name) {
    constexpr auto k_size = static_cast<std::size_t>(N);
    const char* otherwise = N == 3 ? " must be a list of 3 rows of 3 numbers"
                                   : " must be a list of 2 rows of 2 numbers";
    const auto rows = read_list<k_size>(value, otherwise, name);
    Eigen::Matrix<double, N, N> out;
    for (int i = 0; i < N; ++i) {
        out.row(i) = read_vector<N>(rows[static_cast<std::size_t>(i)], name, otherwise).transpose();
    }
    return out;
}

const impact::LawInfo& read_law(Value value, const std::string& name) {
    const std::string_view text = read_text(value, name + " must be the name of a law");
    const impact::LawInfo* law = impact::find_law(text);
    if (law == nullptr) {
        fail("unknown law " + in_quotes(text) + did_you_mean(impact::nearest_law(text)) +
             " ('carom laws' lists them)");
    }
    return *law;
}

void read_parameter(const impact::ParameterInfo& info, Value value,
                    impact::LawParameters& parameters) {
    switch (info.kind) {
        case ParameterKind::number: {
            const double number = read_number(value, info.name);
            std::string wrong = impact::check_number(info, number);
            if (!wrong.empty()) fail(std::move(wrong));
            parameters.number(info.id) = number;
            break;
        }
        case ParameterKind::vector:
            parameters.P = read_vector<3>(value, info.name);
            break;
        case ParameterKind::termination: {
            const std::string range(info.range);
            const std::string_view text = read_text(value, "termination must be " + range);
            const auto found = impact::find_termination(text);
            if (!found) fail("unknown termination " + in_quotes(text) + "; it must be " + range);
            parameters.termination = *found;
            break;
        }
        case ParameterKind::boolean:
            parameters.reversal = read_flag(value, std::string(info.name));
            break;
        case ParameterKind::law:
            parameters.fallback = read_law(value, std::string(info.name)).id;
            break;
    }
}

// A field that may come once; empty until it has come.
class Field {
public:
    void set(std::string_view name, Value value) {
        if (given_) fail("field " + in_quotes(name) + " is given twice");
        given_ = true;
        value_ = value;
    }
    explicit operator bool() const { return given_; }
    Value operator*() const { return value_; }

private:
    bool given_ = false;
    Value value_;
};

struct BodyFields {
    Field mass, inertia, r, v, w, fixed;

    BodyFields(Object object, const std::string& name) {
        for (const auto [key, value] : object) {
            if (key == "mass") {
                mass.set(key, value);
            } else if (key == "inertia") {
                inertia.set(key, value);
            } else if (key == "r") {
                r.set(key, value);
            } else if (key == "v") {
                v.set(key, value);
            } else if (key == "w") {
                w.set(key, value);
            } else if (key == "fixed") {
                fixed.set(key, value);
            } else {
                fail("unknown field " + in_quotes(name + "." + std::string(key)) +
                     "; a body has mass, inertia, r, v, w and fixed");
            }
        }
    }
};

Mat3 read_inverse_inertia(Value value, const std::string& name) {
    return inverse_of_inertia(read_matrix<3>(value, name), name);
}

impact::BodyState read_body(Value value, const std::string& name) {
    impact::BodyState body;
    const std::string otherwise = name + " must be a body or \"fixed\"";
    Object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) {
        if (read_text(value, otherwise) != "fixed") fail(otherwise);
        return body;
    }
    const BodyFields fields(object, name);
    if (fields.r) body.r = read_vector<3>(*fields.r, name + ".r");
    if (fields.v) body.v = read_vector<3>(*fields.v, name + ".v");
    if (fields.w) body.w = read_vector<3>(*fields.w, name + ".w");
    if (fields.fixed && read_flag(*fields.fixed, name + ".fixed")) return body;

    if (!fields.mass) fail(name + " needs mass");
    if (!fields.inertia) fail(name + " needs inertia");
    if (!fields.r) fail(name + " needs r");
    const double mass = read_number(*fields.mass, name + ".mass");
    if (!(mass > 0.0)) fail(name + ".mass must be greater than zero");
    body.inverse_mass = 1.0 / mass;
    body.inverse_inertia = read_inverse_inertia(*fields.inertia, name + ".inertia");
    if (!std::isfinite(body.inverse_mass) || !body.inverse_inertia.allFinite()) {
        fail(name + " is too light to be a body");
    }
    return body;
}

// The fields of a problem; parameters are read on the way, since they may have any order.
struct ProblemFields {
    Field law, K, u, normal, A, B, trace;

    ProblemFields(Object object, impact::LawParameters& parameters) {
        for (const auto [key, value] : object) {
            if (key == "id") continue;
            if (Field* const field = find(key)) {
                field->set(key, value);
                continue;
            }
            const impact::ParameterInfo* info = impact::find_parameter(key);
            if (info == nullptr) {
                const std::string_view near = impact::nearest_parameter(key);
                fail("unknown field " + in_quotes(key) +
                     (near.empty() ? "; a problem has id, law, K and u or normal, A and B, trace, "
                                     "and the parameters that 'carom laws' lists"
                                   : did_you_mean(near)));
            }
            if (parameters.has(info->id)) fail("field " + in_quotes(key) + " is given twice");
            read_parameter(*info, value, parameters);
        }
    }

private:
    Field* find(std::string_view key) {
        if (key == "K") return &K;
        if (key == "u") return &u;
        if (key == "law") return &law;
        if (key == "normal") return &normal;
        if (key == "A") return &A;
        if (key == "B") return &B;
        if (key == "trace") return &trace;
        return nullptr;
    }
};

void read_bodies(const ProblemFields& fields, ImpactProblem& problem) {
    const auto need = [](const Field& field, const char* name) {
        if (field) return;
        fail(std::string("the problem needs K and u, or normal, A and B; ") + name + " is missing");
    };
    need(fields.normal, "normal");
    need(fields.A, "A");
    need(fields.B, "B");
    impact::BodyPair pair;
    pair.normal = read_vector<3>(*fields.normal, "normal");
    const double length = pair.normal.stableNorm();
    if (!(length > 0.0) || !std::isfinite(length)) fail("normal must not be zero");
    pair.normal /= length;
    pair.A = read_body(*fields.A, "A");
    pair.B = read_body(*fields.B, "B");
    if (pair.A.inverse_mass == 0.0 && pair.B.inverse_mass == 0.0) {
        fail("A and B are both fixed; at least one of them must be able to move");
    }
    const impact::FramedContact framed = impact::make_contact(pair);
    problem.contact = framed.contact;
    problem.R_CW = framed.R_CW;
    if (auto& P = problem.parameters.P) P = Vec3(framed.R_CW * *P);
    problem.bodies = pair;
}

void read_matrix_and_velocity(const ProblemFields& fields, ImpactProblem& problem) {
    if (!fields.K || !fields.u) fail("the problem needs both K and u, or normal, A and B");
    simdjson::dom::array rows;
    if ((*fields.K).get_array().get(rows) == simdjson::SUCCESS && rows.size() == 2) {
        const Mat2 K2 = read_matrix<2>(*fields.K, "K");
        const Vec2 u2 = read_vector<2>(*fields.u, "u");
        if (std::abs(K2(0, 1) - K2(1, 0)) > 1e-12 * K2.cwiseAbs().maxCoeff()) {
            fail("K is not symmetric; it must be symmetric positive definite");
        }
        problem.plane = true;
        problem.contact = impact::embed_plane({K2(0, 0), K2(1, 0), K2(1, 1), u2.x(), u2.y()});
        return;
    }
    problem.contact.K = read_matrix<3>(*fields.K, "K");
    problem.contact.u = read_vector<3>(*fields.u, "u");
}

void check(ImpactProblem& problem, const ReadOptions& options) {
    std::string wrong = impact::check_contact(problem.contact);
    if (!wrong.empty()) fail(problem.bodies ? "the bodies make a " + wrong : std::move(wrong));
    problem.contact.K = (0.5 * (problem.contact.K + problem.contact.K.transpose())).eval();
    if (options.every_law) return;
    wrong = impact::check_parameters(*problem.law, problem.parameters);
    if (!wrong.empty()) fail(std::move(wrong));
    if (problem.plane && !impact::answers_in_plane(*problem.law, problem.parameters)) {
        fail("law '" + std::string(problem.law->name) + "' needs a 3D problem here");
    }
    for (const impact::ParameterInfo& info : impact::parameters()) {
        if (problem.parameters.has(info.id) &&
            !impact::takes(*problem.law, info.id, problem.parameters.fallback_law())) {
            problem.ignored.push_back(info.name);
        }
    }
}

ImpactProblem read_object(Object object, const ReadOptions& options) {
    ImpactProblem problem;
    const ProblemFields fields(object, problem.parameters);
    if (fields.law) problem.law = &read_law(*fields.law, "law");
    if (options.law != nullptr) problem.law = options.law;
    if (problem.law == nullptr && !options.every_law) {
        fail("the problem needs a law, or give one with --law");
    }
    problem.trace = (fields.trace && read_flag(*fields.trace, "trace")) || options.trace;
    const bool matrix = fields.K || fields.u;
    const bool bodies = fields.normal || fields.A || fields.B;
    if (matrix && bodies) fail("give either K and u, or normal, A and B, not both");
    if (bodies) {
        read_bodies(fields, problem);
    } else {
        read_matrix_and_velocity(fields, problem);
    }
    check(problem, options);
    return problem;
}

// Parses a line with the fast parser; its memory is kept from line to line.
simdjson::error_code parse(std::string_view line, Value& value) {
    thread_local simdjson::dom::parser parser;
    thread_local std::string padded;
    padded.assign(line);
    padded.append(simdjson::SIMDJSON_PADDING, ' ');
    return parser.parse(padded.data(), line.size(), false).get(value);
}

// What is wrong with a line that the fast parser refuses, in words and with the column. Numbers
// that only it refuses (integers beyond 64 bits) come back as JSON that it takes.
std::string explain_or_mend(std::string_view line) {
    return parse_line(line, false).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Mat3 inverse_of_inertia(const Mat3& inertia, const std::string& name) {
    const double size = inertia.cwiseAbs().maxCoeff();
    if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > 1e-12 * size ||
        !math::is_positive_definite(inertia, 1e-14)) {
        fail(name + " must be symmetric positive definite");
    }
    Mat3 inverse;
    for (int i = 0; i < 3; ++i)
        inverse.col(i) = math::solve_spd3(inertia, Vec3::Unit(i));
    return 0.5 * (inverse + inverse.transpose());
}

ImpactProblem read_problem(std::string_view line, const ReadOptions& options) {
    Value value;
    if (const std::size_t at = line.find('\0'); at != std::string_view::npos) {
        fail("not valid JSON at column " + std::to_string(at + 1) + ": a zero byte");
    }
    if (parse(line, value) != simdjson::SUCCESS) {
        const std::string mended = explain_or_mend(line);
        if (parse(mended, value) != simdjson::SUCCESS) fail("not JSON that can be a problem");
    }
    Object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) {
        fail("a problem must be a JSON object");
    }
    std::string id = "null";
    Value found;
    if (object.at_key("id").get(found) == simdjson::SUCCESS) {
        if (found.is_array() || found.is_object()) fail("id must be a number or a string");
        id = simdjson::to_string(found);
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
