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

// Messages of scenes and recordings begin with their file.
int with_place(const std::exception& error) {
    std::string text = error.what();
    text.erase(text.find_last_not_of('\n') + 1);
    say("{}\n", text);
    return k_bad_input;
}

int do_work(const char* command, const std::function<int()>& work) {
    try {
        return work();
    } catch (const CommandError& error) {
        say("{}: {}\n", command, error.message);
        return error.code;
    } catch (const scene::SceneError& error) {
        return with_place(error);
    } catch (const record::RecordError& error) {
        return with_place(error);
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
