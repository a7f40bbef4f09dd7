/* SPDX-License-Identifier: Apache-2.0 */
/* What logs hold, as rows of CALL. The journal's thread alone. */
#ifndef CT_JOURNAL_ROWS_H
#define CT_JOURNAL_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/* Writes all that has come since, and names of threads; at the end what has not ended, too. False:
 * the trace takes no more. */
bool ct_journal_write(bool is_last);

#endif
