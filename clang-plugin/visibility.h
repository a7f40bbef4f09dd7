/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What host code has of kernels and device variables is hidden from other
 * libraries, as nvcc 13 hides it (option "nvcc-hidden" of the plugin): two
 * libraries that have a kernel of one name each launch their own.
 */
#ifndef CT_CLANG_PLUGIN_VISIBILITY_H
#define CT_CLANG_PLUGIN_VISIBILITY_H

#include "clang/AST/DeclBase.h"

namespace ct {

/// Before code is made of D; what the source says of its visibility stays.
void hideDeviceEntity(clang::Decl *D);

/// A constant of the host that clang has a copy of for devices is there if
/// code for devices uses it. nvcc has no such copies: a program may have more
/// of them than constant memory has room for.
void leaveOutUnusedConstant(clang::Decl *D);

} // namespace ct
#endif
