/* SPDX-License-Identifier: Apache-2.0 */
/* Read kernel facts from llvm.global.annotations. */
#include "llvm-pass/base/annotations.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/base/location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

static const char Separator = '\x1f'; // CT_FIELD_SEPARATOR
static const StringRef Mark = "ct.kernel";

/// The text of an annotation entry {value, text, file, line, arguments}.
static StringRef annotationText(const ConstantStruct &Entry) {
  auto *Text =
      dyn_cast<GlobalVariable>(Entry.getOperand(1)->stripPointerCasts());
  if (!Text || !Text->hasInitializer())
    return "";
  auto *Data = dyn_cast<ConstantDataSequential>(Text->getInitializer());
  return Data && Data->isCString() ? Data->getAsCString() : "";
}

static bool parseFacts(StringRef Text, ct::KernelFacts &Facts) {
  SmallVector<StringRef, 16> Fields;
  Text.split(Fields, Separator);
  if (Fields.size() < 5 || Fields[0] != Mark)
    return false;
  Facts.Display = Fields[1].str();
  Facts.File = Fields[2].str();
  Fields[3].getAsInteger(10, Facts.Line);
  Fields[4].getAsInteger(10, Facts.Column);
  for (size_t I = 5; I + 1 < Fields.size(); I += 2)
    if (!Fields[I].empty() && isDigit(Fields[I].front()))
      Facts.Members.push_back({Fields[I + 1].str(), Fields[I].str()});
    else
      Facts.Parameters.push_back({Fields[I + 1].str(), Fields[I].str()});
  return true;
}

static void replaceAnnotations(Module &M, GlobalVariable *Old,
                               ArrayRef<Constant *> Kept) {
  if (!Kept.empty()) {
    auto *Type = ArrayType::get(Kept[0]->getType(), Kept.size());
    auto *New =
        new GlobalVariable(M, Type, Old->isConstant(), Old->getLinkage(),
                           ConstantArray::get(Type, Kept), "", Old);
    New->copyAttributesFrom(Old);
    New->takeName(Old);
  }
  Old->eraseFromParent();
}

/// Removes the entries that Take takes.
static void
takeAnnotations(Module &M,
                function_ref<bool(const ConstantStruct &, Function *)> Take) {
  GlobalVariable *List = M.getGlobalVariable("llvm.global.annotations");
  if (!List || !List->hasInitializer())
    return;

  SmallVector<Constant *, 8> Kept;
  SmallPtrSet<Constant *, 8> Taken;
  for (Value *Operand : List->getInitializer()->operand_values()) {
    auto *Entry = dyn_cast<ConstantStruct>(Operand);
    if (!Entry || !Take(*Entry, dyn_cast<Function>(
                                    Entry->getOperand(0)->stripPointerCasts())))
      Kept.push_back(cast<Constant>(Operand));
    else
      Taken.insert(cast<Constant>(Entry->getOperand(1)->stripPointerCasts()));
  }
  if (Taken.empty())
    return;
  replaceAnnotations(M, List, Kept);
  for (Constant *Text : Taken) {
    Text->removeDeadConstantUsers();
    if (Text->use_empty())
      cast<GlobalVariable>(Text)->eraseFromParent();
  }
}

ct::KernelFactsMap ct::takeKernelFacts(Module &M) {
  KernelFactsMap Facts;
  takeAnnotations(M, [&](const ConstantStruct &Entry, Function *F) {
    KernelFacts Parsed;
    if (!parseFacts(annotationText(Entry), Parsed))
      return false;
    if (F)
      Facts[F] = std::move(Parsed);
    return true;
  });
  return Facts;
}

/// The first argument of an annotation; 0: it has none.
static uint64_t firstArgument(const ConstantStruct &Entry) {
  auto *Arguments =
      dyn_cast<GlobalVariable>(Entry.getOperand(4)->stripPointerCasts());
  if (!Arguments || !Arguments->hasInitializer())
    return 0;
  auto *First = dyn_cast_or_null<ConstantInt>(
      Arguments->getInitializer()->getAggregateElement(0u));
  return First ? First->getZExtValue() : 0;
}

void ct::takeRegisterBounds(Module &M) {
  takeAnnotations(M, [](const ConstantStruct &Entry, Function *F) {
    if (annotationText(Entry) != "ct.maxnreg")
      return false;
    if (uint64_t Registers = firstArgument(Entry); F && Registers)
      compat::setMaxRegisters(*F, Registers);
    return true;
  });
}

ct::KernelFacts ct::factsFromIR(const Function &F) {
  KernelFacts Facts;
  Facts.Display = demangle(F.getName());
  if (const DISubprogram *SP = F.getSubprogram()) {
    Facts.File = sourcePath(SP->getFile(), SP->getUnit());
    Facts.Line = SP->getLine();
  }
  for (const Argument &A : F.args())
    Facts.Parameters.push_back({A.getName().str(), ""});
  return Facts;
}
