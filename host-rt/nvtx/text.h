/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of NVTX: bytes, or wide characters that become UTF-8. */
#ifndef CT_HOST_RT_NVTX_TEXT_H
#define CT_HOST_RT_NVTX_TEXT_H

#include <wchar.h>

#define CT_NVTX_TEXT_BYTES 1024u /* longer ones are cut */

/* wide in UTF-8, cut between characters; "" of NULL. Returns text. */
const char *ct_nvtx_narrow(const wchar_t *wide, char text[CT_NVTX_TEXT_BYTES]);

#endif
