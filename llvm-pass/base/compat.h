/* SPDX-License-Identifier: Apache-2.0 */
/* Hides what differs between LLVM 20, 21 and 22 behind one set of names. */
#ifndef CT_LLVM_PASS_BASE_COMPAT_H
#define CT_LLVM_PASS_BASE_COMPAT_H

#if CT_LLVM_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace ct::compat {

inline llvm::Triple targetTriple(const llvm::Module &M) {
  return llvm::Triple(M.getTargetTriple());
}

/// The operand list of nvvm.annotations that says something of F, if any:
/// before LLVM 21 launch bounds and kernels were written down there.
template <typename Visitor>
void visitAnnotations(const llvm::Function &F, Visitor Visit) {
  const llvm::NamedMDNode *List =
      F.getParent()->getNamedMetadata("nvvm.annotations");
  if (!List)
    return;
  llvm::SmallVector<const llvm::MDNode *, 8> Nodes;
  for (const llvm::MDNode *Node : List->operands())
    Nodes.push_back(Node);
  for (const llvm::MDNode *Node : Nodes)
    if (Node->getNumOperands() > 1)
      if (auto *Subject = llvm::mdconst::dyn_extract_or_null<llvm::Function>(
              Node->getOperand(0)))
        if (Subject == &F)
          Visit(Node);
}

inline bool hasAnnotation(const llvm::Function &F, llvm::StringRef Name) {
  bool Found = false;
  visitAnnotations(F, [&](const llvm::MDNode *Node) {
    for (unsigned I = 1; I + 1 < Node->getNumOperands(); I += 2)
      if (auto *Key =
              llvm::dyn_cast_or_null<llvm::MDString>(Node->getOperand(I)))
        Found |= Key->getString() == Name;
  });
  return Found;
}

inline bool isKernel(const llvm::Function &F) {
  return F.getCallingConv() == llvm::CallingConv::PTX_Kernel ||
         hasAnnotation(F, "kernel");
}

/// Repeats for To what nvvm.annotations says of From; attributes are cloned
/// with the function and need no help.
inline void copyAnnotations(const llvm::Function &From, llvm::Function &To) {
  llvm::NamedMDNode *List =
      From.getParent()->getNamedMetadata("nvvm.annotations");
  visitAnnotations(From, [&](const llvm::MDNode *Node) {
    llvm::SmallVector<llvm::Metadata *, 8> Operands{
        llvm::ValueAsMetadata::get(&To)};
    for (const llvm::MDOperand &Operand : llvm::drop_begin(Node->operands()))
      Operands.push_back(Operand.get());
    List->addOperand(llvm::MDNode::get(From.getContext(), Operands));
  });
}

inline bool hasThreadBound(const llvm::Function &F) {
  return F.hasFnAttribute("nvvm.maxntid") || F.hasFnAttribute("nvvm.reqntid") ||
         hasAnnotation(F, "maxntidx") || hasAnnotation(F, "reqntidx");
}

inline void setMaxThreads(llvm::Function &F, unsigned Threads) {
#if CT_LLVM_MAJOR >= 21
  F.addFnAttr("nvvm.maxntid", llvm::utostr(Threads));
#else
  llvm::LLVMContext &C = F.getContext();
  llvm::Metadata *Operands[] = {
      llvm::ValueAsMetadata::get(&F), llvm::MDString::get(C, "maxntidx"),
      llvm::ConstantAsMetadata::get(
          llvm::ConstantInt::get(llvm::Type::getInt32Ty(C), Threads))};
  F.getParent()
      ->getOrInsertNamedMetadata("nvvm.annotations")
      ->addOperand(llvm::MDNode::get(C, Operands));
#endif
}

/// Whether the program limits the registers of a kernel, or how many warps are
/// to fit.
inline bool hasRegisterBound(const llvm::Function &F) {
  return F.hasFnAttribute("nvvm.maxnreg") ||
         F.hasFnAttribute("nvvm.minctasm") || hasAnnotation(F, "maxnreg") ||
         hasAnnotation(F, "minctasm");
}

inline void setMaxRegisters(llvm::Function &F, unsigned Registers) {
#if CT_LLVM_MAJOR >= 21
  F.addFnAttr("nvvm.maxnreg", llvm::utostr(Registers));
#else
  llvm::LLVMContext &C = F.getContext();
  llvm::Metadata *Operands[] = {
      llvm::ValueAsMetadata::get(&F), llvm::MDString::get(C, "maxnreg"),
      llvm::ConstantAsMetadata::get(
          llvm::ConstantInt::get(llvm::Type::getInt32Ty(C), Registers))};
  F.getParent()
      ->getOrInsertNamedMetadata("nvvm.annotations")
      ->addOperand(llvm::MDNode::get(C, Operands));
#endif
}

/// Removes what limits the registers of a kernel.
inline void removeBounds(llvm::Function &F) {
  for (llvm::StringRef Name : {"nvvm.maxntid", "nvvm.minctasm", "nvvm.maxnreg"})
    F.removeFnAttr(Name);
  if (!F.hasFnAttribute("nvvm.blocksareclusters"))
    F.removeFnAttr("nvvm.reqntid");
  llvm::NamedMDNode *List = F.getParent()->getNamedMetadata("nvvm.annotations");
  if (!List)
    return;
  llvm::SmallVector<llvm::MDNode *, 8> Kept;
  for (llvm::MDNode *Node : List->operands()) {
    auto *Key =
        Node->getNumOperands() > 2
            ? llvm::dyn_cast_or_null<llvm::MDString>(Node->getOperand(1))
            : nullptr;
    bool Bounds = Key && (Key->getString().starts_with("maxn") ||
                          Key->getString().starts_with("reqntid") ||
                          Key->getString() == "minctasm");
    if (!Bounds || llvm::mdconst::dyn_extract_or_null<llvm::Function>(
                       Node->getOperand(0)) != &F)
      Kept.push_back(Node);
  }
  List->clearOperands();
  for (llvm::MDNode *Node : Kept)
    List->addOperand(Node);
}

inline llvm::SCEVExpander makeExpander(llvm::ScalarEvolution &SE,
                                       const char *Name) {
#if CT_LLVM_MAJOR >= 22
  return llvm::SCEVExpander(SE, Name);
#else
  return llvm::SCEVExpander(SE, SE.getDataLayout(), Name);
#endif
}

/// The parameter attribute that promises that a pointer does not escape.
inline llvm::Attribute::AttrKind captureAttribute() {
#if CT_LLVM_MAJOR >= 21
  return llvm::Attribute::Captures;
#else
  return llvm::Attribute::NoCapture;
#endif
}

} // namespace ct::compat
#endif
