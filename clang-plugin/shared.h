/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects in shared memory as nvcc takes them: neither constructed nor
 * destroyed, with a warning. clang refuses those whose constructor or
 * destructor does something. The attribute ct_shared, which the headers of
 * cuda-trace-nvcc put beside shared, has clang leave the constructor out of
 * arrays, and of objects whose constructor does nothing (as that of
 * cuda::barrier, which has a destructor).
 *
 * Of other local objects it takes the attribute shared while clang reads
 * what they are initialised with, and examine gives it back: clang refuses
 * no constructor of an automatic variable. What nvcc refuses is an error here
 * as well: an initializer that is written. One thing less than with nvcc: no
 * lambda captures such an object by value, and one that captures nothing does
 * not name it. Where the type depends on a template's parameter clang's error
 * stays.
 */
#ifndef CT_CLANG_PLUGIN_SHARED_H
#define CT_CLANG_PLUGIN_SHARED_H

#include "clang/Sema/Sema.h"

namespace ct {

class SharedObjects {
public:
  explicit SharedObjects(clang::Sema &S) : S(S) {}

  /// Puts the objects in the body of D into shared memory, before code is made
  /// of it.
  void examine(clang::Decl *D);

private:
  clang::Sema &S;
};

} // namespace ct
#endif
