/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what each instruction of a function depends on: values, memory,
 * branches, calls. */
#ifndef CT_LLVM_PASS_BLAME_GRAPH_H
#define CT_LLVM_PASS_BLAME_GRAPH_H

#include "llvm-pass/blame/pointers.h"
#include "llvm/ADT/BitVector.h"
#include <vector>

namespace ct {

/// A function leaves this behind: its result, or storage that outlives it.
struct Exit {
  std::string Name;           // exitName, or "return"
  const Storage *To;          // of the function; null: its result
  llvm::BitVector Parameters; // whose values it depends on
  llvm::SmallVector<const Storage *, 2>
      Contents;       // of its storage, at its beginning
  uint64_t Bytes = 0; // of To that are written; 0: as many as its type has
};

struct Summary {
  std::vector<Exit> Exits;
  std::vector<const Storage *>
      Reads;         // what arrives and is read, here or in what it calls
  Pointees Returned; // where a pointer that it returns may point to
  /// The same for the same summary.
  std::string text() const;
};

/// Knows the functions that a call may reach.
class Callees {
public:
  virtual ~Callees() = default;
  /// Empty: not known, or without a body.
  virtual llvm::ArrayRef<const llvm::Function *>
  of(const llvm::CallBase &Call) const = 0;
  virtual const Summary &summary(const llvm::Function &F) const = 0;
};

/// An instruction, what a call leaves behind at one exit, or what decides
/// whether a block runs.
struct Vertex {
  const llvm::Instruction *At = nullptr; // null: of a block or an argument
  int Argument = -1;                     // of an argument: which
  llvm::SmallVector<uint32_t, 4> Uses;   // values, branches
  llvm::SmallVector<uint32_t, 2> Memory; // what wrote the memory that it reads
  llvm::SmallVector<const Storage *, 1> Reads; // that memory
};

struct Write {
  uint32_t By;
  const Storage *To;
  const Storage *Through; // the variable that holds the address, or null
  const llvm::Instruction *At;
  bool IsStore; // a load may get what it leaves; not of barriers
};

/// Stands for no vertex: of outcomes that are only read.
constexpr uint32_t CallsReads = 0xffffffff;

struct Outcome {
  const llvm::CallBase *Call;
  const llvm::Function *Callee;
  std::string Exit;
  uint32_t By;
  llvm::SmallVector<const Storage *, 2>
      Direct; // what the exit is to the caller
};

class Graph {
public:
  Graph(llvm::Function &F, Storages &S, Pointers &P, const Callees &Known);

  const std::vector<Vertex> &vertices() const { return V; }
  const std::vector<Write> &writes() const { return Writes; }
  const std::vector<Outcome> &outcomes() const { return Outcomes; }
  const std::vector<uint32_t> &returns() const { return Returns; }
  const llvm::Function &function() const { return F; }
  uint32_t vertexOf(const llvm::Instruction &I) const {
    return VertexOf.lookup(&I);
  }

private:
  llvm::Function &F;
  const llvm::DataLayout &DL;
  Storages &S;
  Pointers &P;
  const Callees &Known;
  std::vector<Vertex> V;
  std::vector<Write> Writes;
  std::vector<Outcome> Outcomes;
  std::vector<uint32_t> Returns;
  llvm::DenseMap<const llvm::Value *, uint32_t>
      VertexOf; // instructions, arguments, blocks
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<uint32_t, 1>>
      ResultsOf; // of calls

  uint32_t add(const llvm::Instruction *At);
  void addVertices();
  void addBranches();
  void use(uint32_t By, const llvm::Value *Value);
  void read(uint32_t By, const llvm::Value *Pointer, uint64_t Bytes);
  void write(uint32_t By, const llvm::Value *Pointer, uint64_t Bytes);
  void addInstruction(const llvm::Instruction &I);
  void addCall(const llvm::CallBase &Call);
  void addUnknown(const llvm::CallBase &Call);
  void addOutcome(const llvm::CallBase &Call, const llvm::Function &Callee,
                  const Exit &E);
  void addArguments();
  void addReads(const llvm::CallBase &Call, const llvm::Function &Callee);
  Pointees mapped(const llvm::CallBase &Call, const Storage *Of);
  void addBarriers();
  void addMemory();
};

/// Where what a call returns may point to, of the functions that it may reach.
Pointees mapTargets(const llvm::CallBase &Call, const Storage *Of, Pointers &P,
                    Storages &S);

} // namespace ct
#endif
