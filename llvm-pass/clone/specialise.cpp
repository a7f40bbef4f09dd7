/* SPDX-License-Identifier: Apache-2.0 */
/* Specialisation: which functions are traced, in which contexts. */
#include "llvm-pass/clone/specialise.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/clone/exits.h"
#include "llvm/IR/InstIterator.h"
#include <map>

using namespace llvm;

/// Beyond these a call takes its callee to the entry pattern, where everything
/// that depends on the caller is decided at run time.
static const size_t MaxPatterns = 8; // of one function
static const size_t MaxGrowth = 4;   // traces per function, over the module
static const size_t FreeTraces = 64; // small modules need not count

template <typename Visitor> static void visitCalls(Function &F, Visitor Visit) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Visit(*Call);
}

namespace {

/// The worklist over functions and patterns.
class ContextSearch {
public:
  ContextSearch(const ct::CallGraph &Calls, const ct::SpaceAnalysis &Spaces)
      : Calls(Calls), Spaces(Spaces),
        Limit(std::max(FreeTraces, MaxGrowth * (Calls.kernels().size() +
                                                Calls.functions().size()))) {}

  MapVector<Function *, SmallVector<ct::Pattern, 2>>
  run(ct::TracedFunctions::KernelPredicate GetsClone) {
    for (Function *F : Calls.kernels()) {
      if (GetsClone(*F))
        add(*F, Spaces.entryPattern(*F));
      else
        Found[F].push_back(Spaces.entryPattern(*F));
    }
    for (Function *F : Calls.exported())
      add(*F, Spaces.entryPattern(*F));
    while (!Pending.empty()) {
      auto [F, Context] = Pending.pop_back_val();
      visitCalls(*F, [&, &Context = Context](CallBase &Call) {
        if (Function *Callee = ct::cloneableCallee(Call))
          add(*Callee, Spaces.callPattern(Call, *Callee, Context));
        for (Function *Target : Calls.indirectTargets(Call))
          if (!Target->isDeclaration())
            add(*Target, Spaces.entryPattern(*Target));
      });
    }
    return std::move(Found);
  }

private:
  const ct::CallGraph &Calls;
  const ct::SpaceAnalysis &Spaces;
  size_t Limit, Count = 0;
  MapVector<Function *, SmallVector<ct::Pattern, 2>> Found;
  SmallVector<std::pair<Function *, ct::Pattern>, 32> Pending;

  void add(Function &F, ct::Pattern Context) {
    SmallVector<ct::Pattern, 2> &Known = Found[&F];
    if (is_contained(Known, Context))
      return;
    ct::Pattern Entry = Spaces.entryPattern(F);
    if (Context != Entry && (Known.size() >= MaxPatterns || Count >= Limit))
      return add(F, Entry);
    Known.push_back(Context);
    Count++;
    Pending.push_back({&F, std::move(Context)});
  }
};

/// Describes what distinguishes one trace of a function from another: all that
/// its table says.
std::string describe(const ct::TracedFunction &T) {
  std::string Text;
  raw_string_ostream Out(Text);
  for (const ct::Site &S : T.Sites)
    Out << S.Inst << ' ' << unsigned(S.Operation) << ' ' << unsigned(S.Verdict)
        << ' ' << unsigned(S.Space) << ' ' << S.Offset << ' ' << S.Variable
        << ' ' << S.Reason << '\n';
  return Text;
}

} // namespace

ct::TracedFunctions::TracedFunctions(const CallGraph &Calls,
                                     const SpaceAnalysis &Spaces,
                                     KernelPredicate GetsClone,
                                     Collector Collect)
    : Calls(Calls), Spaces(Spaces) {
  Contexts Found = ContextSearch(Calls, Spaces).run(GetsClone);
  collect(Found, Collect);
  connect();
  merge();
  markNeeded();
}

void ct::TracedFunctions::collect(const Contexts &Found, Collector Collect) {
  auto AddAll = [&](Function *F) {
    for (const Pattern &Context : Found.lookup(F)) {
      auto T = std::make_unique<TracedFunction>();
      T->Original = F;
      T->Context = Context;
      T->IsEntry = Context == Spaces.entryPattern(*F);
      T->Sites = Collect(*F, Context);
      Order.push_back(std::move(T));
    }
  };
  for (Function *F : Calls.kernels())
    AddAll(F);
  for (Function *F : Calls.functions())
    AddAll(F);
}

/// Finds the trace that each call takes its callee to.
void ct::TracedFunctions::connect() {
  std::map<std::pair<Function *, Pattern>, TracedFunction *> Index;
  for (auto &T : Order) {
    Index[{T->Original, T->Context}] = T.get();
    if (T->IsEntry)
      Entries[T->Original] = T.get();
  }
  for (auto &T : Order)
    visitCalls(*T->Original, [&](CallBase &Call) {
      Function *Callee = cloneableCallee(Call);
      if (!Callee)
        return;
      auto Known =
          Index.find({Callee, Spaces.callPattern(Call, *Callee, T->Context)});
      TracedFunction *Trace =
          Known == Index.end() ? Entries.lookup(Callee) : Known->second;
      if (Trace)
        T->Callees[&Call] = Trace;
    });
}

/// Traces of one function with the same sites and the same callees become one:
/// classes are split until the calls of all members lead to the same classes.
void ct::TracedFunctions::merge() {
  DenseMap<const TracedFunction *, unsigned> Class;
  std::map<std::pair<Function *, std::string>, unsigned> First;
  for (auto &T : Order)
    Class[T.get()] =
        First.try_emplace({T->Original, describe(*T)}, First.size())
            .first->second;
  for (size_t Count = First.size(), Before = 0; Count != Before;) {
    std::map<std::vector<unsigned>, unsigned> Split;
    DenseMap<const TracedFunction *, unsigned> Next;
    for (auto &T : Order) {
      std::vector<unsigned> Key = {Class.lookup(T.get())};
      visitCalls(*T->Original, [&](CallBase &Call) {
        if (TracedFunction *Callee = T->Callees.lookup(&Call))
          Key.push_back(Class.lookup(Callee));
      });
      Next[T.get()] =
          Split.try_emplace(std::move(Key), Split.size()).first->second;
    }
    Before = std::exchange(Count, Split.size());
    Class = std::move(Next);
  }

  DenseMap<unsigned, TracedFunction *> Chosen;
  for (auto &T : Order)
    if (TracedFunction *&Choice = Chosen[Class.lookup(T.get())];
        !Choice || T->IsEntry)
      Choice = T.get();
  for (auto &T : Order)
    for (auto &[Call, Callee] : T->Callees)
      Callee = Chosen.lookup(Class.lookup(Callee));
  llvm::erase_if(Order, [&](const auto &T) {
    return Chosen.lookup(Class.lookup(T.get())) != T.get();
  });
}

bool ct::TracedFunctions::redirects(const TracedFunction &T,
                                    const CallBase &Call) const {
  if (TracedFunction *Callee = T.Callees.lookup(&Call))
    return Callee->NeedsClone;
  return Calls.externalCallee(Call) ||
         any_of(Calls.indirectTargets(Call), [&](Function *Target) {
           TracedFunction *Entry = entry(Target);
           return Target->isDeclaration() || (Entry && Entry->NeedsClone);
         });
}

bool ct::TracedFunctions::isSilent(const TracedFunction &T) const {
  bool Silent = compat::isKernel(*T.Original) &&
                none_of(T.Sites, [](const Site &S) { return S.hasHook(); });

  if (Silent)
    visitCalls(*T.Original,
               [&](CallBase &Call) { Silent &= !redirects(T, Call); });
  return Silent;
}

/// A device function needs a clone if something in it, or behind its calls,
/// has to call a hook.
void ct::TracedFunctions::markNeeded() {
  for (auto &T : Order) {
    bool Records = any_of(T->Sites, [](const Site &S) {
      return S.Verdict == CT_VERDICT_GLOBAL || S.Verdict == CT_VERDICT_CHECKED;
    });
    T->NeedsClone =
        compat::isKernel(*T->Original) || Records || containsExit(*T->Original);
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &T : reverse(Order)) {
      if (T->NeedsClone)
        continue;
      visitCalls(*T->Original, [&](CallBase &Call) {
        T->NeedsClone = T->NeedsClone || redirects(*T, Call);
      });
      Changed |= T->NeedsClone;
    }
  }
}
