/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of a block at constant distances. */
#include "llvm-pass/clone/series.h"
#include "llvm-pass/clone/groups.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"
#include <cudatrace/series.h>
#include <optional>

using namespace llvm;
using ct::Series;

/// A call of two is as long as two calls.
static const size_t LeastAccesses = 3;

namespace {

class SeriesFinder {
public:
  SeriesFinder(const ct::TracedFunction &F, ct::Addresses &Addresses)
      : F(F), Addresses(Addresses) {}

  std::vector<Series> run(function_ref<bool(size_t)> Avoid) {
    for (size_t I = 0; I < F.Sites.size(); I++) {
      if (!F.Sites[I].hasHook())
        continue;
      bool MayJoin = F.Sites[I].isPlainOrOfBlock() && !Avoid(I);
      if (MayJoin && extend(I))
        continue;
      close();
      if (MayJoin)
        open(I);
    }
    close();
    return std::move(Found);
  }

private:
  const ct::TracedFunction &F;
  ct::Addresses &Addresses;
  std::vector<Series> Found;
  Series Current;
  ct::Polynomial First; // address of the first one

  ct::Polynomial address(size_t I) {
    const ct::Site &S = F.Sites[I];
    ct::Polynomial P = Addresses.of(F.inClone(S.Pointer));
    return P.add(ct::Polynomial::constant(S.Offset));
  }

  void open(size_t I) {
    First = address(I);
    Current = {{I}, {0}, F.Sites[I].Operation == ct::OP_LOAD};
  }

  void close() {
    if (Current.Sites.size() >= LeastAccesses)
      Found.push_back(std::move(Current));
    Current = {};
  }

  std::optional<int64_t> distance(size_t I) {
    ct::Polynomial P = address(I);
    P.add(First, -1);
    if (P.terms().empty())
      return 0;
    if (P.terms().size() > 1 || !P.terms().begin()->first.empty())
      return std::nullopt;
    return int64_t(P.terms().begin()->second);
  }

  bool extend(size_t I) {
    if (Current.Sites.empty() ||
        I - Current.Sites.front() >= CT_SERIES_SITES_MAX ||
        F.Sites[I].Bytes > CT_SERIES_BYTES_MAX ||
        F.Sites[Current.Sites.front()].Bytes > CT_SERIES_BYTES_MAX ||
        !ct::areTogether(F.inClone(F.Sites[Current.Sites.back()]),
                         F.inClone(F.Sites[I])))
      return false;
    std::optional<int64_t> Distance = distance(I);
    if (!Distance || !isInt<CT_SERIES_DISTANCE_BITS>(*Distance))
      return false;
    Current.Sites.push_back(I);
    Current.Distances.push_back(*Distance);
    Current.AreLoads &= F.Sites[I].Operation == ct::OP_LOAD;
    return true;
  }
};

} // namespace

std::vector<Series> ct::findSeries(const TracedFunction &F,
                                   Addresses &Addresses,
                                   function_ref<bool(size_t)> Avoid) {
  return SeriesFinder(F, Addresses).run(Avoid);
}

/// In global memory, where generic addresses are those of the space.
static GlobalVariable *table(const ct::TracedFunction &F, const Series &S) {
  SmallVector<uint64_t, 32> Words;
  for (size_t I = 0; I < S.Sites.size(); I++)
    Words.push_back(CT_SERIES_WORD(S.Sites[I] - S.Sites.front(),
                                   F.Sites[S.Sites[I]].Bytes, S.Distances[I]));
  Module &M = *F.Clone->getParent();
  Constant *Init = ConstantDataArray::get(M.getContext(), Words);
  auto *Table = new GlobalVariable(
      M, Init->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage,
      Init, "ct_series", nullptr, GlobalValue::NotThreadLocal,
      /*AddressSpace=*/1);
  Table->setAlignment(Align(8));
  return Table;
}

void ct::callSeries(const TracedFunction &F, const Series &S, const Hooks &H,
                    HookBuilder &B, Value *Address) {
  B.callHook(H.__ct_series, {F.State, B.getInt64(F.site(S.Sites.front())),
                             Address, B.getInt32(S.Sites.size()),
                             B.CreatePtrToInt(table(F, S), B.getInt64Ty())});
}
