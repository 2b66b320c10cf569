// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include "carom/cli/commands.h"
#include "carom/cli/every_law.h"
#include "carom/cli/impact_answer.h"
#include "carom/cli/impact_examples.h"
#include "carom/cli/impact_problem.h"
#include "carom/cli/line_reader.h"
#include "carom/cli/table.h"
#include "carom/impact/permissible.h"

namespace carom::cli {
namespace {

std::string vector_text(const ImpactProblem& problem, const Vec3& v) {
    if (problem.plane) return fmt::format("{}, {}", short_number(v.x()), short_number(v.z()));
    const Vec3 shown = problem.bodies ? Vec3(problem.R_CW.transpose() * v) : v;
    return fmt::format("{}, {}, {}", short_number(shown.x()), short_number(shown.y()),
                       short_number(shown.z()));
}

std::string path_text(const impact::Path& path) {
    std::string text;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (i > 0) text += " ";
        text += impact::mode_name(path[i]);
    }
    return text;
}

Table answer_table(std::string first) {
    return Table(
        {std::move(first), "impulse p", "velocity after", "energy lost", "e shown", "path"});
}

void add_row(Table& table, const ImpactProblem& problem, std::string name,
             const impact::Solution& solution) {
    const impact::Contact& c = problem.contact;
    const double lost = -impact::energy_change(c, solution.p);
    const auto shown = impact::shown_restitution(c, solution);
    // rounding is not worth a person's attention
    const Vec3 after = c.u + c.K * solution.p;
    const double speck = 1e-13 * c.u.cwiseAbs().maxCoeff();
    const Vec3 shown_after =
        after.unaryExpr([=](double v) { return std::abs(v) < speck ? 0.0 : v; });
    table.add({std::move(name), vector_text(problem, solution.p), vector_text(problem, shown_after),
               short_number(lost), shown.kinematic ? short_number(*shown.kinematic) : "-",
               path_text(solution.path)});
}

std::string all_table(const ImpactProblem& problem) {
    Table table = answer_table("law");
    std::string silent;
    for (const LawAnswer& answer : answer_with_every_law(problem)) {
        if (answer.solved) {
            add_row(table, problem, answer.label, answer.solution);
        } else {
            silent += fmt::format("  {:<22} {}\n", answer.label, answer.reason);
        }
    }
    std::string text = table.text();
    if (!silent.empty()) text += "no answer:\n" + silent;
    return text;
}

int run_examples() {
    for (const ImpactExample& example : impact_examples()) {
        ReadOptions read;
        read.every_law = true;
        const ImpactProblem problem = read_problem(example.line, read);
        fmt::print("{}\n{}\n\n", example.title, example.point);
        const Vec3& u = problem.contact.u;
        const auto marks = impact::region_landmarks(problem.contact, problem.parameters.mu);
        fmt::print("  contact velocity {}   mu {}   e {}   largest e any law may show {}\n\n",
                   vector_text(problem, u), problem.parameters.mu, problem.parameters.e,
                   short_number(marks.largest_kinematic_e));
        fmt::print("{}\n", all_table(problem));
    }
    return flush_output() ? k_done : k_failed;
}

// Reads, solves and writes line by line.
class Session {
public:
    Session(const ImpactOptions& options, const ReadOptions& read)
        : options_(options),
          read_(read),
          as_table_(options.table || (!options.json && isatty(STDOUT_FILENO) != 0)),
          table_(answer_table("id")) {}

    // False when the stream or the output failed. file is empty for standard input.
    bool run(std::FILE* stream, const std::string& file) {
        file_ = file;
        LineReader reader(stream);
        while (reader.next()) {
            solve_line(reader);
            if (buffer_.size() > k_flush && !flush()) return false;
        }
        return !reader.failed() && flush();
    }

    bool finish() {
        if (as_table_ && !options_.all && rows_ > 0) {
            const std::string text = table_.text();
            buffer_.append(text.data(), text.data() + text.size());
        }
        return flush() && flush_output();
    }

    int exit_code() const {
        return invalid_ > 0 ? k_bad_input : (unsolved_ > 0 ? k_failed : k_done);
    }
    std::size_t wrong() const { return invalid_ + unsolved_; }
    std::size_t lines() const { return lines_; }
    bool write_failed() const { return write_failed_; }

private:
    static constexpr std::size_t k_flush = std::size_t{1} << 16;

    void solve_line(const LineReader& reader) {
        if (reader.too_long()) {
            ++lines_;
            ++invalid_;
            report({"null", fmt::format("the line is longer than {} bytes", LineReader::k_longest)},
                   reader.number());
            return;
        }
        if (reader.line().find_first_not_of(" \t\r") == std::string_view::npos) return;
        ++lines_;
        try {
            solve(read_problem(reader.line(), read_), reader.number());
        } catch (const ProblemError& error) {
            ++invalid_;
            report(error, reader.number());
        }
    }

    void solve(const ImpactProblem& problem, std::size_t line) {
        if (options_.all) {
            if (as_table_) {
                const std::string text =
                    fmt::format("problem {}\n{}\n", problem.id, all_table(problem));
                buffer_.append(text.data(), text.data() + text.size());
            } else {
                write_all_answers(buffer_, problem);
            }
            return;
        }
        trace_.samples.clear();
        trace_.transitions.clear();
        const impact::Outcome outcome = impact::resolve(
            *problem.law, problem.contact, problem.parameters, problem.trace ? &trace_ : nullptr);
        if (outcome.refusal != nullptr) {
            ++unsolved_;
            report({problem.id, fmt::format("law '{}' {}", problem.law->name, outcome.refusal)},
                   line);
            return;
        }
        if (as_table_) {
            add_row(table_, problem, problem.id, outcome.solution);
            ++rows_;
        } else {
            write_answer(buffer_, problem, outcome.solution, problem.trace ? &trace_ : nullptr,
                         options_.region);
        }
    }

    void report(ProblemError error, std::size_t line) {
        error.file = file_;
        if (as_table_) {
            fmt::print(stderr, "{}:{}: {}\n", file_.empty() ? "-" : file_, line, error.message);
        } else {
            write_error(buffer_, error, line);
        }
    }

    bool flush() {
        const std::size_t size = buffer_.size();
        const bool written = std::fwrite(buffer_.data(), 1, size, stdout) == size;
        buffer_.clear();
        write_failed_ = write_failed_ || !written;
        return written;
    }

    const ImpactOptions& options_;
    ReadOptions read_;
    bool as_table_;
    std::string file_;
    bool write_failed_ = false;
    Table table_;
    std::size_t rows_ = 0;
    fmt::memory_buffer buffer_;
    impact::Trace trace_;
    std::size_t lines_ = 0;
    std::size_t invalid_ = 0;
    std::size_t unsolved_ = 0;
};

bool run_stream(Session& session, const std::string& name) {
    if (name == "-") return session.run(stdin, {});
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"),
                                                               &std::fclose);
    return file != nullptr && session.run(file.get(), name);
}

}  // namespace

int run_impact(const ImpactOptions& options) {
    if (options.examples) return run_examples();
    ReadOptions read;
    read.trace = options.trace;
    read.every_law = options.all;
    if (!options.law.empty()) {
        read.law = impact::find_law(options.law);
        if (read.law == nullptr) {
            const std::string_view near = impact::nearest_law(options.law);
            fmt::print(stderr, "carom impact: unknown law '{}'{}\n", options.law,
                       near.empty() ? std::string("; 'carom laws' lists them")
                                    : fmt::format("; did you mean '{}'?", near));
            return k_bad_input;
        }
    }
    Session session(options, read);
    std::vector<std::string> files = options.files;
    if (files.empty()) {
        files.emplace_back("-");
        if (isatty(STDIN_FILENO) != 0) {
            fmt::print(stderr,
                       "one problem a line, as JSON; Ctrl-D ends ('carom impact --help')\n");
        }
    }
    for (const std::string& name : files) {
        errno = 0;
        if (!run_stream(session, name)) {
            const int reason = errno;
            fmt::print(stderr, "carom impact: {}: {}\n",
                       session.write_failed() ? "the output cannot be written" : name,
                       reason != 0 ? std::strerror(reason) : "cannot be read");
            const bool wrong_name = reason == ENOENT || reason == EISDIR || reason == ENOTDIR;
            return wrong_name && !session.write_failed() ? k_bad_input : k_failed;
        }
    }
    if (!session.finish()) {
        fmt::print(stderr, "carom impact: the output could not be written\n");
        return k_failed;
    }
    if (session.wrong() > 0) {
        fmt::print(stderr, "carom impact: {} of {} problems were not solved\n", session.wrong(),
                   session.lines());
    }
    return session.exit_code();
}

}  // namespace carom::cli
