// SPDX-License-Identifier: Apache-2.0
// Lines stay as they are:
// clang-format off
#pragma once
#include <cstdio>
#include <cstdlib>
#define OK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(3); } } while (0)
