// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "tests/cli/simulations.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace carom::tests {
namespace {

constexpr const char* k_floor = R"(
[[body]]
name = "floor"
shape = { type = "plane" }
material = "stone"
fixed = true
)";

// Turns this process into the program. Only calls that are safe after fork.
[[noreturn]] void become_carom(const std::vector<char*>& arguments, const std::string& folder,
                               const std::string& out, const std::string& err) {
    const int to_out = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int to_err = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (chdir(folder.c_str()) != 0 || dup2(to_out, STDOUT_FILENO) < 0 ||
        dup2(to_err, STDERR_FILENO) < 0) {
        _exit(126);
    }
    execv(arguments.front(), arguments.data());
    _exit(127);
}

}  // namespace

std::string bouncing_ball(std::string_view more) {
    return R"(title = "A ball"
expect = "it bounces"
[simulation]
duration = 2.5
gravity = [0, 0, -10]
[[contact]]
e = 0.8
mu = 0.5
[[body]]
name = "ball"
shape = { type = "sphere", radius = 0.05 }
material = "rubber"
mass = 2.0
position = [0, 0, 1.05]
)" + std::string(k_floor) +
           std::string(more);
}

std::string resting_ball() {
    return R"(title = "A ball at rest"
[simulation]
duration = 1.0
gravity = [0, 0, -10]
sleep = false
contact = "micro"
[[contact]]
e = 0.0
mu = 0.5
[[body]]
name = "ball"
shape = { type = "sphere", radius = 0.05 }
material = "rubber"
mass = 2.0
position = [0, 0, 0.0501]
[[body]]
name = "high, \"very\" high"
shape = { type = "sphere", radius = 0.05 }
material = "wood"
mass = 1.0
position = [3, 0, 100]
angular_velocity = [0, 0, 2]
)" + std::string(k_floor);
}

std::string gas(double duration) {
    std::string text = fmt::format(R"(title = "A gas"
[simulation]
duration = {}
gravity = [0, 0, -1]
[[contact]]
e = 1.0
mu = 0.0
[[swarm]]
name = "atom"
shape = {{ type = "sphere", radius = 0.05 }}
mass = 1.0
count = 200
low = [-0.49, -0.49, -0.49]
high = [0.49, 0.49, 0.49]
speed = 1.0
seed = 7
)",
                                   duration);
    for (int axis = 0; axis < 3; ++axis) {
        for (const int sign : {-1, 1}) {
            std::vector<int> normal(3, 0);
            normal[static_cast<std::size_t>(axis)] = -sign;
            text += fmt::format(R"([[body]]
name = "wall{}{}"
shape = {{ type = "plane", normal = [{}] }}
position = [{}, {}, {}]
fixed = true
)",
                                axis, sign, fmt::join(normal, ", "), -0.5 * normal[0],
                                -0.5 * normal[1], -0.5 * normal[2]);
        }
    }
    return text;
}

RunningCarom::RunningCarom(const std::vector<std::string>& arguments, const std::string& folder) {
    std::vector<std::string> words{program_path()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const std::string out = scratch_.path("out"), err = scratch_.path("err");
    child_ = fork();
    if (child_ == 0) become_carom(pointers, folder, out, err);
    if (child_ < 0) throw std::runtime_error("no child");
}

RunningCarom::~RunningCarom() {
    if (ended_) return;
    send(SIGKILL);
    wait();
}

void RunningCarom::send(int signal) const {
    if (!ended_) kill(child_, signal);
}

bool RunningCarom::running() {
    if (!ended_ && waitpid(child_, &status_, WNOHANG) == child_) ended_ = true;
    return !ended_;
}

ProgramRun RunningCarom::wait() {
    if (!ended_ && waitpid(child_, &status_, 0) != child_) throw std::runtime_error("lost child");
    ended_ = true;
    ProgramRun run;
    run.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
    run.out = read_whole(scratch_.path("out"));
    run.err = read_whole(scratch_.path("err"));
    return run;
}

bool wait_for_checkpoints(RunningCarom& running, const std::string& path, int count) {
    while (running.running()) {
        const ProgramRun run = run_carom({"info", path, "--json"});
        if (run.exit_code == 0 && run.answer().at("checkpoints").get<int>() >= count) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

ProgramRun run_in(const std::string& folder, const std::vector<std::string>& arguments) {
    return RunningCarom(arguments, folder).wait();
}

std::string record(const ScratchFolder& scratch, const std::string& name,
                   const std::string& scene) {
    const std::string path = scratch.path(name + ".carom");
    const ProgramRun run =
        run_carom({"run", scratch.write(name + ".toml", scene), "-o", path, "--quiet"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out + run.err, "");
    return path;
}

Json info_of(const std::string& recording) {
    const ProgramRun run = run_carom({"info", recording, "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.answer();
}

void expect_refused(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& in_message) {
    const ProgramRun run = run_carom(arguments);
    EXPECT_EQ(run.exit_code, 2) << run.err << run.out;
    EXPECT_EQ(run.out, "");
    for (const std::string& part : in_message) {
        EXPECT_NE(run.err.find(part), std::string::npos) << "no '" << part << "' in: " << run.err;
    }
}

}  // namespace carom::tests
