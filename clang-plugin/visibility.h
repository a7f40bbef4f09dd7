/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What host code has of kernels and device variables is hidden from other
 * libraries, as nvcc 13 hides it (option "nvcc-hidden" of the plugin): two
 * libraries that have a kernel of one name each launch their own.
 */
#ifndef CT_PLUGIN_VISIBILITY_H
#define CT_PLUGIN_VISIBILITY_H

#include "clang/AST/DeclBase.h"

namespace ct {

/// Before code is made of D; what the source says of its visibility stays.
void hideDeviceEntity(clang::Decl *D);

} // namespace ct
#endif
