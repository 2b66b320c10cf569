// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>

#include "carom/impact/law.h"

namespace carom::page {

// An impact as the page writes it to memory. Numbers of laws and parameters are their places in
// laws() and parameters(); names come from laws_table().
struct ProblemRow {
    double K[9];  // row by row
    double u[3];
    std::uint32_t law;
    std::uint32_t given;                          // a bit for each parameter
    double parameter[impact::k_parameter_count];  // termination, reversal, fallback: their numbers
    double P[3];
};

struct Problem {
    const impact::LawInfo& law;
    impact::Contact contact;
    impact::LawParameters parameters;
};

// One of the two bodies of a contact. Inertia in body axes about the centre of mass; all else in
// the world frame; r points from the centre of mass to the contact.
struct BodyRow {
    double fixed;  // 0 or 1
    double mass;
    double inertia[9];
    double orientation[4];
    double r[3], v[3], w[3];
};

Mat3 matrix(const double* rows);
Problem read_problem(const ProblemRow& row);
impact::BodyState body_state(const BodyRow& row);

// The friction coefficient an answer is judged by, as in `carom impact`: none given, no limit.
double judging_mu(const Problem& problem, const impact::LawInfo& law);

}  // namespace carom::page
