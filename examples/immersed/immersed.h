/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A body of points on springs in a viscous fluid, after the immersed boundary method: what
 * immersed.cu and immersed-fixed.cu share. The fluid's velocity is on a grid of n x n cells whose
 * border is at rest.
 *
 *	body of step t ──► spread: the fluid feels each point in 4 x 4 cells ──► relax, again and
 *	again ──► gather: the fluid's velocity at each point ──► body of step t + 2
 *
 * The body of step t + 1 follows from what was gathered in step t - 1, so the host can move it
 * while the device does step t.
 */
#ifndef IMMERSED_H
#define IMMERSED_H

#include "../example.h"

#ifndef STEPS
#define STEPS 3
#endif
#ifndef SWEEPS
#define SWEEPS 4
#endif
#ifndef POINTS
#define POINTS 16
#endif
#ifndef SUBSTEPS /* of the body in a step */
#define SUBSTEPS 4
#endif
static const int WIDTH = 4; /* of what a point touches, in cells */
static const int CELLS = WIDTH * WIDTH;
static const int SIDE = 16; /* of a block */
static const float STIFFNESS = 0.5f, DRAG = 0.25f, STEP = 0.125f, VISCOSITY = 0.375f;

struct point {
	float x, y, u, v;
};

/* Where each point touches the grid, and how much: what of the body the device is given. */
struct contacts {
	int cell[CELLS][POINTS];
	float weight[CELLS][POINTS];
	float force[2][POINTS];
};

static inline float hat(float distance)
{
	float off = fabsf(distance) / (WIDTH / 2);

	return off < 1 ? 1 - off : 0;
}

static inline std::vector<struct point> first_body(int n)
{
	std::vector<struct point> body(POINTS);

	for (int p = 0; p < POINTS; p++) {
		int side = p % 4, along = p / 4;
		float reach = n * (0.25f + 0.5f * along / (POINTS / 4));

		body[p].x = side == 0 ? n * 0.25f : side == 1 ? n * 0.75f : reach;
		body[p].y = side == 2 ? n * 0.25f : side == 3 ? n * 0.75f : reach;
		body[p].u = 1;
		body[p].v = 0.5f;
	}
	return body;
}

static inline float clamp(float x, int n)
{
	return fminf(fmaxf(x, WIDTH), (float)(n - WIDTH - 1));
}

/* The host's part of a step: springs to the neighbours, drag by the fluid (u, v of each point). */
static inline void move_body(std::vector<struct point> &body, const float *fluid, int n)
{
	for (int s = 0; s < SUBSTEPS; s++) {
		std::vector<struct point> old = body;

		for (int p = 0; p < POINTS; p++) {
			const struct point &left = old[(p + POINTS - 1) % POINTS];
			const struct point &right = old[(p + 1) % POINTS], &own = old[p];
			float rest = sqrtf(fmaf(left.x - right.x, left.x - right.x,
						(left.y - right.y) * (left.y - right.y)) +
					   1);
			float pull = STIFFNESS * (1 - 0.5f / rest);
			float u = fmaf(pull, (left.x + right.x) / 2 - own.x,
				       DRAG * (fluid[2 * p] - own.u));
			float v = fmaf(pull, (left.y + right.y) / 2 - own.y,
				       DRAG * (fluid[2 * p + 1] - own.v));

			body[p].u = fmaf(STEP / SUBSTEPS, u, own.u);
			body[p].v = fmaf(STEP / SUBSTEPS, v, own.v);
			body[p].x = clamp(fmaf(STEP / SUBSTEPS, own.u, own.x), n);
			body[p].y = clamp(fmaf(STEP / SUBSTEPS, own.v, own.y), n);
		}
	}
}

static inline void touch(struct contacts *contacts, const std::vector<struct point> &body, int n)
{
	for (int p = 0; p < POINTS; p++) {
		int x = (int)body[p].x - WIDTH / 2 + 1, y = (int)body[p].y - WIDTH / 2 + 1;

		for (int c = 0; c < CELLS; c++) {
			int column = x + c % WIDTH, row = y + c / WIDTH;

			contacts->cell[c][p] = row * n + column;
			contacts->weight[c][p] = hat(column - body[p].x) * hat(row - body[p].y);
		}
		contacts->force[0][p] = DRAG * body[p].u;
		contacts->force[1][p] = DRAG * body[p].v;
	}
}

__host__ __device__ static inline float relaxed(float middle, float left, float right, float up,
						float down)
{
	return fmaf(VISCOSITY, left + right + up + down, middle) / (1 + 4 * VISCOSITY);
}

/* One block, a thread for each cell that a point touches: points come one after another, so that
 * sums have one order. */
static __global__ void spread(float *field, const struct contacts *contacts, int component)
{
	for (int p = 0; p < POINTS; p++) {
		float *cell = &field[contacts->cell[threadIdx.x][p]];

		*cell =
		    fmaf(contacts->weight[threadIdx.x][p], contacts->force[component][p], *cell);
		__syncthreads();
	}
}

static __global__ void relax(float *out, const float *in, const float *before, int n)
{
	int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
	int i = y * n + x;

	if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
		out[i] = relaxed(before[i], in[i - 1], in[i + 1], in[i - n], in[i + n]);
}

/* A thread for each point. */
static __global__ void gather(float *fluid, const float *field, const struct contacts *contacts,
			      int component)
{
	int p = threadIdx.x;
	float sum = 0;

	for (int c = 0; c < CELLS; c++)
		sum = fmaf(contacts->weight[c][p], field[contacts->cell[c][p]], sum);
	fluid[2 * p + component] = sum;
}

static inline dim3 grid_of(int n)
{
	return dim3(divide_up(n, SIDE), divide_up(n, SIDE));
}

static inline void reference_relax(std::vector<float> &field, int n)
{
	std::vector<float> before = field, in;

	for (int s = 0; s < SWEEPS; s++) {
		in = field;
		for (int y = 1; y < n - 1; y++)
			for (int x = 1; x < n - 1; x++) {
				int i = y * n + x;

				field[i] =
				    relaxed(before[i], in[i - 1], in[i + 1], in[i - n], in[i + n]);
			}
	}
}

/* Both components of the fluid's velocity, then the body's place. */
static inline std::vector<float> result_of(const std::vector<float> *fields,
					   const std::vector<struct point> &body)
{
	std::vector<float> result = fields[0];

	result.insert(result.end(), fields[1].begin(), fields[1].end());
	for (const struct point &point : body) {
		result.push_back(point.x);
		result.push_back(point.y);
	}
	return result;
}

static inline void reference_component(std::vector<float> &field, float *gathered,
				       const struct contacts &contacts, int component, int n)
{
	for (int p = 0; p < POINTS; p++)
		for (int c = 0; c < CELLS; c++) {
			float &cell = field[contacts.cell[c][p]];

			cell = fmaf(contacts.weight[c][p], contacts.force[component][p], cell);
		}
	reference_relax(field, n);
	for (int p = 0; p < POINTS; p++) {
		float sum = 0;

		for (int c = 0; c < CELLS; c++)
			sum = fmaf(contacts.weight[c][p], field[contacts.cell[c][p]], sum);
		gathered[2 * p + component] = sum;
	}
}

static inline std::vector<float> reference(int n)
{
	std::vector<float> fields[2] = {std::vector<float>(n * n), std::vector<float>(n * n)};
	std::vector<float> fluid(2 * POINTS), gathered(2 * POINTS);
	std::vector<struct point> body = first_body(n);
	struct contacts contacts;

	for (int t = 0; t < STEPS; t++) {
		touch(&contacts, body, n);
		move_body(body, fluid.data(), n);
		for (int component = 0; component < 2; component++)
			reference_component(fields[component], gathered.data(), contacts, component,
					    n);
		fluid = gathered;
	}
	return result_of(fields, body);
}

#endif
