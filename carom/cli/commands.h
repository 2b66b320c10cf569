// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

namespace CLI {
class App;
}

namespace carom::cli {

// Exit codes of the program.
inline constexpr int k_done = 0;
inline constexpr int k_failed = 1;
inline constexpr int k_bad_input = 2;

// The commands of the program, one file each. Each adds itself with its options and its help to
// the program; when it is called its exit code goes to `code`.
void add_laws(CLI::App& app, int& code);    // the laws, their parameters, ranges and sources
void add_impact(CLI::App& app, int& code);  // solves impacts, JSON Lines in and out
void add_touch(CLI::App& app, int& code);   // when and where two moving bodies first touch
void add_scenes(CLI::App& app, int& code);  // the built-in scenes
void add_check(CLI::App& app, int& code);   // everything that is wrong with a scene
void add_run(CLI::App& app, int& code);     // simulates a scene into a recording
void add_resume(CLI::App& app, int& code);  // goes on with a recording that was cut short
void add_info(CLI::App& app, int& code);    // what a recording is
void add_events(CLI::App& app, int& code);  // its impacts, chosen and summed
void add_sample(CLI::App& app, int& code);  // its states at given times
void add_view(CLI::App& app, int& code);    // the viewer in the browser
void add_lab(CLI::App& app, int& code);     // the collision-law page in the browser
void add_export(CLI::App& app, int& code);  // a recording as HTML, glTF or CSV
void add_help(CLI::App& app, int& code);    // the help of the program or of a command, the man page
void add_completion(CLI::App& app, int& code);  // completion for shells

// Writes out what standard output still holds; false, and a message, when it cannot be written.
bool flush_output();

}  // namespace carom::cli
