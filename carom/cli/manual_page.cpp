// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/manual_page.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string_view>

#include "carom/cli/option_texts.h"

namespace carom::cli {
namespace {

// Text as roff shows it: dashes that can be copied, backslashes as they are, no requests.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '-') {
            out += "\\-";
        } else if (c == '\\') {
            out += "\\e";
        } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
            out += "\\&";
            out += c;
        } else {
            out += c;
        }
    }
    return out;
}

// "\fBcarom run\fR [OPTIONS] SCENE".
std::string synopsis(const CLI::App& command) {
    std::string text = fmt::format("\\fBcarom {}\\fR", roff(command.get_name()));
    std::string arguments;
    for (const OptionText& option : option_texts(command)) {
        if (!option.positional) continue;
        const bool many = option.names.front() == "FILES";
        const std::string name = many ? "FILE" : option.names.front();
        arguments += fmt::format(" {}\\fI{}\\fR", option.required ? "" : "[", roff(name));
        if (!option.required) arguments += many ? "...]" : "]";
    }
    return text + " [\\fIOPTIONS\\fR]" + arguments;
}

std::string option_entry(const OptionText& option) {
    std::string names;
    for (const std::string& name : option.names) {
        if (!names.empty()) names += ", ";
        names += fmt::format("\\f{}{}\\fR", option.positional ? 'I' : 'B', roff(name));
    }
    if (!option.positional && option.takes_value)
        names += fmt::format(" \\fI{}\\fR", roff(option.value));
    std::string text = option.description;
    if (!option.fallback.empty()) text += fmt::format(" (default: {})", option.fallback);
    return fmt::format(".TP\n{}\n{}\n", names, roff(text));
}

// The help below the options, line for line.
std::string as_it_stands(const std::string& text) {
    std::string lines = text;
    lines.erase(0, lines.find_first_not_of('\n'));
    return fmt::format(".PP\n.nf\n{}\n.fi\n", roff(lines));
}

std::string command_section(const CLI::App& command) {
    std::string text = fmt::format(".SS \"carom {}\"\n{}\n.PP\n{}.\n", roff(command.get_name()),
                                   synopsis(command), roff(command.get_description()));
    for (const OptionText& option : option_texts(command))
        text += option_entry(option);
    const std::string footer = command.get_footer();
    return footer.empty() ? text : text + as_it_stands(footer);
}

constexpr std::string_view k_end = R"(.SH EXIT STATUS
.TP
0
done
.TP
1
the work failed, or was stopped by a signal
.TP
2
the input or the call is wrong
.SH EXAMPLES
.TP
carom run bowling
simulates a built\-in scene into bowling.carom and prints its audit
.TP
carom view bowling.carom
shows the recording in the browser
.TP
carom events bowling.carom \-\-body ball \-\-sum
what the ball gave to each of the pins
.TP
carom impact \-\-examples
a few impacts, solved with every law
.SH SEE ALSO
The documents that come with carom: README.md, docs/scenes.md, docs/impact.md, docs/formats.md.
)";

}  // namespace

std::string manual_page(const CLI::App& app) {
    std::string text =
        ".\\\" made by 'carom help --man'\n.TH CAROM 1 \"\" \"carom " CAROM_VERSION
        "\" \"User commands\"\n.SH NAME\ncarom \\- rigid\\-body impact simulator and laboratory of "
        "collision laws\n.SH SYNOPSIS\n\\fBcarom\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
        ".SH DESCRIPTION\n";
    text += roff(app.get_description()) +
            ". It simulates scenes of rigid bodies event by event into recordings, and solves "
            "single impacts with any of its collision laws. All numbers are in SI units.\n";
    text += as_it_stands(app.get_footer());
    text += ".SH OPTIONS\n";
    for (const OptionText& option : option_texts(app))
        text += option_entry(option);
    text += ".SH COMMANDS\n";
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        text += command_section(*command);
    return text + std::string(k_end);
}

}  // namespace carom::cli
