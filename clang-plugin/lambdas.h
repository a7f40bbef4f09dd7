/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What nvcc knows of lambdas and programs ask it
 * (__nv_is_extended_device_lambda_closure_type and its kin): for which sides
 * a closure's call operator was declared. clang has no such question, and no
 * template can find it out. cudatrace-nvcc.h asks by instantiating
 *
 *   template <class T> struct ct_nvcc_closure {
 *     enum : int { sides = 0 };
 *   };
 *
 * and sides is given its value as soon as that is instantiated.
 */
#ifndef CT_CLANG_PLUGIN_LAMBDAS_H
#define CT_CLANG_PLUGIN_LAMBDAS_H

#include "clang/Sema/Sema.h"

namespace ct {

/// Values of sides; 0 is what is no extended lambda.
enum ClosureSides { ForDevice = 1, ForBoth = 2 };

/// From now on instantiations of ct_nvcc_closure have their value.
void answerOfLambdas(clang::Sema &S);

} // namespace ct
#endif
