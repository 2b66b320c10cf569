// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/law.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/impact/scaling.h"

namespace carom::impact {
namespace {

// Edit distance of two short words, capped.
int distance(std::string_view a, std::string_view b) {
    constexpr std::size_t k_longest = 24;
    if (a.size() > k_longest || b.size() > k_longest) return 99;
    std::array<int, k_longest + 1> row{};
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int keep = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({keep, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

template <class Table>
std::string_view nearest(const Table& table, std::string_view name) {
    std::string_view best;
    int least = 3;
    for (const auto& entry : table) {
        const int d = distance(entry.name, name);
        if (d < least && static_cast<std::size_t>(d) < std::max(name.size(), entry.name.size())) {
            least = d;
            best = entry.name;
        }
    }
    return best;
}

template <class Table>
auto find(const Table& table, std::string_view name) -> decltype(&*table.begin()) {
    for (const auto& entry : table) {
        if (entry.name == name) return &entry;
    }
    return nullptr;
}

// No answer is better than one that is not a number.
void refuse_unless_finite(Outcome& outcome) {
    const Vec3& p = outcome.solution.p;
    if (outcome.refusal == nullptr && !std::isfinite(p.x() + p.y() + p.z())) {
        outcome.refusal = "has no finite answer: the impulse overflows or the impact does not end";
    }
}

// The members that are numbers, in the order of ParameterId; null for the others.
using Number = std::optional<double> LawParameters::*;
constexpr std::array<Number, k_parameter_count> k_numbers{&LawParameters::e,
                                                          &LawParameters::mu,
                                                          &LawParameters::et,
                                                          &LawParameters::nu,
                                                          &LawParameters::eta2,
                                                          &LawParameters::sigma,
                                                          &LawParameters::mu2,
                                                          &LawParameters::mu3,
                                                          &LawParameters::psi1,
                                                          &LawParameters::psi2,
                                                          &LawParameters::rho,
                                                          nullptr,
                                                          &LawParameters::threshold,
                                                          nullptr,
                                                          nullptr,
                                                          nullptr};

bool is_extreme(double size) {
    return size > 0.0 && !(size > 1e-60 && size < 1e60);
}

}  // namespace

bool LawParameters::has(ParameterId id) const {
    if (const Number member = k_numbers[static_cast<std::size_t>(id)])
        return (this->*member).has_value();
    switch (id) {
        case ParameterId::P:
            return P.has_value();
        case ParameterId::termination:
            return termination.has_value();
        case ParameterId::reversal:
            return reversal.has_value();
        default:
            return fallback.has_value();
    }
}

void LawParameters::reset(ParameterId id) {
    switch (id) {
        case ParameterId::P:
            return P.reset();
        case ParameterId::termination:
            return termination.reset();
        case ParameterId::reversal:
            return reversal.reset();
        case ParameterId::fallback:
            return fallback.reset();
        default:
            return number(id).reset();
    }
}

const std::optional<double>& LawParameters::number(ParameterId id) const {
    return this->*k_numbers[static_cast<std::size_t>(id)];
}

std::optional<double>& LawParameters::number(ParameterId id) {
    return this->*k_numbers[static_cast<std::size_t>(id)];
}

const LawInfo& law_info(LawId id) {
    return laws()[static_cast<std::size_t>(id)];
}

const ParameterInfo& parameter_info(ParameterId id) {
    return parameters()[static_cast<std::size_t>(id)];
}

const LawInfo* find_law(std::string_view name) {
    return find(laws(), name);
}

const ParameterInfo* find_parameter(std::string_view name) {
    return find(parameters(), name);
}

std::optional<Termination> find_termination(std::string_view name) {
    for (const Termination t : {Termination::stronge, Termination::poisson,
                                Termination::poisson_first, Termination::newton}) {
        if (name == termination_name(t)) return t;
    }
    return std::nullopt;
}

std::string_view nearest_law(std::string_view name) {
    return nearest(laws(), name);
}

std::string_view nearest_parameter(std::string_view name) {
    return nearest(parameters(), name);
}

bool takes(const LawInfo& law, ParameterId id, LawId fallback) {
    const bool own = std::any_of(law.parameters.begin(), law.parameters.end(),
                                 [id](const LawParameter& p) { return p.id == id; });
    if (own || law.id != LawId::micro || fallback == LawId::micro) return own;
    return takes(law_info(fallback), id);
}

bool answers_in_plane(const LawInfo& law, const LawParameters& given) {
    return law.in_plane && (law.id != LawId::micro || law_info(given.fallback_law()).in_plane);
}

std::string check_number(const ParameterInfo& parameter, double value) {
    const bool low = parameter.least_open ? value > parameter.least : value >= parameter.least;
    const bool high = parameter.most_open ? value < parameter.most : value <= parameter.most;
    if (std::isfinite(value) && low && high) return {};
    return std::string(parameter.name) + " is out of range; it must satisfy " +
           std::string(parameter.range);
}

std::string check_parameters(const LawInfo& law, const LawParameters& given) {
    for (const LawParameter& p : law.parameters) {
        const ParameterInfo& info = parameter_info(p.id);
        if (p.required && !given.has(p.id)) {
            return "law '" + std::string(law.name) + "' needs " + std::string(info.name) + ", " +
                   std::string(info.meaning);
        }
        if (given.has(p.id) && info.kind == ParameterKind::number) {
            std::string wrong = check_number(info, *given.number(p.id));
            if (!wrong.empty()) return wrong;
        }
        if (given.has(p.id) && info.kind == ParameterKind::vector && !given.P->allFinite())
            return std::string(info.name) + " must be " + std::string(info.range);
    }
    if (law.id == LawId::compliant) {
        if (!given.nu && !given.eta2) return "law 'compliant' needs nu or eta2";
        if (given.nu && given.eta2) return "law 'compliant' takes either nu or eta2, not both";
    }
    if (law.id == LawId::micro) {
        const LawId fallback = given.fallback_law();
        if (fallback == LawId::micro) return "fallback must be a law other than micro";
        std::string wrong = check_parameters(law_info(fallback), given);
        return wrong.empty() ? wrong : "the fallback of law 'micro': " + wrong;
    }
    return {};
}

namespace {

// The largest size of the entries of K, from its lower half.
double matrix_size(const Contact& contact) {
    const Mat3& K = contact.K;
    const auto larger = [](double a, double b) { return std::max(std::abs(a), std::abs(b)); };
    return std::max(std::max(larger(K(0, 0), K(1, 1)), larger(K(2, 2), K(1, 0))),
                    larger(K(2, 0), K(2, 1)));
}

// The answer where no number is so large or small that products of some could overflow or vanish.
Outcome resolve_plain(const LawInfo& law, const Contact& contact, const LawParameters& given,
                      Trace* trace) {
    Outcome outcome = law.resolve(contact, given, trace);
    refuse_unless_finite(outcome);
    return outcome;
}

Outcome resolve_scaled(const LawInfo& law, const Contact& contact, const LawParameters& given,
                       Trace* trace) {
    const PowerScale scale(contact);
    LawParameters inner = given;
    if (given.threshold) inner.threshold = scale.scaled_velocity(*given.threshold);
    if (given.P) inner.P = scale.scaled_impulse(*given.P);
    Outcome outcome = law.resolve(scale.scaled(contact), inner, trace);
    scale.bring_back(outcome.solution);
    if (trace != nullptr) scale.bring_back(*trace);
    refuse_unless_finite(outcome);
    return outcome;
}

}  // namespace

Outcome resolve(const LawInfo& law, const Contact& contact, const LawParameters& given,
                Trace* trace) {
    const Vec3& u = contact.u;
    const double u_size = std::max(std::max(std::abs(u.x()), std::abs(u.y())), std::abs(u.z()));
    if (is_extreme(u_size) || is_extreme(matrix_size(contact))) {
        return resolve_scaled(law, contact, given, trace);
    }
    return resolve_plain(law, contact, given, trace);
}

}  // namespace carom::impact
