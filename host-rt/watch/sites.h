/* SPDX-License-Identifier: Apache-2.0 */
/* Call sites whose waits are watched (--uses-of): a file with a hash (column `site` of WAIT) in
 * hexadecimal digits at the beginning of each line; # begins a remark. */
#ifndef CT_HOST_RT_WATCH_SITES_H
#define CT_HOST_RT_WATCH_SITES_H

#include <stdbool.h>
#include <stdint.h>

/* "": every site is in it. 0, or a negative error that was said. */
int ct_watch_sites_read(const char *path);
bool ct_watch_sites_has(uint64_t site);

#endif
