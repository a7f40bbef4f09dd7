/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What fetches from textures and surfaces tell: image, coordinates, value. The program says what a
 * trace must hold (tests/e2e/run-value-contents.sh):
 *
 *	expect KERNEL OPERATION VALUE,... at IMAGE COORDINATES
 */
#include "../../e2e/features/feature.h"
#include <string>

#define SIZE 8

/* Fetches memory by index, and an array by coordinates. */
__global__ void fetch(cudaTextureObject_t linear, cudaTextureObject_t image, int4 *out)
{
	int lane = threadIdx.x;
	int4 a = tex1Dfetch<int4>(linear, lane * 5 % 32);
	float4 b = tex2D<float4>(image, lane % SIZE + 0.5f, lane / SIZE + 0.5f);

	out[lane] = make_int4(a.x + a.y, a.z + a.w, (int)b.x, (int)b.w);
}

/* Surfaces count x in bytes. */
__global__ void change(cudaSurfaceObject_t surface)
{
	int x = threadIdx.x % SIZE, y = threadIdx.x / SIZE, v;

	surf2Dread(&v, surface, x * 4, y);
	surf2Dwrite(v + 1000, surface, x * 4, y);
}

template <typename F> static std::string list(F text)
{
	std::string all;

	for (int lane = 0; lane < 32; lane++)
		all += (lane ? "," : "") + text(lane);
	return all;
}

static std::string number(double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%g", value);
	return text;
}

template <typename V, typename C>
static void expect(const char *kernel, const char *operation, unsigned long long image, V value,
		   C at)
{
	printf("expect %s %s %s at 0x%llx [%s]\n", kernel, operation, list(value).c_str(), image,
	       list(at).c_str());
}

static cudaArray_t make_array(cudaChannelFormatDesc format, const void *host, size_t bytes)
{
	cudaArray_t array;

	need(cudaMallocArray(&array, &format, SIZE, SIZE, cudaArraySurfaceLoadStore), "array");
	need(cudaMemcpy2DToArray(array, 0, 0, host, SIZE * bytes, SIZE * bytes, SIZE,
				 cudaMemcpyHostToDevice),
	     "copy");
	return array;
}

static void test_textures()
{
	int4 host[32], *in = device_array<int4>(32), *out = device_array<int4>(32);
	float4 pixels[SIZE * SIZE];
	cudaResourceDesc resource = {}, of_array = {};
	cudaTextureDesc how = {};
	cudaTextureObject_t linear, image;

	for (int i = 0; i < 32; i++)
		host[i] = make_int4(i, -i, i * i, 7);
	for (int i = 0; i < SIZE * SIZE; i++)
		pixels[i] = make_float4(i + 0.5f, -i - 0.25f, 0.125f, i + 0.75f);
	upload(in, host, 32);
	resource.resType = cudaResourceTypeLinear;
	resource.res.linear.devPtr = in;
	resource.res.linear.desc = cudaCreateChannelDesc<int4>();
	resource.res.linear.sizeInBytes = sizeof(host);
	need(cudaCreateTextureObject(&linear, &resource, &how, nullptr), "texture of memory");
	of_array.resType = cudaResourceTypeArray;
	of_array.res.array.array =
	    make_array(cudaCreateChannelDesc<float4>(), pixels, sizeof(float4));
	need(cudaCreateTextureObject(&image, &of_array, &how, nullptr), "texture of an array");
	fetch<<<1, 32>>>(linear, image, out);
	need(cudaDeviceSynchronize(), "fetch");
	expect(
	    "fetch", "texture_load", linear,
	    [&](int lane) {
		    int4 v = host[lane * 5 % 32];

		    return "[" + number(v.x) + "," + number(v.y) + "," + number(v.z) + "," +
			   number(v.w) + "]";
	    },
	    [](int lane) { return "[" + number(lane * 5 % 32) + "]"; });
	expect(
	    "fetch", "texture_load", image,
	    [&](int lane) {
		    float4 v = pixels[lane];

		    return "[" + number(v.x) + "," + number(v.y) + "," + number(v.z) + "," +
			   number(v.w) + "]";
	    },
	    [](int lane) {
		    return "[" + number(lane % SIZE + 0.5) + "," + number(lane / SIZE + 0.5) + "]";
	    });
}

static void test_surface()
{
	int pixels[SIZE * SIZE];
	cudaResourceDesc resource = {};
	cudaSurfaceObject_t surface;
	auto at = [](int lane) {
		return "[" + number(lane % SIZE * 4) + "," + number(lane / SIZE) + "]";
	};

	for (int i = 0; i < SIZE * SIZE; i++)
		pixels[i] = i * 3 - 50;
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = make_array(cudaCreateChannelDesc<int>(), pixels, sizeof(int));
	need(cudaCreateSurfaceObject(&surface, &resource), "surface");
	change<<<1, 32>>>(surface);
	need(cudaDeviceSynchronize(), "change");
	expect(
	    "change", "surface_load", surface, [&](int lane) { return number(pixels[lane]); }, at);
	expect(
	    "change", "surface_store", surface,
	    [&](int lane) { return number(pixels[lane] + 1000); }, at);
}

int main()
{
	test_textures();
	test_surface();
	return finish();
}
