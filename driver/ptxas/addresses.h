/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a unit's PTX takes addresses of functions. */
#ifndef CT_DRIVER_PTXAS_ADDRESSES_H
#define CT_DRIVER_PTXAS_ADDRESSES_H

/* 1 if a function's name stands elsewhere than where it is declared, defined or called, as in a
 * table or a mov; else 0, or -errno. */
int ct_ptx_takes_addresses(const char *path);

#endif
