// SPDX-License-Identifier: Apache-2.0
// Lines stay as they are:
// clang-format off
// Binary search tree in an array of nodes of 16 bytes, 1023 nodes; 1024 queries; class with members, noinline helper used by two kernels.
#include "ok.h"
#include <vector>
struct Node { int left, right; float key, value; };
class Tree {
	const Node *nodes; int root;
public:
	Tree(const Node *n, int r) : nodes(n), root(r) {}
	__device__ __noinline__ float find(float k) const {
		int i = root; float best = -1;
		while (i >= 0) {
			Node n = nodes[i];                              // WALK
			if (n.key == k) { best = n.value; break; }
			i = k < n.key ? n.left : n.right;               // TURN
		}
		return best;
	}
};
__global__ void lookup(Tree t, const float *q, float *out) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = t.find(q[i]); }
__global__ void contains(Tree t, const float *q, int *out) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = t.find(q[i] + 0.5f) >= 0; }
static std::vector<Node> pool;
static int build(int lo, int hi) { if (lo > hi) return -1; int m = (lo + hi) / 2, me = pool.size(); pool.push_back({-1, -1, (float)m, m * 2.0f}); int l = build(lo, m - 1), r = build(m + 1, hi); pool[me].left = l; pool[me].right = r; return me; }
int main() {
	int root = build(0, 1022), n = 1024;
	std::vector<float> q(n), o(n); for (int i = 0; i < n; i++) q[i] = i * 389 % 1023;
	Node *d; float *dq, *dout; int *di;
	OK(cudaMalloc(&d, pool.size() * sizeof(Node))); OK(cudaMalloc(&dq, n * 4)); OK(cudaMalloc(&dout, n * 4)); OK(cudaMalloc(&di, n * 4));
	OK(cudaMemcpy(d, pool.data(), pool.size() * sizeof(Node), cudaMemcpyHostToDevice));
	OK(cudaMemcpy(dq, q.data(), n * 4, cudaMemcpyHostToDevice));
	Tree t(d, root);
	lookup<<<n / 128, 128>>>(t, dq, dout);
	contains<<<n / 128, 128>>>(t, dq, di);
	OK(cudaMemcpy(o.data(), dout, n * 4, cudaMemcpyDeviceToHost));
	std::vector<int> oi(n); OK(cudaMemcpy(oi.data(), di, n * 4, cudaMemcpyDeviceToHost));
	int bad = 0; for (int i = 0; i < n; i++) bad += o[i] != 2 * q[i] || oi[i];
	printf("%s\n", bad ? "WRONG" : "ok");
	OK(cudaFree(d)); OK(cudaFree(dq)); OK(cudaFree(dout)); OK(cudaFree(di));
	return bad != 0;
}
