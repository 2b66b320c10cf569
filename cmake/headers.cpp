// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Nothing but a place for the precompiled headers of several targets.
