/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays, textures and surfaces: what fetches give, by hand; copies from and to arrays. */
#pragma clang diagnostic ignored "-Wdeprecated-declarations" // calls of arrays that old code has
#include "feature.h"

__global__ void fetch_line(cudaTextureObject_t t, const int *at, float *out)
{
	out[threadIdx.x] = tex1Dfetch<float>(t, at[threadIdx.x]);
}

__global__ void fetch_plane(cudaTextureObject_t t, const float2 *at, float *out)
{
	float2 here = at[threadIdx.x];

	out[threadIdx.x] = tex2D<float>(t, here.x, here.y);
}

__global__ void fetch_four(cudaTextureObject_t t, float4 *out)
{
	out[threadIdx.x] = tex2D<float4>(t, threadIdx.x + 0.5f, 0.5f);
}

__global__ void fetch_bytes(cudaTextureObject_t t, int *out)
{
	char2 both = tex2D<char2>(t, threadIdx.x, 0);

	out[threadIdx.x] = 1000 * both.x + both.y;
}

__global__ void fetch_solid(cudaTextureObject_t t, float *out)
{
	out[threadIdx.x] = tex3D<float>(t, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 % 3 + 0.5f,
					threadIdx.x / 12 + 0.5f);
}

__global__ void fetch_layer(cudaTextureObject_t t, float *out)
{
	out[threadIdx.x] =
	    tex2DLayered<float>(t, threadIdx.x % 4, threadIdx.x / 4 % 3, threadIdx.x / 12);
}

__global__ void fetch_cube(cudaTextureObject_t t, const float3 *at, float *out)
{
	float3 to = at[threadIdx.x];

	out[threadIdx.x] = texCubemap<float>(t, to.x, to.y, to.z);
}

__global__ void gather(cudaTextureObject_t t, float4 *out)
{
	*out = tex2Dgather<float4>(t, 2, 1);
}

/* Each value to its place in a transposed surface; what lies outside is left out. */
__global__ void transpose(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
	int x = threadIdx.x - 1, y = threadIdx.y, value;

	surf2Dread(&value, from, x * 4, y, cudaBoundaryModeZero);
	surf2Dwrite(value, to, y * 4, x, cudaBoundaryModeZero);
}

__global__ void edges(cudaSurfaceObject_t s, int4 *out)
{
	out->x = surf2Dread<int>(s, -8, 1, cudaBoundaryModeClamp);
	out->y = surf2Dread<int>(s, 400, 7, cudaBoundaryModeClamp);
	out->z = surf2Dread<int>(s, 4, -1, cudaBoundaryModeZero);
	out->w = surf2Dread<short>(s, 4, 1);
}

static cudaTextureDesc reading(cudaTextureAddressMode mode, bool linear, bool unit,
			       bool normalized = false)
{
	cudaTextureDesc d = {};

	d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = mode;
	d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
	d.readMode = normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
	d.normalizedCoords = unit;
	d.borderColor[0] = 50;
	return d;
}

static cudaError_t try_texture(cudaTextureObject_t *t, cudaArray_t array, const cudaTextureDesc &d)
{
	cudaResourceDesc r = {};

	r.resType = cudaResourceTypeArray;
	r.res.array.array = array;
	return cudaCreateTextureObject(t, &r, &d, nullptr);
}

static cudaTextureObject_t texture(cudaArray_t array, const cudaTextureDesc &d)
{
	cudaTextureObject_t t;

	need(try_texture(&t, array, d), "cudaCreateTextureObject");
	return t;
}

template <class T> cudaArray_t array_of(const T *host, cudaExtent extent, unsigned flags = 0)
{
	cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
	cudaMemcpy3DParms copy = {};
	size_t rows = extent.height ? extent.height : 1;
	cudaArray_t array;

	need(cudaMalloc3DArray(&array, &format, extent, flags), "cudaMalloc3DArray");
	copy.srcPtr =
	    make_cudaPitchedPtr((void *)host, extent.width * sizeof(T), extent.width, rows);
	copy.dstArray = array;
	copy.extent = make_cudaExtent(extent.width, rows, extent.depth ? extent.depth : 1);
	copy.kind = cudaMemcpyHostToDevice;
	need(cudaMemcpy3D(&copy), "cudaMemcpy3D");
	return array;
}

static cudaArray_t plane; /* 4 by 3: 10 y + x */
static float values[72];

/* 8 points in the plane, and what is found there. */
static void look(const char *name, const cudaTextureDesc &d, const float2 (&at)[8],
		 const float (&expected)[8])
{
	float2 *there = device_array<float2>(8);
	float *out = device_array<float>(8);
	cudaTextureObject_t t = texture(plane, d);

	upload(there, at, 8);
	fetch_plane<<<1, 8>>>(t, there, out);
	need(cudaDestroyTextureObject(t), "cudaDestroyTextureObject"); // the kernel reads it still
	check(name, all_equal(out, 8, [&](size_t i) { return expected[i]; }));
}

static void planes()
{
	const float2 elements[8] = {{0, 0},     {3.9f, 2.9f}, {1.5f, 1}, {2, 2},
				    {-5, 1.5f}, {9, 1},       {1, -1},   {1e30f, 1e30f}};
	const float2 units[8] = {{0, 0},    {0.99f, 0.99f}, {1.3f, 0},  {-0.1f, 0},
				 {0, 1.4f}, {2.6f, 0},      {0, -0.3f}, {-0.9f, 0}};

	look("nearest, clamped", reading(cudaAddressModeClamp, false, false), elements,
	     {0, 23, 11, 22, 10, 13, 1, 23});
	look("nearest, border", reading(cudaAddressModeBorder, false, false), elements,
	     {0, 23, 11, 22, 50, 50, 50, 50});
	look("nearest, wrapped", reading(cudaAddressModeWrap, false, true), units,
	     {0, 23, 1, 3, 10, 2, 20, 0});
	look("nearest, mirrored", reading(cudaAddressModeMirror, false, true), units,
	     {0, 23, 2, 0, 10, 2, 0, 3});
	look("wrapping needs coordinates of 0 to 1", reading(cudaAddressModeWrap, false, false),
	     elements, {0, 23, 11, 22, 10, 13, 1, 23});
	look(
	    "filtered, clamped", reading(cudaAddressModeClamp, true, false),
	    {{0.5f, 0.5f}, {1, 0.5f}, {1.75f, 0.5f}, {1, 1}, {0, 0}, {4, 3}, {2.5f, 1.25f}, {3, 9}},
	    {0, 0.5f, 1.25f, 5.5f, 0, 23, 9.5f, 22.5f});
	look("filtered, border", reading(cudaAddressModeBorder, true, false),
	     {{0, 0.5f}, {0.5f, 0}, {4, 0.5f}, {0, 0}, {-1, 1}, {2, 2.5f}, {1, 1}, {0.25f, 0.5f}},
	     {25, 25, 26.5f, 37.5f, 50, 21.5f, 5.5f, 12.5f});
	look("filtered, wrapped", reading(cudaAddressModeWrap, true, true),
	     {{0, 0.5f},
	      {0.125f, 0.5f},
	      {1, 0.5f},
	      {0.25f, 0.5f},
	      {0.125f, 0},
	      {-1, 0.5f},
	      {0.1875f, 0.5f},
	      {2.125f, 0.5f}},
	     {11.5f, 10, 11.5f, 10.5f, 10, 11.5f, 10.25f, 10});
}

static void formats()
{
	const uchar4 bytes[2] = {{0, 255, 51, 102}, {255, 0, 204, 153}};
	const char2 small[2] = {{-3, 100}, {7, -128}};
	float four[8];
	float4 *out = device_array<float4>(2);
	int *numbers = device_array<int>(2);
	cudaArray_t array = array_of(bytes, make_cudaExtent(2, 1, 0));

	fetch_four<<<1, 2>>>(texture(array, reading(cudaAddressModeClamp, false, false, true)),
			     out);
	download(four, (const float *)out, 8);
	check("bytes as 0 to 1", four[0] == 0 && four[1] == 1 && four[2] == 0.2f &&
				     four[3] == 0.4f && four[6] == 0.8f && four[7] == 0.6f);
	array = array_of(small, make_cudaExtent(2, 1, 0));
	fetch_bytes<<<1, 2>>>(texture(array, reading(cudaAddressModeClamp, false, false)), numbers);
	check("signed bytes",
	      all_equal(numbers, 2, [](size_t i) { return i ? 7000 - 128 : -3000 + 100; }));
	fetch_four<<<1, 2>>>(texture(array, reading(cudaAddressModeClamp, false, false, true)),
			     out);
	download(four, (const float *)out, 8);
	check("signed bytes as -1 to 1", four[0] == -3.f / 127 && four[5] == -1);
}

static void shapes()
{
	const float3 to[8] = {{1, 0.5f, 0.5f},  {-2, -1, 1},       {0.5f, 1, 0.5f},
			      {0.5f, -1, 0.5f}, {-0.5f, -0.5f, 1}, {-0.5f, -0.5f, -1},
			      {1, -0.9f, 0.9f}, {0.1f, 0.1f, 0.3f}};
	const float found[8] = {0, 7, 11, 13, 18, 23, 2, 17};
	float *out = device_array<float>(24);
	float3 *there = device_array<float3>(8);
	cudaTextureDesc d = reading(cudaAddressModeClamp, false, false);
	cudaArray_t solid = array_of(values, make_cudaExtent(4, 3, 2));
	cudaArray_t cube = array_of(values, make_cudaExtent(2, 2, 6), cudaArrayCubemap);

	fetch_solid<<<1, 24>>>(texture(solid, reading(cudaAddressModeClamp, true, false)), out);
	check("three dimensions", all_equal(out, 24, [](size_t i) { return i; }));
	solid = array_of(values, make_cudaExtent(4, 3, 2), cudaArrayLayered);
	fetch_layer<<<1, 24>>>(texture(solid, d), out);
	check("layers", all_equal(out, 24, [](size_t i) { return i; }));
	upload(there, to, 8);
	fetch_cube<<<1, 8>>>(texture(cube, reading(cudaAddressModeClamp, false, true)), there, out);
	check("faces of a cube", all_equal(out, 8, [&](size_t i) { return found[i]; }));
}

/* Without arrays: elements by number, and rows at a distance. */
static void memory()
{
	const int at[4] = {0, 71, 72, -1};
	const float2 in_rows[4] = {{0, 0}, {2, 1}, {1.5f, 2.5f}, {9, 0}};
	float *line = device_array<float>(72), *out = device_array<float>(4);
	int *there = device_array<int>(4);
	float2 *points = device_array<float2>(4);
	cudaTextureDesc d = reading(cudaAddressModeClamp, false, false);
	cudaResourceDesc r = {};
	cudaTextureObject_t t;

	upload(line, values, 72);
	upload(there, at, 4);
	upload(points, in_rows, 4);
	r.resType = cudaResourceTypeLinear;
	r.res.linear.devPtr = line;
	r.res.linear.desc = cudaCreateChannelDesc<float>();
	r.res.linear.sizeInBytes = 72 * sizeof(float);
	need(cudaCreateTextureObject(&t, &r, &d, nullptr), "cudaCreateTextureObject");
	fetch_line<<<1, 4>>>(t, there, out);
	check("linear memory", all_equal(out, 4, [](size_t i) { return i == 1 ? 71 : 0; }));
	r = {};
	r.resType = cudaResourceTypePitch2D;
	r.res.pitch2D.devPtr = line;
	r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
	r.res.pitch2D.width = 5;
	r.res.pitch2D.height = 3;
	r.res.pitch2D.pitchInBytes = 8 * sizeof(float);
	need(cudaCreateTextureObject(&t, &r, &d, nullptr), "cudaCreateTextureObject");
	fetch_plane<<<1, 4>>>(t, points, out);
	check("rows", all_equal(out, 4, [](size_t i) {
		      return i == 1 ? 10 : i == 2 ? 17 : i == 3 ? 4 : 0;
	      }));
}

static cudaSurfaceObject_t surface(cudaArray_t array)
{
	cudaResourceDesc r = {};
	cudaSurfaceObject_t s;

	r.resType = cudaResourceTypeArray;
	r.res.array.array = array;
	need(cudaCreateSurfaceObject(&s, &r), "cudaCreateSurfaceObject");
	return s;
}

static void surfaces()
{
	cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
	int from[6] = {1, 2, 3, 4, 5, 6}, back[6], expected[6] = {1, 4, 2, 5, 3, 6}, ends[4];
	int4 *out = device_array<int4>(1);
	cudaArray_t one, other;

	need(cudaMallocArray(&one, &format, 3, 2, cudaArraySurfaceLoadStore), "cudaMallocArray");
	need(cudaMallocArray(&other, &format, 2, 3, cudaArraySurfaceLoadStore), "cudaMallocArray");
	need(cudaMemcpyToArray(one, 0, 0, from, sizeof(from), cudaMemcpyHostToDevice),
	     "cudaMemcpyToArray");
	transpose<<<1, dim3(5, 2)>>>(surface(one), surface(other));
	need(cudaMemcpy2DFromArray(back, 8, other, 0, 0, 8, 3, cudaMemcpyDeviceToHost),
	     "cudaMemcpy2DFromArray");
	check("surfaces", !memcmp(back, expected, sizeof(back)));
	edges<<<1, 1>>>(surface(one), out);
	download(ends, (const int *)out, 4);
	check("beyond a surface", ends[0] == 4 && ends[1] == 6 && ends[2] == 0 && ends[3] == 5);
	need(cudaMemcpy2DToArray(one, 4, 0, back, 8, 8, 2, cudaMemcpyHostToDevice),
	     "cudaMemcpy2DToArray");
	need(cudaMemcpyFromArray(back, one, 4, 0, 20, cudaMemcpyDeviceToHost),
	     "cudaMemcpyFromArray");
	check("parts of rows", back[0] == 1 && back[1] == 4 && back[2] == 4 && back[4] == 5);
}

/* CUDA does not know arrays that are gone: what it does with one is not said. */
static bool is_cpu_target()
{
	cudaDeviceProp device;

	need(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
	return strncmp(device.name, "CPU target", strlen("CPU target")) == 0;
}

static void errors()
{
	cudaChannelFormatDesc format = {8, 16, 0, 0, cudaChannelFormatKindUnsigned}, has;
	cudaArray_t array = nullptr;
	cudaMemcpy3DParms box = {};
	cudaTextureObject_t t;
	cudaExtent extent;
	unsigned flags;
	int host[4] = {};

	check("no such format",
	      cudaMallocArray(&array, &format, 4, 4) == cudaErrorInvalidChannelDescriptor);
	format = cudaCreateChannelDesc<int>();
	need(cudaMallocArray(&array, &format, 4, 1), "cudaMallocArray");
	need(cudaArrayGetInfo(&has, &extent, &flags, array), "cudaArrayGetInfo");
	check("what an array is", has.x == 32 && has.f == cudaChannelFormatKindSigned &&
				      extent.width == 4 && extent.height == 1 && flags == 0);
	check("integers have no filter",
	      try_texture(&t, array, reading(cudaAddressModeClamp, true, false)) ==
		  cudaErrorInvalidFilterSetting);
	check("beyond an array", cudaMemcpyToArray(array, 4, 0, host, 16, cudaMemcpyHostToDevice) ==
				     cudaErrorInvalidValue);
	check("behind its last row",
	      cudaMemcpyToArray(array, 4, 1, host, 4, cudaMemcpyDefault) == cudaErrorInvalidValue);
	box.srcPtr = make_cudaPitchedPtr(host, 8, 8, 1);
	box.dstArray = plane;
	box.dstPos.x = 3;
	box.extent = make_cudaExtent(2, 1, 1);
	box.kind = cudaMemcpyDefault;
	check("beyond a row", cudaMemcpy3D(&box) == cudaErrorInvalidValue);
	box.dstPos = make_cudaPos(0, 0, 1);
	check("no such plane", cudaMemcpy3D(&box) == cudaErrorInvalidValue);
	need(cudaFreeArray(array), "cudaFreeArray");
	if (is_cpu_target())
		check("an array that is gone",
		      try_texture(&t, array, reading(cudaAddressModeClamp, false, false)) ==
			  cudaErrorInvalidValue);
	cudaGetLastError();
}

int main()
{
	float in_plane[12], four[4];
	float4 *out = device_array<float4>(1);

	for (int i = 0; i < 12; i++)
		in_plane[i] = 10 * (i / 4) + i % 4;
	for (int i = 0; i < 72; i++)
		values[i] = i;
	plane = array_of(in_plane, make_cudaExtent(4, 3, 0), cudaArrayTextureGather);
	planes();
	formats();
	shapes();
	memory();
	gather<<<1, 1>>>(texture(plane, reading(cudaAddressModeClamp, false, false)), out);
	download(four, (const float *)out, 4);
	check("gathered", four[0] == 11 && four[1] == 12 && four[2] == 2 && four[3] == 1);
	surfaces();
	errors();
	return finish();
}
