// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/serve/gallery.h"
#include "carom/serve/http_answer.h"
#include "carom/serve/request_check.h"
#include "carom/serve/session.h"

namespace carom::serve {

// The pages, which stay where they are.
struct Pages {
    std::string_view viewer, lab, gallery, compare;
};

// What a server shows: one run, two beside each other, the gallery, or nothing but the lab page.
struct Shown {
    struct Compared {
        std::string name;
        std::shared_ptr<Session> session;
    };
    std::shared_ptr<Session> session;
    std::vector<Compared> compared;  // two, in the folders /a/ and /b/
    std::shared_ptr<Gallery> gallery;
};

// Answers requests as docs/viewer-server.md says. Files are never looked for: every path that is
// served stands in the program.
class Routes : public RequestHandler {
public:
    Routes(const Pages& pages, Shown shown, RequestCheck check);

    void check(const HttpRequest& head) const override;
    HttpAnswer answer(const HttpRequest& request) const override;

private:
    using Words = std::vector<std::string_view>;  // of a path, between its slashes
    HttpAnswer home() const;
    HttpAnswer about_gallery(const HttpRequest& request, const Words& words) const;
    HttpAnswer compared_names() const;
    HttpAnswer in_folder(const HttpRequest& request, const std::shared_ptr<Session>& session,
                         const Words& words) const;
    HttpAnswer of_run(const HttpRequest& request, const std::shared_ptr<const RunData>& run,
                      const Words& words) const;

    Pages pages_;
    Shown shown_;
    RequestCheck check_;
};

}  // namespace carom::serve
