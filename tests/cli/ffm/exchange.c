/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands in for MPI, compiled without us: the functions have the names and the C binding of
 * Open MPI, and do nothing that could be seen but to read host memory that they are given.
 */
#include <stddef.h>

struct type {
	long bytes;
};

struct type exchange_int = {sizeof(int)};

static volatile int sum;

int MPI_Type_get_extent(struct type *type, long *low, long *extent)
{
	*low = 0;
	*extent = type->bytes;
	return 0;
}

/* to: -1, the memory is the host's, which is read. */
int MPI_Send(const void *buffer, int count, struct type *type, int to, int tag, void *communicator)
{
	(void)tag;
	(void)communicator;
	for (int i = 0; to < 0 && i < count * (int)type->bytes; i++)
		sum += ((const char *)buffer)[i];
	return 0;
}

int MPI_Recv(void *buffer, int count, struct type *type, int from, int tag, void *communicator,
	     void *status)
{
	(void)buffer, (void)count, (void)type, (void)from, (void)tag, (void)communicator;
	(void)status;
	return 0;
}

int MPI_Start(void **request)
{
	(void)request;
	return 0;
}
