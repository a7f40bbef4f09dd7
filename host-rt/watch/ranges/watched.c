/* SPDX-License-Identifier: Apache-2.0 */
/* The state that watch.c sets. */
#include "host-rt/watch/ranges/watched.h"

uint32_t ct_watch_state;
