/* SPDX-License-Identifier: Apache-2.0 */
/* A unit's PTX in two: what is compiled apart, and the rest. */
#ifndef CT_PTXAS_SPLIT_H
#define CT_PTXAS_SPLIT_H

/* Functions whose names begin so are compiled apart; what they call, and kernels may call as well,
 * has the other (llvm-pass/device/runtime.cpp). They use no variables. */
#define CT_PTX_NAME_APART "ct_apart_"
#define CT_PTX_NAME_NEAR "ct_near_"

/* Writes to the file rest the PTX with functions apart declared as external, and to the file apart
 * these, visible, with the functions near. Returns how many are apart; where it is 0 the files hold
 * nothing of use. -errno if a file cannot be read or written. */
int ct_ptx_split(const char *path, const char *rest, const char *apart);

#endif
