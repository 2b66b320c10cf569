// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/shape/polygon_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "carom/shape/exact_cross.h"

namespace carom::shape {
namespace {

// A directed edge under the name of its undirected one, for sorting twins together.
struct NamedCorner {
    Index low, high, corner;
    bool rising;

    bool same_edge(const NamedCorner& other) const {
        return low == other.low && high == other.high;
    }
    friend bool operator<(const NamedCorner& a, const NamedCorner& b) {
        if (a.low != b.low) return a.low < b.low;
        if (a.high != b.high) return a.high < b.high;
        return a.corner < b.corner;
    }
};

std::string edge_name(const NamedCorner& edge) {
    return std::to_string(edge.low) + "-" + std::to_string(edge.high);
}

void check_polygon(const PolygonMesh& mesh, Index face) {
    const Index begin = mesh.first[face];
    const Index end = mesh.first[face + 1];
    if (end - begin < 3) {
        throw std::invalid_argument("face " + std::to_string(face) +
                                    " has fewer than three corners; a face is a polygon");
    }
    for (Index c = begin; c < end; ++c) {
        if (mesh.corner[c] >= mesh.vertices.size()) {
            throw std::invalid_argument("face " + std::to_string(face) + " uses vertex " +
                                        std::to_string(mesh.corner[c]) + ", but there are only " +
                                        std::to_string(mesh.vertices.size()));
        }
        if (mesh.corner[c] == mesh.corner[mesh.next(face, c)]) {
            throw std::invalid_argument("face " + std::to_string(face) + " has vertex " +
                                        std::to_string(mesh.corner[c]) + " twice in a row");
        }
    }
}

// The area vector of a polygon, twice over.
Long3 area_vector(const PolygonMesh& mesh, Index face) {
    const Index begin = mesh.first[face];
    const Index end = mesh.first[face + 1];
    const Long3 origin = mesh.vertices[mesh.corner[begin]].cast<long double>();
    Long3 sum = Long3::Zero();
    for (Index c = begin + 1; c + 1 < end; ++c) {
        const Long3 a = mesh.vertices[mesh.corner[c]].cast<long double>() - origin;
        const Long3 b = mesh.vertices[mesh.corner[c + 1]].cast<long double>() - origin;
        sum += exact_cross(a, b);
    }
    return sum;
}

// Faces being merged: a forest over faces, with the area vector and the vertices of each group.
class Groups {
public:
    Groups(const PolygonMesh& mesh, double tolerance) : mesh_(mesh), tolerance_(tolerance) {
        parent_.resize(mesh.faces());
        area_.resize(mesh.faces());
        members_.resize(mesh.faces());
        for (Index f = 0; f < mesh.faces(); ++f) {
            parent_[f] = f;
            area_[f] = area_vector(mesh, f);
            members_[f].assign(mesh.corner.begin() + mesh.first[f],
                               mesh.corner.begin() + mesh.first[f + 1]);
        }
    }

    Index find(Index face) {
        while (parent_[face] != face) {
            parent_[face] = parent_[parent_[face]];
            face = parent_[face];
        }
        return face;
    }

    // how far the vertices of both groups are from their common plane; infinity when that is more
    // than the tolerance
    double deviation(Index a, Index b) const {
        if (members_[a].size() < members_[b].size()) std::swap(a, b);
        const Long3 sum = area_[a] + area_[b];
        const long double length = sum.norm();
        if (!(length > 0.0L)) return 0.0;
        const Long3 normal = sum / length;
        const Long3 origin = mesh_.vertices[members_[a].front()].cast<long double>();
        const auto most = static_cast<long double>(2.0 * tolerance_);
        long double low = 0.0L;
        long double high = 0.0L;
        // the smaller one first: most pairs are settled by it
        for (const Index group : {b, a}) {
            for (const Index v : members_[group]) {
                const long double d = normal.dot(mesh_.vertices[v].cast<long double>() - origin);
                low = std::min(low, d);
                high = std::max(high, d);
                if (high - low > most) return std::numeric_limits<double>::infinity();
            }
        }
        return static_cast<double>(0.5L * (high - low));
    }

    // opposite faces of a thin body share a plane to within its thickness, but not a direction
    bool try_merge(Index face_a, Index face_b) {
        Index a = find(face_a);
        Index b = find(face_b);
        if (a == b) return false;
        const bool both = area_[a].squaredNorm() > 0.0L && area_[b].squaredNorm() > 0.0L;
        if (both && area_[a].dot(area_[b]) <= 0.0L) return false;
        if (deviation(a, b) > tolerance_) return false;
        if (members_[a].size() < members_[b].size()) std::swap(a, b);
        parent_[b] = a;
        area_[a] += area_[b];
        members_[a].insert(members_[a].end(), members_[b].begin(), members_[b].end());
        members_[b] = {};
        return true;
    }

private:
    const PolygonMesh& mesh_;
    double tolerance_;
    std::vector<Index> parent_;
    std::vector<Long3> area_;
    std::vector<std::vector<Index>> members_;
};

// Merges over the flattest edges first.
bool merge_groups(const PolygonMesh& mesh, const Twins& twins, Groups& groups, double tolerance) {
    struct Candidate {
        double deviation;
        Index corner;
    };
    std::vector<Candidate> candidates;
    for (Index c = 0; c < mesh.corner.size(); ++c) {
        if (twins.twin[c] < c) continue;
        const Index a = groups.find(twins.face[c]);
        const Index b = groups.find(twins.face[twins.twin[c]]);
        if (a == b) continue;
        const double deviation = groups.deviation(a, b);
        if (deviation <= tolerance) candidates.push_back({deviation, c});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.deviation != b.deviation ? a.deviation < b.deviation : a.corner < b.corner;
    });
    bool merged = false;
    for (const Candidate& candidate : candidates) {
        const Index c = candidate.corner;
        if (groups.try_merge(twins.face[c], twins.face[twins.twin[c]])) merged = true;
    }
    return merged;
}

// The outline of each group as one polygon.
std::vector<std::vector<Index>> outlines(const PolygonMesh& mesh, const Twins& twins,
                                         Groups& groups) {
    std::vector<std::vector<Index>> polygons;
    std::vector<char> seen(mesh.corner.size(), 0);
    std::vector<char> has_outline(mesh.faces(), 0);
    const auto on_outline = [&](Index c) {
        return groups.find(twins.face[c]) != groups.find(twins.face[twins.twin[c]]);
    };
    for (Index start = 0; start < mesh.corner.size(); ++start) {
        if (seen[start] || !on_outline(start)) continue;
        const Index group = groups.find(twins.face[start]);
        if (has_outline[group]) {
            throw std::invalid_argument("a flat part of the surface has a hole");
        }
        has_outline[group] = 1;
        std::vector<Index> polygon;
        Index c = start;
        do {
            seen[c] = 1;
            polygon.push_back(mesh.corner[c]);
            c = mesh.next(twins.face[c], c);
            while (!on_outline(c)) {
                const Index other = twins.twin[c];
                c = mesh.next(twins.face[other], other);
            }
        } while (c != start && !seen[c]);
        polygons.push_back(std::move(polygon));
    }
    return polygons;
}

// Without the vertices on fewer than three faces, and without those that are not used.
PolygonMesh compact(const std::vector<Vec3>& vertices,
                    const std::vector<std::vector<Index>>& polygons) {
    std::vector<Index> uses(vertices.size(), 0);
    for (const auto& polygon : polygons) {
        for (const Index v : polygon)
            ++uses[v];
    }
    PolygonMesh mesh;
    std::vector<Index> renamed(vertices.size(), k_no_index);
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        if (uses[v] < 3) continue;
        renamed[v] = static_cast<Index>(mesh.vertices.size());
        mesh.vertices.push_back(vertices[v]);
    }
    std::vector<Index> kept;
    for (const auto& polygon : polygons) {
        kept.clear();
        for (const Index v : polygon) {
            if (renamed[v] != k_no_index) kept.push_back(renamed[v]);
        }
        mesh.add_face(kept);
    }
    return mesh;
}

}  // namespace

Twins find_twins(const PolygonMesh& mesh) {
    Twins twins;
    twins.face.resize(mesh.corner.size());
    twins.twin.resize(mesh.corner.size(), k_no_index);
    std::vector<NamedCorner> corners;
    corners.reserve(mesh.corner.size());
    for (Index f = 0; f < mesh.faces(); ++f) {
        check_polygon(mesh, f);
        for (Index c = mesh.first[f]; c < mesh.first[f + 1]; ++c) {
            const Index tail = mesh.corner[c];
            const Index head = mesh.corner[mesh.next(f, c)];
            corners.push_back({std::min(tail, head), std::max(tail, head), c, tail < head});
            twins.face[c] = f;
        }
    }
    std::sort(corners.begin(), corners.end());
    for (std::size_t i = 0; i < corners.size(); i += 2) {
        const bool alone = i + 1 == corners.size() || !corners[i].same_edge(corners[i + 1]);
        if (alone) {
            throw std::invalid_argument("the surface is open: edge " + edge_name(corners[i]) +
                                        " bounds only one face; every edge has to join two");
        }
        if (i + 2 < corners.size() && corners[i].same_edge(corners[i + 2])) {
            throw std::invalid_argument("edge " + edge_name(corners[i]) +
                                        " bounds more than two faces; every edge has to join two");
        }
        if (corners[i].rising == corners[i + 1].rising) {
            throw std::invalid_argument("the two faces at edge " + edge_name(corners[i]) +
                                        " are wound in opposite senses; all faces have to be "
                                        "counterclockwise as seen from outside");
        }
        twins.twin[corners[i].corner] = corners[i + 1].corner;
        twins.twin[corners[i + 1].corner] = corners[i].corner;
    }
    return twins;
}

Extent find_extent(const std::vector<Vec3>& vertices) {
    Long3 sum = Long3::Zero();
    double largest = 0.0;
    for (const Vec3& v : vertices) {
        sum += v.cast<long double>();
        largest = std::max(largest, v.lpNorm<Eigen::Infinity>());
    }
    const Long3 mean = sum / static_cast<long double>(std::max<std::size_t>(1, vertices.size()));
    const Vec3 center = mean.cast<double>();
    double radius = 0.0;
    for (const Vec3& v : vertices)
        radius = std::max(radius, (v - center).stableNorm());
    return {center, radius, largest};
}

Plane face_plane(const PolygonMesh& mesh, Index face) {
    const Long3 area = area_vector(mesh, face);
    const long double length = area.norm();
    if (!(length > 0.0L)) return {Vec3::Zero(), 0.0};
    const Long3 normal = area / length;
    long double offset = 0.0L;
    for (Index c = mesh.first[face]; c < mesh.first[face + 1]; ++c)
        offset += normal.dot(mesh.vertices[mesh.corner[c]].cast<long double>());
    offset /= static_cast<long double>(mesh.first[face + 1] - mesh.first[face]);
    return {normal.cast<double>(), static_cast<double>(offset)};
}

PolygonMesh merge_coplanar(const PolygonMesh& mesh, double tolerance) {
    const Twins twins = find_twins(mesh);
    Groups groups(mesh, tolerance);
    // the plane of a group shifts as it grows, so that a merge can make room for another
    while (merge_groups(mesh, twins, groups, tolerance)) {
    }
    return compact(mesh.vertices, outlines(mesh, twins, groups));
}

}  // namespace carom::shape
