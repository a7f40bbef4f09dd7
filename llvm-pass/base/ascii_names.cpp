/* SPDX-License-Identifier: Apache-2.0 */
/* Names of device code without characters that PTX does not know. */
#include "llvm-pass/base/names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

/// Text as nvcc's front end writes it: characters beyond ASCII by number.
static std::string encode(StringRef Text) {
  auto *At = Text.bytes_begin(), *End = Text.bytes_end();
  std::string Result;
  while (At != End) {
    UTF32 Character = *At;
    if (isASCII(char(*At)) ||
        convertUTF8Sequence(&At, End, &Character, strictConversion) !=
            conversionOK)
      ++At;
    if (Character < 0x80)
      Result += char(Character);
    else if (Character < 0x10000)
      Result += formatv("_u{0:x-4}", unsigned(Character)).str();
    else
      Result += formatv("_U{0:x-8}", unsigned(Character)).str();
  }
  return Result;
}

/// A mangled name has each identifier behind its length.
static std::string encodeName(StringRef Name) {
  std::string Result;
  if (!Name.starts_with("_Z"))
    return encode(Name);
  while (!Name.empty() && !isASCII(Name)) {
    size_t Digits = Name.take_while([](char C) { return isDigit(C); }).size();
    StringRef Identifier = Name.drop_front(Digits);
    unsigned Length = 0;
    if (Digits && !Name.take_front(Digits).getAsInteger(10, Length) &&
        Length <= Identifier.size() &&
        !isASCII(Identifier.take_front(Length))) {
      std::string Text = encode(Identifier.take_front(Length));
      Result += utostr(Text.size()) + Text;
      Name = Identifier.drop_front(Length);
      continue;
    }
    size_t Copied = std::max<size_t>(Digits, isASCII(Name.front()));
    if (!Copied)
      break;
    Result += Name.take_front(Copied);
    Name = Name.drop_front(Copied);
  }
  return Result + encode(Name);
}

static bool renameSymbols(Module &M) {
  bool Changed = false;
  auto Rename = [&](GlobalValue &GV) {
    if (isASCII(GV.getName()))
      return;
    GV.setName(encodeName(GV.getName()));
    Changed = true;
  };
  for (Function &F : M)
    Rename(F);
  for (GlobalVariable &GV : M.globals())
    Rename(GV);
  for (GlobalAlias &GA : M.aliases())
    Rename(GA);
  return Changed;
}

/// The name that a constant string of host code becomes, null if it stays.
static GlobalVariable *renamedString(Value *Name) {
  auto *Old = dyn_cast<GlobalVariable>(Name->stripPointerCasts());
  auto *Data = Old && Old->hasInitializer()
                   ? dyn_cast<ConstantDataSequential>(Old->getInitializer())
                   : nullptr;
  if (!Data || !Data->isCString() || isASCII(Data->getAsCString()))
    return nullptr;
  Constant *Text = ConstantDataArray::getString(
      Old->getContext(), encodeName(Data->getAsCString()));
  auto *New = new GlobalVariable(*Old->getParent(), Text->getType(),
                                 /*isConstant=*/true, Old->getLinkage(), Text);
  New->copyAttributesFrom(Old);
  return New;
}

/// A call of one of CUDA's functions that registers, and an entry of the table
/// of relocatable code, have strings of their own.
static bool renameRegistered(Module &M) {
  bool Changed = false;
  for (StringRef Register : {"__cudaRegisterFunction", "__cudaRegisterVar",
                             "__cudaRegisterManagedVar"}) {
    Function *F = M.getFunction(Register);
    if (!F)
      continue;
    for (User *U : F->users())
      for (Use &Argument : cast<CallInst>(U)->args())
        if (GlobalVariable *New = renamedString(Argument)) {
          Argument.set(New);
          Changed = true;
        }
  }
  for (GlobalVariable &GV : make_early_inc_range(M.globals()))
    if (GV.getName().starts_with(".offloading.entry_name"))
      if (GlobalVariable *New = renamedString(&GV)) {
        GV.replaceAllUsesWith(New);
        New->takeName(&GV);
        GV.eraseFromParent();
        Changed = true;
      }
  return Changed;
}

bool ct::makeNamesAscii(Module &M, bool IsHost) {
  return IsHost ? renameRegistered(M) : renameSymbols(M);
}
