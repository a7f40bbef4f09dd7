/* SPDX-License-Identifier: Apache-2.0 */
/* Sites that compiled code has noted for the next launch or allocation of this host thread. */
#ifndef CT_SITES_H
#define CT_SITES_H

/* Descriptors (host.h) or NULL; taking one clears it. */
const char *ct_sites_take_launch(void);
const char *ct_sites_take_alloc(void);

#endif
