// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/command_error.h"

#include <exception>
#include <new>

#include "carom/cli/commands.h"
#include "carom/cli/say.h"
#include "carom/record/recording.h"
#include "carom/scene/scene.h"

namespace carom::cli {
namespace {

// Messages begin with their file.
std::string text_of(const std::exception& error) {
    std::string text = error.what();
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
}

// What is wrong in a scene is told a line each, as editors read it: file:line:column: message.
bool has_places(const scene::SceneError& error) {
    return error.problems().size() != 1 || error.problems().front().line > 0;
}

int do_work(const char* command, const std::function<int()>& work) {
    try {
        return work();
    } catch (const CommandError& error) {
        say("{}: {}\n", command, error.message);
        return error.code;
    } catch (const scene::SceneError& error) {
        if (has_places(error)) {
            say("{}\n", text_of(error));
        } else {
            say("{}: {}\n", command, text_of(error));
        }
        return k_bad_input;
    } catch (const record::RecordError& error) {
        say("{}: {}\n", command, text_of(error));
        return k_bad_input;
    } catch (const std::bad_alloc&) {
        say("{}: not enough memory\n", command);
    } catch (const std::exception& error) {
        say("{}: {}\n", command, error.what());
    }
    return k_failed;
}

}  // namespace

void refuse(std::string message) {
    throw CommandError{k_bad_input, std::move(message)};
}

void give_up(std::string message) {
    throw CommandError{k_failed, std::move(message)};
}

int guarded(const char* command, const std::function<int()>& work) {
    const int code = do_work(command, work);
    return flush_output() || code != k_done ? code : k_failed;
}

}  // namespace carom::cli
