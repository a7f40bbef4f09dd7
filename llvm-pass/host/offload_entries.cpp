/* SPDX-License-Identifier: Apache-2.0 */
/* Offload entries. LLVM 20 and 21 changed the order of their fields; in every
 * order the address is the first pointer, the name the second, the size the
 * first integer after them, and the flags the first of 32 bits. */
#include "llvm-pass/host/offload_entries.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

static bool parseEntry(GlobalVariable &GV, ct::OffloadEntry &Entry) {
  StringRef Section = GV.getSection();
  if ((Section != "llvm_offload_entries" &&
       Section != "cuda_offloading_entries") ||
      !GV.hasInitializer() || !isa<ConstantStruct>(GV.getInitializer()))
    return false;
  Entry = {&GV, nullptr, nullptr, 0, 0};
  bool HaveSize = false, HaveFlags = false;
  for (Value *Field : GV.getInitializer()->operand_values()) {
    auto *Number = dyn_cast<ConstantInt>(Field);
    if (!Number && !Entry.Address) {
      Entry.Address = cast<Constant>(Field);
    } else if (!Number && !Entry.Name) {
      Entry.Name = dyn_cast<GlobalVariable>(Field->stripPointerCasts());
    } else if (Number && Number->getType()->isIntegerTy(64) && Entry.Name &&
               !HaveSize) {
      Entry.Size = Number->getZExtValue();
      HaveSize = true;
    } else if (Number && Number->getType()->isIntegerTy(32) && !HaveFlags) {
      Entry.Flags = Number->getZExtValue();
      HaveFlags = true;
    }
  }
  return Entry.Address && Entry.Name && HaveSize;
}

SmallVector<ct::OffloadEntry, 8> ct::offloadEntries(Module &M) {
  SmallVector<OffloadEntry, 8> Entries;
  OffloadEntry Entry;
  for (GlobalVariable &GV : M.globals())
    if (parseEntry(GV, Entry))
      Entries.push_back(Entry);
  return Entries;
}

bool ct::isRelocatable(Module &M) {
  return !offloadEntries(M).empty() ||
         any_of(M.functions(), [](const Function &F) {
           return F.getName().starts_with("__cudaRegisterLinkedBinary");
         });
}

void ct::addOffloadEntry(const OffloadEntry &Model, Constant *Address,
                         StringRef Name) {
  Module &M = *Model.Variable->getParent();
  Constant *Text = ConstantDataArray::getString(M.getContext(), Name);
  auto *NameVariable = new GlobalVariable(
      M, Text->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage,
      Text, ".offloading.entry_name");
  NameVariable->copyAttributesFrom(Model.Name);

  auto *Old = cast<ConstantStruct>(Model.Variable->getInitializer());
  SmallVector<Constant *, 9> Fields;
  for (Value *Field : Old->operand_values())
    Fields.push_back(Field == Model.Address ? Address
                     : Field == Model.Name  ? NameVariable
                                            : cast<Constant>(Field));
  auto *Entry = new GlobalVariable(
      M, Old->getType(), /*isConstant=*/true, Model.Variable->getLinkage(),
      ConstantStruct::get(Old->getType(), Fields), ".offloading.entry." + Name);
  Entry->copyAttributesFrom(Model.Variable);
  if (NamedMDNode *Symbols = M.getNamedMetadata("llvm.offloading.symbols"))
    Symbols->addOperand(
        MDNode::get(M.getContext(), ConstantAsMetadata::get(NameVariable)));
}
