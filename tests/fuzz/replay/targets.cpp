// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The targets of the folder above in one program: each as a function TARGET_one_input.

#define LLVMFuzzerTestOneInput scene_run_one_input
#include "tests/fuzz/scene_run_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput mesh_scene_one_input
#include "tests/fuzz/mesh_scene_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput checkpoint_one_input
#include "tests/fuzz/checkpoint_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput recording_one_input
#include "tests/fuzz/recording_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput http_one_input
#include "tests/fuzz/http_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput what_if_one_input
#include "tests/fuzz/what_if_fuzz.cpp"
#undef LLVMFuzzerTestOneInput
