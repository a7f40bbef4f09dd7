/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what intrinsics do to memory. */
#include "llvm-pass/sites/intrinsics.h"
#include "llvm-pass/sites/matrix.h"
#include "llvm-pass/sites/mem_blocks.h"
#include "llvm-pass/sites/values.h"
#include "llvm/IR/Module.h"
#include <cudatrace/record.h>
#include <cudatrace/unit.h>

using namespace llvm;

namespace {

bool startsWithAny(StringRef Name, ArrayRef<StringRef> Prefixes) {
  return any_of(Prefixes,
                [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

/// Adds the sites of one intrinsic; Name is without "llvm." and "nvvm.".
class IntrinsicSites {
public:
  IntrinsicSites(IntrinsicInst &Call, std::vector<ct::Site> &Out)
      : Call(Call), Out(Out), Name(Call.getCalledFunction()->getName()) {
    Name.consume_front("llvm.");
    IsNvvm = Name.consume_front("nvvm.");
    Name.split(Words, '.');
  }

  void run() {
    if (IsNvvm ? addNvvm() : addGeneric())
      return;
    if (isHarmless())
      return;
    bool HasPointer = any_of(Call.args(), [](const Use &A) {
      return A->getType()->isPtrOrPtrVectorTy();
    });
    if (HasPointer)
      Out.push_back(ct::skippedSite(Call, ct::OP_OTHER,
                                    fullName() + " is not instrumented"));
  }

private:
  IntrinsicInst &Call;
  std::vector<ct::Site> &Out;
  StringRef Name;
  SmallVector<StringRef, 8> Words;
  bool IsNvvm;

  std::string fullName() const {
    return Call.getCalledFunction()->getName().str();
  }

  bool addEvent(ct::Operation Op) {
    Out.push_back(ct::eventSite(Call, Op, fullName()));
    return true;
  }

  /// Intrinsics that take pointers without accessing data that a program could
  /// see in memory, or whose memory is the barrier object they wait for.
  bool isHarmless() const {
    if (Call.isAssumeLikeIntrinsic() || !Call.mayReadOrWriteMemory() ||
        Call.onlyAccessesInaccessibleMemory())
      return true;
    return startsWithAny(Name, {"mbarrier", "membar", "fence", "stack", "va_",
                                "cp.async.commit", "cp.async.wait",
                                "cp.async.mbarrier", "cp.async.bulk.commit",
                                "cp.async.bulk.wait", "tcgen05.alloc",
                                "tcgen05.dealloc", "tcgen05.commit"});
  }

  bool addGeneric() {
    if (Name.starts_with("prefetch"))
      return addEvent(ct::OP_PREFETCH);
    if (auto *Block = dyn_cast<MemIntrinsic>(&Call))
      return ct::addBlockSites(*Block, Out);
    return addMasked();
  }

  bool addNvvm() {
    if (startsWithAny(Name, {"ldu.global.", "ldg.global."}))
      return addLoad();
    if (Name.starts_with("atomic."))
      return addAtomic();
    if (startsWithAny(Name, {"prefetch", "applypriority", "discard",
                             "cp.async.bulk.prefetch",
                             "cp.async.bulk.tensor.prefetch"}))
      return addEvent(ct::OP_PREFETCH);
    if (Name.starts_with("cp.async.bulk.tensor."))
      return addEvent(ct::OP_COPY_TENSOR);
    if (Name.starts_with("cp.async."))
      return addCopy();
    if (Name.starts_with("wmma.") &&
        (Name.contains(".load.") || Name.contains(".store.")))
      return addTile();
    if (startsWithAny(Name, {"ldmatrix.", "stmatrix."}))
      return addRows();
    if (startsWithAny(Name, {"wgmma.mma_async", "tcgen05.mma", "tcgen05.cp",
                             "tcgen05.ld.", "tcgen05.st.", "tcgen05.shift"}))
      return addEvent(ct::OP_MATRIX_MULTIPLY);
    return addTexture() || addBarrier();
  }

  bool addTexture() {
    if (startsWithAny(Name, {"tex.", "tld4."}))
      return addEvent(ct::OP_TEXTURE_LOAD);
    if (Name.starts_with("suld."))
      return addEvent(ct::OP_SURFACE_LOAD);
    return startsWithAny(Name, {"sust.", "sured."}) &&
           addEvent(ct::OP_SURFACE_STORE);
  }

  bool addBarrier() {
    bool Waits = startsWithAny(
        Name, {"bar.", "barrier", "mbarrier.test.wait", "mbarrier.try.wait"});
    return Waits && addEvent(ct::OP_BARRIER);
  }

  bool addLoad() {
    ct::Site S = ct::accessSite(Call, ct::OP_LOAD, Call.getArgOperand(0),
                                Call.getType());
    S.Space = CT_SPACE_GLOBAL;
    S.Values.push_back(ct::wholeValue(CT_PART_VALUE, &Call));
    Out.push_back(std::move(S));
    return true;
  }

  /// atomic.[load.]<operation>.…
  bool addAtomic() {
    StringRef Word =
        Words[1] == "load" && Words.size() > 2 ? Words[2] : Words[1];
    ct::Operation Op = ct::atomicOperation(Word);
    ct::Site S =
        ct::accessSite(Call, Op, Call.getArgOperand(0), Call.getType());
    bool Swap = Op == ct::OP_ATOMIC_CAS;
    if (Call.use_empty())
      S.Flags = ct::canReduce(Op) ? CT_SITE_REDUCTION : CT_SITE_UNUSED;
    S.Values.push_back(
        ct::wholeValue(CT_PART_VALUE, Call.getArgOperand(Swap ? 2 : 1)));
    if (Swap)
      S.Values.push_back(
          ct::wholeValue(CT_PART_COMPARE, Call.getArgOperand(1)));
    S.Values.push_back(ct::wholeValue(CT_PART_RETURNED, &Call));
    Out.push_back(std::move(S));
    return true;
  }

  /// cp.async.{ca,cg}.shared.global.<bytes>[.s] and cp.async.bulk.…
  bool addCopy() {
    if (Words[2] == "bulk")
      return addBulkCopy();
    unsigned Bytes = 0;
    if (Words.size() < 6 || Words[5].getAsInteger(10, Bytes))
      return false;
    ct::addAsyncCopy(Call, Call.getArgOperand(0), Call.getArgOperand(1), Bytes,
                     Call.arg_size() > 2 ? Call.getArgOperand(2) : nullptr,
                     Out);
    return true;
  }

  bool addBulkCopy() {
    Value *Global = nullptr, *Shared = nullptr, *Size = nullptr;
    for (Use &A : Call.args()) {
      if (!Shared && A->getType()->isPointerTy() &&
          A->getType()->getPointerAddressSpace() == 3)
        Shared = A;
      if (!Global && A->getType()->isPointerTy() &&
          A->getType()->getPointerAddressSpace() == 1)
        Global = A;
      if (!Size && A->getType()->isIntegerTy(32))
        Size = A;
    }
    if (!Size)
      return false;
    ct::Operation Op = Name.contains(".to.global") ? ct::OP_COPY_BULK_STORE
                                                   : ct::OP_COPY_BULK_LOAD;
    ct::Site S =
        ct::rangeSite(Call, Op, Global ? Global : Call.getArgOperand(0), Size);
    ct::SiteValue Content = ct::ownContent();
    if (Op == ct::OP_COPY_BULK_STORE) {
      Content.From = Shared;
      Content.InShared = true;
    }
    if (Op != ct::OP_COPY_BULK_STORE || Shared)
      S.Values.push_back(Content);
    Out.push_back(std::move(S));
    return true;
  }

  bool addTile() {
    std::optional<ct::MatrixTile> Tile = ct::wmmaTile(Call.getContext(), Words);
    if (!Tile)
      return false;
    bool HasStride = is_contained(Words, "stride");
    Out.push_back(ct::tileSite(
        Call, *Tile, Call.getArgOperand(0),
        HasStride ? Call.getArgOperand(Call.arg_size() - 1) : nullptr));
    return true;
  }

  bool addRows() {
    std::optional<ct::MatrixRows> Rows = ct::matrixRows(Words);
    if (!Rows)
      return false;
    Out.push_back(ct::rowsSite(Call, *Rows, Words[0] == "stmatrix",
                               Call.getArgOperand(0)));
    return true;
  }

  /// Vectors with gaps, which the vectoriser makes: a site per run of elements
  /// where the mask is known, else one per element.
  bool addMasked() {
    bool IsStore = Call.getIntrinsicID() == Intrinsic::masked_store;
    if (!IsStore && Call.getIntrinsicID() != Intrinsic::masked_load)
      return false;
    Value *Data = IsStore ? Call.getArgOperand(0) : &Call;
    auto *Vector = dyn_cast<FixedVectorType>(Data->getType());
    Value *Mask = Call.getArgOperand(Call.arg_size() - (IsStore ? 1 : 2));
    if (!Vector)
      return false;
    auto *Known = dyn_cast<Constant>(Mask);
    unsigned Length = Vector->getNumElements();
    auto IsSet = [&](unsigned I) {
      Constant *Bit = I < Length ? Known->getAggregateElement(I) : nullptr;
      return Bit && Bit->isOneValue();
    };
    for (unsigned First = 0; First < Length; First++) {
      unsigned Run = Known ? 0 : 1;
      while (Known && IsSet(First + Run))
        Run++;
      if (Run)
        addRun(Data, IsStore, Known ? nullptr : Mask, First, Run);
      First += Known ? Run : 0;
    }
    return true;
  }

  void addRun(Value *Data, bool IsStore, Value *Mask, unsigned First,
              unsigned Run) {
    Type *Element = cast<VectorType>(Data->getType())->getElementType();
    uint64_t Bytes = Call.getModule()
                         ->getDataLayout()
                         .getTypeStoreSize(Element)
                         .getFixedValue();
    ct::Site S = ct::accessSite(Call, IsStore ? ct::OP_STORE : ct::OP_LOAD,
                                Call.getArgOperand(IsStore ? 1 : 0),
                                FixedVectorType::get(Element, Run));
    S.Offset = First * Bytes;
    if (Mask)
      S.If = {Mask, nullptr, CmpInst::ICMP_NE, int(First), 0};
    ct::SiteValue Value = ct::wholeValue(CT_PART_VALUE, Data);
    Value.Bits = Bytes * 8;
    Value.Elements.clear();
    for (unsigned I = 0; I < Run; I++)
      Value.Elements.push_back({Data, int(First + I)});
    S.Values.push_back(std::move(Value));
    Out.push_back(std::move(S));
  }
};

} // namespace

void ct::addIntrinsicSites(IntrinsicInst &Call, std::vector<Site> &Out) {
  IntrinsicSites(Call, Out).run();
}
