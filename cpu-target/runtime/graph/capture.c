/* SPDX-License-Identifier: Apache-2.0 */
/* Stream capture: which streams and events belong to which capture. */
#include "cpu-target/runtime/graph/capture.h"
#include "cpu-target/runtime/stream/stream.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct capture {
	unsigned long long id;
	struct ct_graph *graph;
	int owns_graph; /* begun without one */
	int invalid;
};

/* The next node depends on these. */
struct node_set {
	struct ct_graph_node **nodes;
	size_t count;
};

/* A stream that captures, or an event recorded in one. */
struct member {
	struct member *next;
	struct capture *capture;
	struct node_set set;
	unsigned long long stream; /* its id; 0: of an event */
	cudaEvent_t event;
	int origin; /* the capture began here */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct member *members;
static uint32_t stream_members; /* streams that capture; read without the lock */

static int set_add(struct node_set *set, struct ct_graph_node *node)
{
	struct ct_graph_node **grown;

	for (size_t i = 0; i < set->count; i++)
		if (set->nodes[i] == node)
			return 0;
	grown = realloc(set->nodes, (set->count + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	set->nodes = grown;
	set->nodes[set->count++] = node;
	return 0;
}

static int set_add_all(struct node_set *set, struct ct_graph_node *const *nodes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (set_add(set, nodes[i]))
			return -1;
	return 0;
}

/* The functions on members are called with the lock held. */

static unsigned long long id_of(cudaStream_t stream)
{
	unsigned long long id;
	unsigned flags;
	int priority;

	return ct_stream_properties(stream, &flags, &priority, &id) ? 0 : id;
}

static struct member *find_stream(cudaStream_t stream)
{
	unsigned long long id = id_of(stream);

	for (struct member *m = members; m; m = m->next)
		if (id && m->stream == id)
			return m;
	return NULL;
}

static struct member *find_event(cudaEvent_t event)
{
	for (struct member *m = members; m; m = m->next)
		if (!m->stream && m->event == event)
			return m;
	return NULL;
}

static struct member *add_member(struct capture *capture, unsigned long long stream,
				 cudaEvent_t event)
{
	struct member *member = calloc(1, sizeof(*member));

	if (!member)
		return NULL;
	member->capture = capture;
	member->stream = stream;
	member->event = event;
	member->next = members;
	members = member;
	if (stream)
		__atomic_add_fetch(&stream_members, 1, __ATOMIC_RELEASE);
	return member;
}

static void remove_member(struct member *member)
{
	struct member **link = &members;

	while (*link != member)
		link = &(*link)->next;
	*link = member->next;
	if (member->stream)
		__atomic_sub_fetch(&stream_members, 1, __ATOMIC_RELEASE);
	free(member->set.nodes);
	free(member);
}

int ct_capture_is_active(cudaStream_t stream)
{
	int active;

	if (!__atomic_load_n(&stream_members, __ATOMIC_ACQUIRE))
		return 0;
	pthread_mutex_lock(&lock);
	active = find_stream(stream) != NULL;
	pthread_mutex_unlock(&lock);
	return active;
}

static cudaError_t add_node(struct member *member, struct ct_node_body *body)
{
	struct ct_graph_node *node;
	cudaError_t error;

	if (!member || member->capture->invalid) {
		ct_body_release(body);
		return member ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureImplicit;
	}
	error =
	    ct_graph_add(member->capture->graph, member->set.nodes, member->set.count, body, &node);
	if (error)
		return error;
	member->set.count = 0;
	return set_add(&member->set, node) ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t ct_capture_add(cudaStream_t stream, struct ct_node_body *body)
{
	cudaError_t error;

	if (!body)
		return cudaErrorMemoryAllocation;
	pthread_mutex_lock(&lock);
	error = add_node(find_stream(stream), body);
	pthread_mutex_unlock(&lock);
	return error;
}

cudaError_t ct_capture_launch(cudaStream_t stream, struct ct_checked_launch *call)
{
	struct ct_node_body *body = ct_body_new(cudaGraphNodeTypeKernel);

	if (body)
		body->launch = call;
	else
		free(call);
	return ct_capture_add(stream, body);
}

cudaError_t ct_capture_copy(cudaStream_t stream, const struct ct_copy *copy)
{
	struct ct_node_body *body = ct_body_new(cudaGraphNodeTypeMemcpy);

	if (body)
		body->copy = *copy;
	return ct_capture_add(stream, body);
}

cudaError_t ct_capture_fill(cudaStream_t stream, const struct ct_fill *fill)
{
	struct ct_node_body *body = ct_body_new(cudaGraphNodeTypeMemset);

	if (body)
		body->fill = *fill;
	return ct_capture_add(stream, body);
}

cudaError_t ct_capture_host(cudaStream_t stream, cudaHostFn_t function, void *user)
{
	struct ct_node_body *body = ct_body_new(cudaGraphNodeTypeHost);

	if (body)
		body->host = (struct cudaHostNodeParams){function, user};
	return ct_capture_add(stream, body);
}

static cudaError_t add_event_node(cudaStream_t stream, enum cudaGraphNodeType type,
				  cudaEvent_t event)
{
	struct ct_node_body *body = ct_body_new(type);

	if (body)
		body->event = event;
	return ct_capture_add(stream, body);
}

static cudaError_t remember_event(const struct member *stream, cudaEvent_t event)
{
	struct member *member = find_event(event);

	if (!stream || stream->capture->invalid)
		return cudaErrorStreamCaptureInvalidated;
	if (!member)
		member = add_member(stream->capture, 0, event);
	if (!member)
		return cudaErrorMemoryAllocation;
	member->capture = stream->capture;
	member->set.count = 0;
	return set_add_all(&member->set, stream->set.nodes, stream->set.count)
		   ? cudaErrorMemoryAllocation
		   : cudaSuccess;
}

cudaError_t ct_capture_record(cudaStream_t stream, cudaEvent_t event, int external)
{
	cudaError_t error;

	if (external)
		return add_event_node(stream, cudaGraphNodeTypeEventRecord, event);
	pthread_mutex_lock(&lock);
	error = remember_event(find_stream(stream), event);
	pthread_mutex_unlock(&lock);
	return error;
}

/* The stream, which joins the capture if it is in none, goes on behind the event. */
static cudaError_t join(cudaStream_t stream, const struct member *event)
{
	struct member *member = find_stream(stream);

	if (!member)
		member = add_member(event->capture, id_of(stream), NULL);
	if (!member)
		return cudaErrorMemoryAllocation;
	if (member->capture != event->capture) {
		member->capture->invalid = event->capture->invalid = 1;
		return cudaErrorStreamCaptureMerge;
	}
	return set_add_all(&member->set, event->set.nodes, event->set.count)
		   ? cudaErrorMemoryAllocation
		   : cudaSuccess;
}

int ct_capture_wait(cudaStream_t stream, cudaEvent_t event, int external)
{
	struct member *captured, *member;
	int result = 0;

	if (!__atomic_load_n(&stream_members, __ATOMIC_ACQUIRE))
		return 0;
	if (external && ct_capture_is_active(stream)) {
		result = (int)add_event_node(stream, cudaGraphNodeTypeWaitEvent, event);
		return result ? -result : 1;
	}
	pthread_mutex_lock(&lock);
	captured = find_event(event);
	member = find_stream(stream);
	if (captured) {
		result = -(int)join(stream, captured);
	} else if (member) {
		member->capture->invalid = 1;
		result = -(int)cudaErrorStreamCaptureIsolation;
	}
	pthread_mutex_unlock(&lock);
	return captured && !result ? 1 : result;
}

void ct_capture_forget_event(cudaEvent_t event)
{
	struct member *member;

	if (!__atomic_load_n(&stream_members, __ATOMIC_ACQUIRE))
		return;
	pthread_mutex_lock(&lock);
	member = find_event(event);
	if (member)
		remove_member(member);
	pthread_mutex_unlock(&lock);
}

cudaError_t ct_capture_refuse(cudaStream_t stream)
{
	struct member *member;

	if (!__atomic_load_n(&stream_members, __ATOMIC_ACQUIRE))
		return cudaSuccess;
	pthread_mutex_lock(&lock);
	member = find_stream(stream);
	if (member)
		member->capture->invalid = 1;
	pthread_mutex_unlock(&lock);
	return member ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t ct_capture_begin(cudaStream_t stream, struct ct_graph *graph,
			     struct ct_graph_node *const *from, size_t from_count)
{
	static unsigned long long last_id;
	unsigned long long id = id_of(stream);
	struct capture *capture;
	struct member *member;
	cudaError_t error = cudaSuccess;

	if (id <= 1) /* the legacy stream cannot be captured */
		return id ? cudaErrorStreamCaptureUnsupported : cudaErrorInvalidResourceHandle;
	capture = calloc(1, sizeof(*capture));
	if (!capture)
		return cudaErrorMemoryAllocation;
	pthread_mutex_lock(&lock);
	*capture = (struct capture){
	    .id = ++last_id, .graph = graph ? graph : ct_graph_new(), .owns_graph = !graph};
	member = capture->graph && !find_stream(stream) ? add_member(capture, id, NULL) : NULL;
	if (!member) {
		error = capture->graph ? cudaErrorIllegalState : cudaErrorMemoryAllocation;
		if (capture->owns_graph)
			ct_graph_destroy(capture->graph);
		free(capture);
	} else {
		member->origin = 1;
		if (set_add_all(&member->set, from, from_count)) {
			error = cudaErrorMemoryAllocation;
			remove_member(member);
			free(capture); /* with `from` the graph is the caller's */
		}
	}
	pthread_mutex_unlock(&lock);
	return error;
}

/* Did all that other streams did lead back to where the capture began? */
static int is_joined(const struct member *origin)
{
	for (const struct member *m = members; m; m = m->next)
		if (m->capture == origin->capture && m->stream && m != origin &&
		    !ct_graph_leads_to(m->set.nodes, m->set.count, origin->set.nodes,
				       origin->set.count))
			return 0;
	return 1;
}

static void remove_members(const struct capture *capture)
{
	for (struct member *m = members, *next; m; m = next) {
		next = m->next;
		if (m->capture == capture)
			remove_member(m);
	}
}

static cudaError_t end(struct member *member, struct ct_graph **graph)
{
	struct capture *capture;
	cudaError_t error = cudaSuccess;

	if (!member)
		return cudaErrorIllegalState;
	if (!member->origin)
		return cudaErrorStreamCaptureUnmatched;
	capture = member->capture;
	if (capture->invalid)
		error = cudaErrorStreamCaptureInvalidated;
	else if (!is_joined(member))
		error = cudaErrorStreamCaptureUnjoined;
	if (!error)
		*graph = capture->graph;
	else if (capture->owns_graph)
		ct_graph_destroy(capture->graph);
	remove_members(capture);
	free(capture);
	return error;
}

cudaError_t ct_capture_end(cudaStream_t stream, struct ct_graph **graph)
{
	cudaError_t error;

	*graph = NULL;
	pthread_mutex_lock(&lock);
	error = end(find_stream(stream), graph);
	pthread_mutex_unlock(&lock);
	return error;
}

void ct_capture_info(cudaStream_t stream, struct ct_capture_info *info)
{
	struct member *member;

	*info = (struct ct_capture_info){.status = cudaStreamCaptureStatusNone};
	pthread_mutex_lock(&lock);
	member = find_stream(stream);
	if (member && member->capture->invalid) {
		info->status = cudaStreamCaptureStatusInvalidated;
	} else if (member) {
		info->status = cudaStreamCaptureStatusActive;
		info->id = member->capture->id;
		info->graph = member->capture->graph;
		info->nodes = member->set.nodes;
		info->count = member->set.count;
	}
	pthread_mutex_unlock(&lock);
}

cudaError_t ct_capture_depend(cudaStream_t stream, struct ct_graph_node *const *nodes, size_t count,
			      int replace)
{
	struct member *member;
	cudaError_t error = cudaErrorIllegalState;

	pthread_mutex_lock(&lock);
	member = find_stream(stream);
	if (member) {
		if (replace)
			member->set.count = 0;
		error = set_add_all(&member->set, nodes, count) ? cudaErrorMemoryAllocation
								: cudaSuccess;
	}
	pthread_mutex_unlock(&lock);
	return error;
}
