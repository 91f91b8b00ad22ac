// Calibration against a card that is made up: it takes as long as the model predicts with other
// constants.

#include "Timing/Calibrate.h"
#include "Timing/Predict.h"

#include <gtest/gtest.h>

namespace calibrateTest {

using namespace rdna;
using namespace rdna::timing;

namespace {

class FakeKernel final : public run::LoadedKernel {
public:
  FakeKernel(const Machine &machine, const object::CodeObject &object, const object::Kernel &kernel)
      : machine_(machine), object_(object), kernel_(kernel) {}
  llvm::Expected<run::RunOutcome> run(const run::ResolvedLaunch &launch, run::BufferSet &,
                                      const run::RunOptions &options) override {
    PredictOptions how;
    how.interval = PredictOptions::Interval::No;
    auto observed = observe(object_, kernel_, launch, machine_, how);
    if (!observed)
      return observed.takeError();
    run::RunOutcome outcome;
    outcome.milliseconds.assign(options.repeats, predict(*observed, machine_, how).milliseconds);
    return outcome;
  }

private:
  const Machine &machine_;
  const object::CodeObject &object_;
  const object::Kernel &kernel_;
};

class FakeCard final : public run::Backend {
public:
  explicit FakeCard(Machine machine) : machine_(std::move(machine)) {}
  std::string_view name() const override { return "fake"; }
  std::string device() const override { return "a card that is made up"; }
  llvm::Expected<std::unique_ptr<run::LoadedKernel>> load(const object::CodeObject &object,
                                                          const object::Kernel &kernel) override {
    return std::make_unique<FakeKernel>(machine_, object, kernel);
  }

private:
  Machine machine_;
};

Machine xtx() { return llvm::cantFail(machineByName("7900xtx")); }

TEST(Calibrate, FindsTheConstantsOfAnotherCard) {
  const Machine truth = xtx()
                            .with(Constant::ClockShare, 0.93)
                            .with(Constant::FetchBytes, 10)
                            .with(Constant::BankPenalty, 1.2)
                            .with(Constant::LdsWidePass, 1.5);
  FakeCard card(truth);
  auto settled = calibrate(card, xtx(), {});
  ASSERT_TRUE(bool(settled)) << llvm::toString(settled.takeError());
  ASSERT_EQ(settled->size(), 4u);
  for (const Settled &constant : *settled) {
    EXPECT_EQ(constant.where, Settled::Where::Inside) << rowOf(constant.constant).name;
    EXPECT_NEAR(constant.found, truth[constant.constant], 0.05 * truth[constant.constant])
        << rowOf(constant.constant).name;
  }
  auto machine = readMachine(machineFile(xtx(), *settled), "found.json");
  ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
  EXPECT_NEAR((*machine)[Constant::BankPenalty], 1.2, 0.06);
}

// A clock faster than any that is searched.
TEST(Calibrate, WhatCannotBeToldIsNotWritten) {
  FakeCard card(xtx().with(Constant::ClockShare, 5));
  auto settled = calibrate(card, xtx(), {});
  ASSERT_TRUE(bool(settled)) << llvm::toString(settled.takeError());
  EXPECT_EQ((*settled)[0].where, Settled::Where::Beyond);
  EXPECT_EQ(machineFile(xtx(), *settled).find("ClockShare"), std::string::npos);
}

} // namespace

} // namespace calibrateTest
