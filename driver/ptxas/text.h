/* SPDX-License-Identifier: Apache-2.0 */
/* What ct-ptxas asks of a unit's PTX. */
#ifndef CT_PTXAS_TEXT_H
#define CT_PTXAS_TEXT_H

/* Whether the clones of this unit share what they call (__ct_enter_far of hooks.def; the pass
 * decides it), and how many registers the least of them leaves to that: what .maxnreg, .maxntid and
 * .minnctapersm of kernels __ct_… allow, at most 64, as 1024 threads have to be possible. Returns
 * the registers; 0 if the clones share nothing; -errno if the file cannot be read. */
int ct_ptx_shared_registers(const char *path);

#endif
