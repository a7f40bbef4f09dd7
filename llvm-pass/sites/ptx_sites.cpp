/* SPDX-License-Identifier: Apache-2.0 */
/* Memory accesses and events in inline PTX. */
#include "llvm-pass/sites/ptx_sites.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include <cudatrace/record.h>
#include <cudatrace/unit.h>

using namespace llvm;

uint8_t ct::namedSpace(const PtxInstruction &I) {
  return I.hasScoped("global")   ? CT_SPACE_GLOBAL
         : I.hasScoped("shared") ? CT_SPACE_SHARED
         : I.hasScoped("local")  ? CT_SPACE_LOCAL
         : I.hasScoped("const")  ? CT_SPACE_CONSTANT
                                 : CT_SPACE_GENERIC;
}

static std::string textOf(const ct::PtxInstruction &I) {
  std::string Text = I.Text;
  for (const ct::PtxOperand &Operand : I.Operands)
    Text += (&Operand == &I.Operands[0] ? " " : ", ") + Operand.Whole;
  return I.Predicate.empty()
             ? Text
             : (I.Negated ? "@!" : "@") + I.Predicate + " " + Text;
}

static bool is(StringRef Word, ArrayRef<StringRef> Words) {
  return is_contained(Words, Word);
}

void ct::AsmSites::run() {
  State.findLastWrites(Program.Instructions);
  for (Number = 0; Number < Program.Instructions.size(); Number++) {
    const ct::PtxInstruction &I = Program.Instructions[Number];
    if (!I.Label.empty())
      continue;
    size_t First = Out.size();
    if (!add(I) || !complete(I, First)) {
      Out.resize(First);
      addUnknown(I);
    }
    State.execute(I);
  }
}

void ct::AsmSites::addUnknown(const ct::PtxInstruction &I) {
  std::string What = "inline assembly: " + textOf(I);
  Out.push_back(ct::eventSite(Call, ct::OP_ASSEMBLY, What));
  Out.push_back(ct::skippedSite(Call, ct::OP_ASSEMBLY, What));
}

bool ct::AsmSites::addEvent(ct::Operation Op, const ct::PtxInstruction &I) {
  Out.push_back(ct::eventSite(Call, Op, textOf(I)));
  return true;
}

bool ct::AsmSites::complete(const ct::PtxInstruction &I, size_t First) {
  ct::Guard If;
  if (First == Out.size())
    return true;
  if (!I.Predicate.empty() && !State.guard(I.Predicate, I.Negated, If))
    return false;
  for (ct::Site &Added : drop_begin(Out, First)) {
    if (Program.HasLabels && Added.How != ct::Form::Event)
      return false; // executed any number of times
    if (If.Left && Added.If.isNeeded())
      return false;
    if (If.Left)
      Added.If = If;
  }
  return true;
}

bool ct::AsmSites::add(const ct::PtxInstruction &I) {
  StringRef Op = I.Opcode,
            Second = I.Modifiers.empty() ? "" : StringRef(I.Modifiers[0]);
  if (is(Op, {"ld", "ldu", "st", "atom", "red", "multimem"}))
    return Op == "st" && Second == "bulk" ? addFill(I) : addAccess(I);
  if (Op == "cp" && Second == "async")
    return addCopy(I);
  if (Op == "cp" && Second == "reduce")
    return addBulk(I, ct::OP_COPY_BULK_REDUCE);
  if (is(Op, {"prefetch", "prefetchu", "applypriority", "discard"}))
    return addEvent(ct::OP_PREFETCH, I);
  if (is(Op, {"tex", "tld4"}))
    return addFetch(ct::OP_TEXTURE_LOAD, I);
  if (Op == "suld")
    return addFetch(ct::OP_SURFACE_LOAD, I);
  if (Op == "sust")
    return addFetch(ct::OP_SURFACE_STORE, I);
  if (Op == "sured")
    return addEvent(ct::OP_SURFACE_STORE, I);
  if (is(Op, {"ldmatrix", "stmatrix"}))
    return addRows(I);
  if (Op == "wmma" && is(Second, {"load", "store"}))
    return addTile(I);
  if ((Op == "wgmma" && Second == "mma_async") ||
      (Op == "tcgen05" && is(Second, {"mma", "cp", "ld", "st", "shift"})))
    return addEvent(ct::OP_MATRIX_MULTIPLY, I);
  return addOther(I);
}

bool ct::AsmSites::addOther(const ct::PtxInstruction &I) {
  StringRef Op = I.Opcode;
  if (is(Op, {"bar", "barrier"}) ||
      (Op == "mbarrier" && I.Text.find("_wait") != std::string::npos))
    return addEvent(ct::OP_BARRIER, I);
  if (Op == "tensormap" && !I.Modifiers.empty() &&
      I.Modifiers[0] == "cp_fenceproxy")
    return addBulk(I, ct::OP_COPY_BULK_STORE);
  // These take an address without accessing data behind it, or access a barrier
  // object or a tensor memory address.
  if (is(Op, {"mbarrier", "fence", "membar", "mapa", "isspacep", "getctarank",
              "cvta", "createpolicy", "tcgen05", "txq", "suq", "istypep",
              "clusterlaunchcontrol"}))
    return true;
  return Op != "call" && !I.hasAddress();
}

bool ct::AsmSites::setAddress(ct::Site &Site, const ct::PtxOperand &Operand,
                              uint8_t Space) {
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

Value *ct::AsmSites::sizeOperand(const ct::PtxOperand &Operand,
                                 std::optional<int64_t> &Bytes) {
  std::optional<ct::PtxTerm> Term = State.term(Operand);
  if (!Term || Term->Index || (Term->Base && Term->Offset))
    return nullptr;
  if (Term->Base)
    return Term->Base->getType()->isIntegerTy() ? Term->Base : nullptr;
  Bytes = Term->Offset;
  return ConstantInt::get(Type::getInt64Ty(Call.getContext()), Term->Offset);
}
