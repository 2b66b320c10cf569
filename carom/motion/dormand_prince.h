// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>

// The pair of orders 5 and 4 of Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19. The step is
// the last stage (first same as last), so that its rate begins the next one.
namespace carom::motion::dormand_prince {

// Weights of the rates before each stage; the last row is the step itself.
inline constexpr std::array<std::array<double, 6>, 6> k_stage{{
    {1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0},
    {3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
}};
inline constexpr std::array<double, 7> k_error{
    71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
    -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
// Where the stages are, as parts of the step.
inline constexpr std::array<double, 6> k_time{0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0};

}  // namespace carom::motion::dormand_prince
