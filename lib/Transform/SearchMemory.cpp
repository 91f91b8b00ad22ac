#include "Transform/SearchMemory.h"

#include <type_traits>

namespace rdna {
namespace {

/// All that a search looks at, in bytes. Numbers of instructions count from the block's first, so
/// that a block is the same wherever it stands.
class Key {
public:
  Key(const Module &module, const RegionModel &region) : module_(module) {
    first_ = region.nodes.empty() ? 0 : region.nodes.front().inst;
    add(region.isLoopBody);
    add(region.hasConstantForms);
    add(region.groups);
    add(region.liveThrough);
    for (const Node &node : region.nodes)
      addNode(node);
    for (const auto &[inst, wait] : region.orderWaits) {
      add(inst - first_);
      add(wait.vmBefore);
      add(wait.lgkmBefore);
      add(wait.orders);
      addInstructions(wait.covered);
    }
    for (const Web &web : region.webs) {
      add(web.scope);
      add(web.home);
      add(web.liveIn);
      add(web.liveOut);
      add(web.extent);
      add(web.group);
      add(web.offset);
      add(web.factorUses);
    }
    for (const OperandWeb &entry : region.operandWebs) {
      add(entry.inst - first_);
      add(entry.operand);
      add(entry.dword);
      add(entry.web);
    }
  }

  void addSpace(const RegisterSpace &space) {
    add(space.budget);
    add(space.usable);
    for (const VgprSet &busy : space.busy)
      add(busy);
  }
  template <typename T> void add(const T &value) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_same_v<T, VgprSet>);
    bytes_.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  llvm::StringRef bytes() const { return bytes_; }

private:
  void addNode(const Node &node) {
    add(node.kind);
    add(node.inst - first_);
    add(node.rank);
    bytes_.append(module_.instructionText(module_.instructions()[node.inst]));
    bytes_.push_back('\n');
    for (const WebId web : {node.op.dst, node.op.src0, node.op.src1, node.op.addend})
      add(web);
    // The text's halves, or a form that it might have.
    add(module_.instructions()[node.inst].op);
    add(node.op.lane.op);
    for (const VopdSource &source : {node.op.lane.src0, node.op.lane.src1}) {
      add(source.kind);
      add(source.value);
    }
    add(node.op.lane.constant.value_or(0));
    add(node.preds.size());
    for (const uint32_t pred : node.preds)
      add(pred);
  }
  void addInstructions(const std::vector<uint32_t> &instructions) {
    add(instructions.size());
    for (const uint32_t inst : instructions)
      add(inst - first_);
  }

  const Module &module_;
  uint32_t first_ = 0;
  std::string bytes_;
};

} // namespace

std::optional<Solution> SearchMemory::search(const FunctionContext &context,
                                             const RegionModel &region, const RegisterSpace &space,
                                             const FixedRegisters &fixed,
                                             const RemapOptions &options, const ScheduleCost &old,
                                             Search::Waiting waiting) {
  Key key(context.module, region);
  key.addSpace(space);
  for (const std::optional<Vgpr> &reg : fixed)
    key.add(reg ? int{reg->number} : -1);
  key.add(options.hazards);
  key.add(options.splitLoads);
  key.add(old.issues);
  key.add(old.singleFmas);
  key.add(old.conflicts);
  key.add(old.singleConflicts);
  key.add(waiting);
  const auto [entry, isNew] = found_.try_emplace(key.bytes());
  if (isNew)
    entry->second = Search(context, region, space, fixed, options, old, waiting).run();
  return entry->second;
}

} // namespace rdna
