/* SPDX-License-Identifier: Apache-2.0 */
/* Memory accesses in inline PTX. */
#include "llvm-pass/sites/ptx_access.h"
#include "llvm-pass/sites/ptx_state.h"
#include "llvm-pass/sites/values.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include <cudatrace/record.h>
#include <cudatrace/unit.h>

using namespace llvm;

namespace {

/// The type that the words of an opcode name: v4, f32 of ld.global.v4.f32.
Type *accessedType(LLVMContext &C, ArrayRef<std::string> Words) {
  Type *Scalar = nullptr;
  unsigned Length = 1, Bits;
  for (StringRef Word : Words) {
    if (Word == "v2" || Word == "v4" || Word == "v8") {
      Length *= Word[1] - '0';
      continue;
    }
    StringRef Name = Word;
    bool Pair = Name.consume_back("x2");
    unsigned Packed = Pair ? 2 : Name.consume_back("x4") ? 4 : 1;
    Type *Found = Name == "bf16"                     ? Type::getBFloatTy(C)
                  : Name == "f16"                    ? Type::getHalfTy(C)
                  : Name == "f32"                    ? Type::getFloatTy(C)
                  : Name == "f64"                    ? Type::getDoubleTy(C)
                  : Name == "e4m3" || Name == "e5m2" ? Type::getInt8Ty(C)
                                                     : nullptr;
    if (!Found &&
        (Name.starts_with("b") || Name.starts_with("u") ||
         Name.starts_with("s")) &&
        !Name.drop_front().getAsInteger(10, Bits) && isPowerOf2_32(Bits) &&
        Bits >= 8 && Bits <= 128)
      Found = Type::getIntNTy(C, Bits);
    if (!Found)
      continue;
    Scalar = Found;
    Length *= Packed;
  }
  return Scalar && Length > 1 ? FixedVectorType::get(Scalar, Length) : Scalar;
}

uint8_t namedSpace(const ct::PtxStatement &S) {
  return S.hasScoped("global")   ? CT_SPACE_GLOBAL
         : S.hasScoped("shared") ? CT_SPACE_SHARED
         : S.hasScoped("local")  ? CT_SPACE_LOCAL
         : S.hasScoped("const")  ? CT_SPACE_CONSTANT
                                 : CT_SPACE_GENERIC;
}

std::string textOf(const ct::PtxStatement &S) {
  std::string Text = S.Opcode + " " + join(S.Operands, ", ");
  return S.Predicate.empty()
             ? Text
             : (S.Negated ? "@!" : "@") + S.Predicate + " " + Text;
}

class AsmSites {
public:
  AsmSites(CallBase &Call, const InlineAsm &Asm, std::vector<ct::Site> &Out)
      : Call(Call), Text(ct::parsePtx(Asm.getAsmString())), State(Call, Asm),
        Out(Out) {}

  void run() {
    State.findLastWrites(Text.Statements);
    for (Number = 0; Number < Text.Statements.size(); Number++) {
      const ct::PtxStatement &S = Text.Statements[Number];
      size_t First = Out.size();
      if (!add(S) || !complete(S, First)) {
        Out.resize(First);
        addUnknown(S);
      }
      State.execute(S);
    }
  }

private:
  CallBase &Call;
  ct::PtxText Text;
  ct::PtxState State;
  std::vector<ct::Site> &Out;
  size_t Number = 0;

  /// Counted when it is executed, and listed among what is not recorded.
  void addUnknown(const ct::PtxStatement &S) {
    std::string What = "inline assembly: " + textOf(S);
    Out.push_back(ct::eventSite(Call, ct::OP_ASSEMBLY, What));
    Out.push_back(ct::skippedSite(Call, ct::OP_ASSEMBLY, What));
  }

  bool addEvent(ct::Operation Op, const ct::PtxStatement &S) {
    Out.push_back(ct::eventSite(Call, Op, textOf(S)));
    return true;
  }

  /// Predicate and control flow of what a statement added; false if unknown.
  bool complete(const ct::PtxStatement &S, size_t First) {
    ct::Guard If;
    if (First == Out.size())
      return true;
    if (!S.Predicate.empty() && !State.guard(S.Predicate, S.Negated, If))
      return false;
    for (ct::Site &Added : drop_begin(Out, First)) {
      if (Text.HasLabels && Added.How != ct::Form::Event)
        return false; // executed any number of times
      if (If.Left && Added.If.isNeeded())
        return false;
      if (If.Left)
        Added.If = If;
    }
    return true;
  }

  static bool is(StringRef Word, ArrayRef<StringRef> Words) {
    return is_contained(Words, Word);
  }

  /// Adds the sites of one statement; false if it may touch memory in a way
  /// that is not known.
  bool add(const ct::PtxStatement &S) {
    StringRef Op = S.Words[0],
              Second = S.Words.size() > 1 ? StringRef(S.Words[1]) : "";
    if (is(Op, {"ld", "ldu", "st", "atom", "red", "multimem"}))
      return Op == "st" && Second == "bulk" ? addFill(S) : addAccess(S);
    if (Op == "cp" && Second == "async")
      return addCopy(S);
    if (Op == "cp" && Second == "reduce")
      return addBulk(S, ct::OP_COPY_BULK_REDUCE);
    if (is(Op, {"prefetch", "prefetchu", "applypriority", "discard"}))
      return addEvent(ct::OP_PREFETCH, S);
    if (is(Op, {"tex", "tld4"}))
      return addEvent(ct::OP_TEXTURE_LOAD, S);
    if (Op == "suld")
      return addEvent(ct::OP_SURFACE_LOAD, S);
    if (is(Op, {"sust", "sured"}))
      return addEvent(ct::OP_SURFACE_STORE, S);
    if (is(Op, {"ldmatrix", "stmatrix"}))
      return addRows(S);
    if (Op == "wmma" && is(Second, {"load", "store"}))
      return addTile(S);
    if ((Op == "wgmma" && Second == "mma_async") ||
        (Op == "tcgen05" && is(Second, {"mma", "cp", "ld", "st", "shift"})))
      return addEvent(ct::OP_MATRIX_MULTIPLY, S);
    return addOther(S);
  }

  bool addOther(const ct::PtxStatement &S) {
    StringRef Op = S.Words[0];
    if (is(Op, {"bar", "barrier"}) ||
        (Op == "mbarrier" && S.Opcode.find("_wait") != std::string::npos))
      return addEvent(ct::OP_BARRIER, S);
    if (Op == "tensormap" && S.Words.size() > 1 &&
        S.Words[1] == "cp_fenceproxy")
      return addBulk(S, ct::OP_COPY_BULK_STORE);
    // What takes an address without accessing data behind it, or accesses a
    // barrier object or a tensor memory address.
    if (is(Op, {"mbarrier", "fence", "membar", "mapa", "isspacep", "getctarank",
                "cvta", "createpolicy", "tcgen05", "txq", "suq", "istypep",
                "clusterlaunchcontrol"}))
      return true;
    return Op != "call" && !S.hasAddress();
  }

  bool setAddress(ct::Site &Site, StringRef Operand, uint8_t Space) {
    std::optional<ct::PtxTerm> Term = State.address(Operand);
    if (!Term || !Term->Base ||
        (!Term->Base->getType()->isPointerTy() &&
         !Term->Base->getType()->isIntegerTy()))
      return false;
    Site.Pointer = Term->Base;
    Site.Index = Term->Index;
    Site.Offset = Term->Offset;
    Site.Space = Space ? Space : Term->Space;
    Site.InSpace = Space ? !(Term->Space == Space && !Term->InSpace)
                         : Term->Space && Term->InSpace;
    return true;
  }

  /// Registers that are read, or written if Result.
  std::optional<ct::SiteValue> registers(uint8_t Part, StringRef Operand,
                                         uint32_t Bytes, bool Result) {
    ct::SiteValue Value;
    Value.Part = Part;
    for (const std::string &Name : ct::ptxElements(Operand)) {
      std::optional<ct::SiteValue::Element> E =
          Result ? State.destination(Name, Number) : State.source(Name);
      if (!E)
        return std::nullopt;
      Value.Elements.push_back(*E);
    }
    Value.Bits = Value.Elements.empty() ? 0 : Bytes * 8 / Value.Elements.size();
    if (!Value.Bits)
      return std::nullopt;
    return Value;
  }

  void addValue(ct::Site &Site, uint8_t Part, const ct::PtxStatement &S,
                size_t Operand, bool Result) {
    if (Operand >= S.Operands.size())
      return;
    if (auto Value = registers(Part, S.Operands[Operand], Site.Bytes, Result))
      Site.Values.push_back(std::move(*Value));
  }

  /// ld d, [a]; st [a], b; atom d, [a], b[, c]; red [a], b
  bool addAccess(const ct::PtxStatement &S) {
    StringRef Op = S.Words[0];
    bool Multi = Op == "multimem";
    if (Multi && S.Words.size() > 1)
      Op = StringRef(S.Words[1]).take_until([](char C) { return C == '_'; });
    bool Atomic = Op == "atom" || Op == "red", Load = Op == "ld" || Op == "ldu";
    bool HasResult = Load || Op == "atom";
    Type *Accessed = accessedType(Call.getContext(), S.Words);
    if (S.hasScoped("param"))
      return true;
    if (!Accessed || S.Operands.size() < 2)
      return false;
    ct::Operation Kind = Load ? ct::OP_LOAD : ct::OP_STORE;
    for (size_t I = 1; Atomic && I < S.Words.size(); I++)
      if (Kind < ct::OP_ATOMIC_ADD || Kind == ct::OP_ATOMIC_OTHER)
        Kind = ct::atomicOperation(S.Words[I]);
    ct::Site Site = ct::accessSite(Call, Kind, nullptr, Accessed);
    if (!setAddress(Site, S.Operands[HasResult],
                    Multi ? uint8_t(CT_SPACE_GLOBAL) : namedSpace(S)))
      return false;
    Site.Flags = S.has("volatile") ? CT_SITE_VOLATILE : 0;
    bool Unused = Op == "red" || Call.use_empty();
    if (Atomic && Unused && ct::canReduce(Kind))
      Site.Flags |= CT_SITE_REDUCTION;
    addValues(Site, S, Load, HasResult, Kind == ct::OP_ATOMIC_CAS);
    Out.push_back(std::move(Site));
    return true;
  }

  void addValues(ct::Site &Site, const ct::PtxStatement &S, bool Load,
                 bool HasResult, bool Swap) {
    if (Load) {
      addValue(Site, CT_PART_VALUE, S, 0, true);
      if (Site.Values.empty() && !Site.Index)
        Site.Values.push_back(ct::memoryValue(Site.Pointer, Site.Offset));
      return;
    }
    size_t First = HasResult ? 2 : 1;
    addValue(Site, CT_PART_VALUE, S, Swap ? First + 1 : First, false);
    if (Swap)
      addValue(Site, CT_PART_COMPARE, S, First, false);
    if (HasResult)
      addValue(Site, CT_PART_RETURNED, S, 0, true);
  }

  /// The value of a size operand; Bytes: its constant, if it is one.
  Value *sizeOperand(StringRef Operand, std::optional<int64_t> &Bytes) {
    std::optional<ct::PtxTerm> Term = State.term(Operand);
    if (!Term || Term->Index || (Term->Base && Term->Offset))
      return nullptr;
    if (Term->Base)
      return Term->Base->getType()->isIntegerTy() ? Term->Base : nullptr;
    Bytes = Term->Offset;
    return ConstantInt::get(Type::getInt64Ty(Call.getContext()), Term->Offset);
  }

  bool addCopy(const ct::PtxStatement &S) {
    if (S.has("bulk")) {
      if (S.has("commit_group") || S.has("wait_group"))
        return true;
      if (S.has("prefetch"))
        return addEvent(ct::OP_PREFETCH, S);
      if (S.has("tensor"))
        return addEvent(ct::OP_COPY_TENSOR, S);
      return addBulk(S, S.Words.size() > 3 && S.Words[3] == "global"
                            ? ct::OP_COPY_BULK_STORE
                            : ct::OP_COPY_BULK_LOAD);
    }
    if (S.Words.size() > 2 &&
        is(S.Words[2], {"commit_group", "wait_group", "wait_all", "mbarrier"}))
      return true;
    return addSmallCopy(S);
  }

  /// cp.async.ca.shared.global [to], [from], bytes[, bytes that are read |
  /// predicate][, policy]
  bool addSmallCopy(const ct::PtxStatement &S) {
    std::optional<int64_t> Bytes, Read;
    Value *Size = nullptr;
    ct::Guard Ignored;
    size_t Count = S.Operands.size() - S.has("L2::cache_hint");
    if (Count < 3 || Count > 4 || !sizeOperand(S.Operands[2], Bytes) ||
        !Bytes || !is_contained({4, 8, 16}, *Bytes))
      return false;
    if (Count == 4 && !State.guard(S.Operands[3], true, Ignored)) {
      Size = sizeOperand(S.Operands[3], Read);
      if (!Size)
        return false;
      if (Read && *Read == *Bytes)
        Size = nullptr;
    }
    ct::Site To = ct::accessSite(Call, ct::OP_STORE, nullptr,
                                 Type::getInt8Ty(Call.getContext()));
    ct::Site From = To;
    if (!setAddress(To, S.Operands[0], CT_SPACE_SHARED) ||
        !setAddress(From, S.Operands[1], CT_SPACE_GLOBAL))
      return false;
    size_t First = Out.size();
    ct::addAsyncCopy(Call, To.Pointer, From.Pointer, *Bytes, Size, Out);
    moveAddress(Out[First], From);
    moveAddress(Out[First + 1], To);
    Out[First].If = Ignored;
    return true;
  }

  void moveAddress(ct::Site &Site, const ct::Site &From) {
    Site.Index = From.Index;
    Site.Offset = From.Offset;
    Site.InSpace = From.InSpace;
    for (ct::SiteValue &Value : Site.Values)
      Value.Offset = From.Offset;
    if (Site.Index)
      Site.Values.clear();
  }

  /// [to], [from], bytes: the side that is in global memory, the other if none
  /// is.
  bool addBulk(const ct::PtxStatement &S, ct::Operation Op) {
    std::optional<int64_t> Bytes;
    size_t To = 0;
    while (To < S.Words.size() && namedOf(S.Words[To]) == CT_SPACE_GENERIC)
      To++;
    Value *Size =
        S.Operands.size() > 2 ? sizeOperand(S.Operands[2], Bytes) : nullptr;
    if (To == S.Words.size() || !Size)
      return false;
    bool ToGlobal = namedOf(S.Words[To]) == CT_SPACE_GLOBAL,
         Global = ToGlobal || S.has("global");
    ct::Site Site = ct::rangeSite(Call, Op, nullptr, Size);
    if (!setAddress(Site, S.Operands[Global && !ToGlobal],
                    Global ? CT_SPACE_GLOBAL : CT_SPACE_SHARED))
      return false;
    Out.push_back(std::move(Site));
    return true;
  }

  static uint8_t namedOf(StringRef Word) {
    return Word == "global"             ? CT_SPACE_GLOBAL
           : Word.starts_with("shared") ? CT_SPACE_SHARED
                                        : CT_SPACE_GENERIC;
  }

  /// st.bulk [a], size, 0
  bool addFill(const ct::PtxStatement &S) {
    std::optional<int64_t> Bytes;
    Value *Size =
        S.Operands.size() > 1 ? sizeOperand(S.Operands[1], Bytes) : nullptr;
    ct::Site Site = ct::rangeSite(Call, ct::OP_STORE, nullptr, Size);
    if (!Size || !setAddress(Site, S.Operands[0], CT_SPACE_SHARED))
      return false;
    Out.push_back(std::move(Site));
    return true;
  }

  SmallVector<StringRef, 8> words(const ct::PtxStatement &S) {
    return SmallVector<StringRef, 8>(S.Words.begin(), S.Words.end());
  }

  bool addRows(const ct::PtxStatement &S) {
    bool Store = S.Words[0] == "stmatrix";
    std::optional<ct::MatrixRows> Rows = ct::matrixRows(words(S));
    if (!Rows || S.Operands.size() < 2)
      return false;
    ct::Site Address = {};
    if (!setAddress(Address, S.Operands[!Store], namedSpace(S)))
      return false;
    Out.push_back(ct::rowsSite(Call, *Rows, Store, Address.Pointer));
    moveAddress(Out.back(), Address);
    return true;
  }

  /// wmma.load d, [p], stride; wmma.store [p], d, stride
  bool addTile(const ct::PtxStatement &S) {
    std::optional<ct::MatrixTile> Tile =
        ct::wmmaTile(Call.getContext(), words(S));
    std::optional<int64_t> Constant;
    Value *Stride =
        S.Operands.size() > 2 ? sizeOperand(S.Operands[2], Constant) : nullptr;
    ct::Site Address = {};
    if (!Tile || S.Operands.size() < 2 || (S.Operands.size() > 2 && !Stride) ||
        !setAddress(Address, S.Operands[!Tile->IsStore], namedSpace(S)))
      return false;
    ct::Site Site = ct::tileSite(Call, *Tile, Address.Pointer, Stride);
    Site.Space = Address.Space;
    Out.push_back(std::move(Site));
    moveAddress(Out.back(), Address);
    return true;
  }
};

} // namespace

void ct::addAsmSites(CallBase &Call, const InlineAsm &Asm,
                     std::vector<Site> &Out) {
  AsmSites(Call, Asm, Out).run();
}
