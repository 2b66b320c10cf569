// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "tests/cli/run_carom.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "carom/serve/pages.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CAROM_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define CAROM_SANITIZED 1
#endif

namespace carom::tests {
namespace {

void redirect(int target, const std::string& path, int flags) {
    const int file = open(path.c_str(), flags, 0600);
    if (file < 0 || dup2(file, target) < 0) _exit(126);
    close(file);
}

// Turns this process into the program. Only calls that are safe after fork.
[[noreturn]] void become_carom(const std::vector<char*>& arguments, const std::string& in,
                               const std::string& out, const std::string& err,
                               const RunOptions& options) {
    redirect(STDIN_FILENO, in, O_RDONLY);
    redirect(STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC);
    if (options.address_space > 0) {
        const rlimit limit{options.address_space, options.address_space};
        if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(126);
    }
    if (options.file_size > 0) {
        // a write beyond it then fails, as on a full disk
        const rlimit limit{options.file_size, options.file_size};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(126);
    }
    execv(arguments.front(), arguments.data());
    _exit(127);
}

}  // namespace

ScratchFolder::ScratchFolder() {
    std::string pattern = testing::TempDir() + "carom_cli_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::string ScratchFolder::path(std::string_view name) const {
    return folder_ + "/" + std::string(name);
}

std::string ScratchFolder::write(std::string_view name, std::string_view content) const {
    std::ofstream file(path(name), std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    return path(name);
}

std::string read_whole(const std::string& path) {
    const std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> ProgramRun::lines() const {
    std::vector<std::string> out_lines;
    std::istringstream stream(out);
    for (std::string line; std::getline(stream, line);)
        out_lines.push_back(line);
    return out_lines;
}

std::vector<Json> ProgramRun::answers() const {
    std::vector<Json> all;
    for (const std::string& line : lines()) {
        all.push_back(Json::parse(line, nullptr, false));
        EXPECT_FALSE(all.back().is_discarded()) << "not JSON: " << line.substr(0, 500);
    }
    return all;
}

Json ProgramRun::answer() const {
    const std::vector<Json> all = answers();
    EXPECT_EQ(all.size(), 1U) << out.substr(0, 500) << err.substr(0, 500);
    return all.size() == 1 ? all.front() : Json::object();
}

ProgramRun run_carom(const std::vector<std::string>& arguments, std::string_view input,
                     const RunOptions& options) {
    const ScratchFolder scratch;
    const std::string in =
        options.input_file.empty() ? scratch.write("in", input) : options.input_file;
    const std::string out = options.output_file.empty() ? scratch.path("out") : options.output_file;
    const std::string err = options.error_file.empty() ? scratch.path("err") : options.error_file;
    std::vector<std::string> words{program_path()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);

    // in a sanitized build the leak checker of the program leaves out what is not ours
    setenv("LSAN_OPTIONS",
           "print_suppressions=0:suppressions=" CAROM_SOURCE_DIR
           "/tests/support/leaks_of_others.supp",
           1);
    const pid_t child = fork();
    if (child == 0) become_carom(pointers, in, out, err, options);
    int status = 0;
    rusage used{};
    if (child < 0 || wait4(child, &status, 0, &used) != child) throw std::runtime_error("no child");

    ProgramRun run;
    run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (options.output_file.empty()) run.out = read_whole(out);
    if (options.error_file.empty()) run.err = read_whole(err);
    run.peak_kib = used.ru_maxrss;
    return run;
}

ProgramRun run_impact(std::string_view input, std::vector<std::string> options) {
    options.insert(options.begin(), "impact");
    return run_carom(options, input);
}

std::string program_path() {
    const char* other = std::getenv("CAROM_SANITIZED_PROGRAM");
    return other != nullptr ? other : CAROM_BINARY_DIR "/carom";
}

bool is_sanitized() {
#ifdef CAROM_SANITIZED
    return true;
#else
    return std::getenv("CAROM_SANITIZED_PROGRAM") != nullptr;
#endif
}

bool has_pages() {
    return !is_sanitized() && !pages::viewer_page().empty();
}

std::vector<double> numbers(const Json& list) {
    std::vector<double> out;
    for (const Json& item : list)
        out.push_back(item.is_number() ? item.get<double>() : 1e300);
    return out;
}

std::string problem_with_everything(std::string_view K, std::string_view u) {
    return R"({"id":"every","K":)" + std::string(K) + R"(,"u":)" + std::string(u) +
           R"(,"mu":0.4,"e":0.5,"et":0.25,"nu":0.3,"sigma":0.5,"mu2":0.2,"mu3":0.1,"psi1":0.8,)"
           R"("psi2":1,"rho":0.5,"P":[0.1,-0.2,0.7]})";
}

}  // namespace carom::tests
