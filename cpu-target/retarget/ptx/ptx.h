/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translation of one inline PTX statement list. A handler per opcode reads its
 * operands in a type, computes with LLVM instructions or device runtime
 * functions, and writes registers. Handlers return false for what they do not
 * know.
 */
#ifndef CT_CPU_TARGET_RETARGET_PTX_PTX_H
#define CT_CPU_TARGET_RETARGET_PTX_PTX_H

#include "cpu-target/retarget/calls/calls.h"
#include "ptx/parser.h"
#include <map>

namespace ct {

/// A PTX type: u32, s64, b16, f32, f16x2, bf16, pred.
struct PtxType {
  char Kind = 0; ///< u, s, b, f, p; 0: none
  unsigned Bits = 0;
  unsigned Lanes = 1;
  bool Brain = false;

  static PtxType parse(llvm::StringRef Text);
  explicit operator bool() const { return Kind != 0; }
  bool isFloat() const { return Kind == 'f'; }
  bool isSigned() const { return Kind == 's'; }
  bool isHalf() const { return isFloat() && Bits == 16; }
  /// Type to compute in: bf16 is computed in float.
  llvm::Type *compute(llvm::LLVMContext &C) const;
};

class PtxLowering {
public:
  explicit PtxLowering(llvm::CallInst &Call);
  bool lower(const PtxProgram &Program, std::string &What);

private:
  using Handler = bool (PtxLowering::*)();
  struct Entry {
    llvm::StringLiteral Opcode;
    Handler Function;
  };
  static Handler findHandler(llvm::StringRef Opcode);

  // The frame: operands, predicates, results (ptx.cpp).
  void bindOperands();
  bool finish();
  bool lowerPredicated(const PtxInstruction &Instruction);
  bool lowerOne(const PtxInstruction &Instruction);
  llvm::Value *immediate(llvm::StringRef Text, llvm::Type *T);
  llvm::Value *readBits(llvm::StringRef Name, llvm::Type *T);
  llvm::Value *read(llvm::StringRef Name, PtxType T);
  llvm::Value *operand(unsigned Index, PtxType T);
  llvm::Value *operand(unsigned Index) { return operand(Index, Type); }
  llvm::Value *operandBits(unsigned Index, llvm::Type *T);
  llvm::Value *predicate(unsigned Index);
  bool write(llvm::StringRef Name, llvm::Value *V);
  bool result(llvm::Value *V) { return result(V, Type); }
  bool result(llvm::Value *V, PtxType T);
  llvm::Value *packBrain(llvm::Value *V);
  llvm::Value *unpackBrain(llvm::Value *Bits, PtxType T);
  bool runtimeResult(const llvm::Twine &Name,
                     llvm::ArrayRef<llvm::Value *> Arguments);
  bool has(llvm::StringRef Modifier) const { return I->has(Modifier); }
  size_t count() const { return I->Operands.size(); }

  // Numbers (arithmetic.cpp).
  bool lowerAddSub();
  bool lowerMul();
  bool lowerMultiplyAdd();
  bool lowerDivision();
  bool lowerMinMax();
  bool lowerNegAbs();
  bool lowerRoot();
  bool lowerTranscendental();
  bool lowerCompare();
  bool lowerSelect();
  bool lowerCopysign();
  bool lowerTest();
  llvm::Value *withCarry(llvm::Value *X, llvm::Value *Y, bool IsSub);
  llvm::Value *product(llvm::Value *X, llvm::Value *Y);
  llvm::Value *comparison(llvm::StringRef Operator, llvm::Value *X,
                          llvm::Value *Y, PtxType T);
  bool flushes(PtxType T) const;
  llvm::Value *finishFloat(llvm::Value *V, PtxType T,
                           llvm::Value *Exact = nullptr);
  bool floatResult(llvm::Value *V, llvm::Value *Exact = nullptr) {
    return result(finishFloat(V, Type, Exact));
  }
  llvm::Value *directed(const llvm::Twine &Name,
                        llvm::ArrayRef<llvm::Value *> Arguments);
  llvm::Value *eachLane(
      llvm::ArrayRef<llvm::Value *> Arguments,
      llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> One);
  llvm::Value *fused(llvm::Value *X, llvm::Value *Y, llvm::Value *Z);
  llvm::Value *cutBrain(llvm::Value *V, llvm::ArrayRef<llvm::Value *> Operands);
  llvm::Value *lesser(llvm::Value *X, llvm::Value *Y);
  llvm::Value *mixed(unsigned Index);
  const char *directedRounding() const;

  // Bits (bits.cpp).
  bool lowerLogic();
  bool lowerShift();
  bool lowerFunnelShift();
  bool lowerBitMask();
  bool lowerCount();
  bool lowerBitField();
  bool lowerPermute();
  bool lowerLop3();
  bool lowerDot();
  bool lowerSad();

  // Moves and conversions (convert.cpp).
  bool lowerMove();
  bool lowerConvert();
  bool lowerAddressConvert();
  bool lowerPack(PtxType From);
  bool lowerSmallFloats();
  bool lowerTensorFloat();
  llvm::Value *clampToFinite(llvm::Value *V, double Most);
  llvm::Value *toInteger(llvm::Value *V, PtxType From, PtxType To);
  llvm::Value *toFloat(llvm::Value *V, PtxType From, PtxType To);
  llvm::Value *integerToInteger(llvm::Value *V, PtxType From, PtxType To);
  llvm::Value *floatToFloat(llvm::Value *V, PtxType From, PtxType To);

  // Accesses to memory (memory.cpp).
  bool lowerLoad();
  bool lowerStore();
  bool lowerAtomic();
  bool lowerFence();
  bool lowerNothing() { return true; }
  bool lowerIsSpace();
  llvm::Value *address(unsigned Index);
  llvm::Value *completeShared(llvm::Value *Address);
  llvm::Value *atomicOperation(llvm::Value *Pointer, llvm::Value *V,
                               llvm::Value *Compare);
  llvm::Value *brainAtomic(llvm::Value *Pointer, llvm::StringRef Register);
  bool completeBytes(unsigned Index, unsigned Bytes);

  // These are done by threads together (sync.cpp).
  bool lowerBarrier();
  bool lowerWarpBarrier();
  bool lowerShuffle();
  bool lowerVote();
  bool lowerMatch();
  bool lowerActivemask();
  bool lowerRedux();
  bool lowerElect();
  bool lowerControl();
  llvm::Value *activemask();

  // Several numbers in a register (video.cpp).
  bool lowerVideo();
  llvm::Value *videoLanes(llvm::StringRef Operation, llvm::Value *X,
                          llvm::Value *Y);

  // Branches and labels (flow.cpp).
  bool lowerFlow(const PtxProgram &Program, std::string &What);
  bool lowerBlocks(llvm::ArrayRef<PtxInstruction> Instructions,
                   llvm::BasicBlock *Tail, std::string &What);
  bool lowerBranch(const PtxInstruction &Branch, llvm::BasicBlock *Tail);
  void makeSlots(llvm::ArrayRef<std::string> Names);
  void spillRegisters();
  void enterBlock(llvm::BasicBlock *Block);
  void leaveBlock(llvm::BasicBlock *To, llvm::Value *Condition = nullptr,
                  llvm::BasicBlock *Else = nullptr);

  // Matrices (matrix.cpp).
  bool lowerMma();
  bool lowerWmma();
  bool lowerTiles();
  bool lowerMoveMatrix();
  llvm::SmallVector<llvm::StringRef> words() const;
  llvm::Value *fragment(unsigned Index, unsigned Bits);
  bool writeFragment(llvm::Value *Memory, unsigned Bits);

  // Textures and surfaces (image.cpp).
  bool lowerTexture();
  bool lowerSurface();
  bool imageOperand(unsigned Index, uint32_t Shape, llvm::Value *&Handle,
                    llvm::Value *&Coordinates);

  // Asynchronous copies and their barriers (async.cpp).
  bool lowerAsyncCopy();
  bool lowerBulkCopy();
  bool lowerBarrierObject();
  bool lowerClusterAddress();
  llvm::Value *memoryOperand(unsigned Index, bool IsShared);

  llvm::CallInst &Call;
  llvm::IRBuilder<> B;
  llvm::Instruction *Anchor; ///< code goes before it
  /// With branches: where registers are between blocks.
  std::map<std::string, llvm::AllocaInst *> Slots;
  std::map<std::string, llvm::BasicBlock *> Labels;
  std::map<std::string, llvm::Value *, std::less<>> Registers;
  std::vector<std::string> Outputs;
  llvm::Value *Carry;
  const PtxInstruction *I = nullptr;
  PtxType Type;   ///< last type modifier
  PtxType Target; ///< the one before it (cvt, set), else Type
};

} // namespace ct

#endif
