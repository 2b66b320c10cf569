// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/run_carom.h"

namespace carom::tests {

// A ball of 2 kg let go 1 m above a floor, gravity 10 m/s^2, e = 0.8, for 2.5 s. In closed form:
// it falls sqrt(0.2) s, comes with sqrt(20) m/s, and each flight takes 0.8 of the one before.
std::string bouncing_ball(std::string_view more = {});

// A ball of 2 kg that is put down on a floor with e = 0 and must not sleep: micro-collisions
// (contact = "micro") for 1 s. A second ball, of another material, falls from 100 m and stays in
// flight.
std::string resting_ball();

// 200 balls in a box under gravity for the given time, with checkpoints: a run that takes a while.
std::string gas(double duration);

// The program running beside the test, in a folder of its own choice.
class RunningCarom {
public:
    RunningCarom(const std::vector<std::string>& arguments, const std::string& folder);
    ~RunningCarom();
    RunningCarom(const RunningCarom&) = delete;
    RunningCarom& operator=(const RunningCarom&) = delete;

    void send(int signal) const;
    bool running();
    // Waits for its end.
    ProgramRun wait();

private:
    ScratchFolder scratch_;
    pid_t child_;
    int status_ = 0;
    bool ended_ = false;
};

// Waits until a running program has put so many checkpoints into a recording; false when it ends
// before.
bool wait_for_checkpoints(RunningCarom& running, const std::string& path, int count);

// The program in a folder, to its end.
ProgramRun run_in(const std::string& folder, const std::vector<std::string>& arguments);

// A scene simulated into `name`.carom in the folder; the path of the recording. Fails the test when
// it cannot be.
std::string record(const ScratchFolder& scratch, const std::string& name, const std::string& scene);

// `carom info --json` of a recording.
Json info_of(const std::string& recording);

// Runs the program with arguments that are wrong and expects exit code 2, nothing on standard
// output and each of these in the message.
void expect_refused(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& in_message);

}  // namespace carom::tests
