/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of a trace. */
#include "trace/write/folder.h"

#include "trace/names/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

int ct_folder_open(struct ct_folder *folder, const char *path)
{
	int fd = ct_directory_open(path);
	struct rlimit before;
	int err;

	if (fd == -EMFILE && ct_descriptor_begin_room(&before)) {
		fd = ct_directory_open(path);
		ct_descriptor_end_room(&before);
	}
	*folder = (struct ct_folder){.descriptor = CT_DESCRIPTOR_NONE};
	if (fd < 0)
		return fd;
	err = ct_descriptor_take(&folder->descriptor, fd);
	if (err < 0)
		return err;
	folder->path = realpath(path, NULL);
	pthread_mutex_init(&folder->lock, NULL);
	return folder->path ? 0 : -errno;
}

int ct_folder_begin(struct ct_folder *folder)
{
	int err = 0;

	pthread_mutex_lock(&folder->lock);
	if (!ct_descriptor_holds(&folder->descriptor))
		err = ct_descriptor_open(&folder->descriptor, AT_FDCWD, folder->path,
					 O_RDONLY | O_DIRECTORY);
	return err < 0 ? err : folder->descriptor.number;
}

void ct_folder_end(struct ct_folder *folder)
{
	ct_descriptor_rest(&folder->descriptor);
	pthread_mutex_unlock(&folder->lock);
}

void ct_folder_close(struct ct_folder *folder)
{
	if (!folder->descriptor.inode)
		return;
	ct_descriptor_close(&folder->descriptor);
	pthread_mutex_destroy(&folder->lock);
	free(folder->path);
}
