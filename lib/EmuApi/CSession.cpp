//===- CSession.cpp - one workgroup, step by step -------------------------===//
#include "EmuApi/Handles.h"

using namespace rdna;
using namespace rdna::api;

static llvm::Error checkWave(const rdna3emu_session *session, uint32_t wave) {
  if (!session)
    return invalid("session is a null pointer");
  if (wave >= session->session->waves())
    return invalid("there is no wave of this number");
  return llvm::Error::success();
}

/// A body that gets the wave, if there is one.
template <class Body>
static int32_t withWave(const rdna3emu_session *session, uint32_t wave, Body body) {
  return guarded([&]() -> llvm::Error {
    if (llvm::Error error = checkWave(session, wave))
      return error;
    return body(*session->session, session->session->wave(wave));
  });
}

static llvm::Error create(const rdna3emu_kernel &kernel, const rdna3emu_launch &given,
                          const uint32_t workgroup[3], rdna3emu_session **session) {
  auto launch = launchOf(given);
  if (!launch)
    return launch.takeError();
  auto created = kernel.program->debug(*launch, {workgroup[0], workgroup[1], workgroup[2]});
  if (!created)
    return created.takeError();
  *session = new rdna3emu_session{std::move(*created)};
  return llvm::Error::success();
}

static llvm::Error readRegister(const emu::Session &session, const emu::Wave &w, uint32_t wave,
                                int32_t name, uint64_t &value) {
  switch (name) {
  case RDNA3EMU_PC:
    value = session.programCounter(wave);
    break;
  case RDNA3EMU_EXEC:
    value = w.exec();
    break;
  case RDNA3EMU_VCC:
    value = w.s[emu::regVcc];
    break;
  case RDNA3EMU_SCC:
    value = w.s[emu::regScc];
    break;
  case RDNA3EMU_M0:
    value = w.s[emu::regM0];
    break;
  case RDNA3EMU_MODE:
    value = w.mode.bits;
    break;
  case RDNA3EMU_EXECUTED:
    value = w.executed;
    break;
  default:
    return invalid("there is no register of this name");
  }
  return llvm::Error::success();
}

static llvm::Error writeRegister(emu::Session &session, emu::Wave &w, uint32_t wave, int32_t name,
                                 uint64_t value) {
  if (name != RDNA3EMU_PC && value > UINT32_MAX)
    return invalid("the value does not fit into the register");
  switch (name) {
  case RDNA3EMU_PC:
    if (!session.jump(wave, value))
      return invalid("no instruction begins at this offset");
    break;
  case RDNA3EMU_EXEC:
    w.s[emu::regExec] = uint32_t(value);
    break;
  case RDNA3EMU_VCC:
    w.s[emu::regVcc] = uint32_t(value);
    break;
  case RDNA3EMU_SCC:
    w.s[emu::regScc] = value != 0;
    break;
  case RDNA3EMU_M0:
    w.s[emu::regM0] = uint32_t(value);
    break;
  case RDNA3EMU_MODE:
    w.setMode(uint32_t(value));
    break;
  default:
    return invalid("there is no register of this name that can be written");
  }
  return llvm::Error::success();
}

static llvm::Error checkNumber(uint32_t number, uint32_t count) {
  return number < count ? llvm::Error::success() : invalid("there is no register of this number");
}

/// Copies between LDS and the caller; `lds` is the address of the place once it is known to exist.
template <class Copy>
static int32_t withLds(const rdna3emu_session *session, uint32_t offset, const void *data,
                       size_t bytes, Copy copy) {
  return withWave(session, 0, [&](emu::Session &, emu::Wave &w) -> llvm::Error {
    if (!data && bytes)
      return invalid("data is a null pointer");
    if (offset > w.ldsBytes || bytes > w.ldsBytes - offset)
      return invalid("the workgroup's LDS ends before");
    if (bytes)
      copy(w.lds + offset);
    return llvm::Error::success();
  });
}

constexpr uint32_t sgprs = 106, vgprs = 256;

extern "C" {

int32_t rdna3emu_session_create(const rdna3emu_kernel *kernel, const rdna3emu_launch *launch,
                                const uint32_t workgroup[3], rdna3emu_session **session) {
  return guarded([&]() -> llvm::Error {
    if (!session)
      return invalid("session is a null pointer");
    *session = nullptr;
    if (!kernel || !workgroup)
      return invalid("kernel or workgroup is a null pointer");
    auto known = versioned(launch, offsetof(rdna3emu_launch, user) + sizeof(launch->user));
    return known ? create(*kernel, *known, workgroup, session) : known.takeError();
  });
}

void rdna3emu_session_free(rdna3emu_session *session) { delete session; }

uint32_t rdna3emu_session_waves(const rdna3emu_session *session) {
  return session ? session->session->waves() : 0;
}

int32_t rdna3emu_session_state(const rdna3emu_session *session, uint32_t wave) {
  int32_t state = RDNA3EMU_WAVE_READY;
  const int32_t failure = withWave(session, wave, [&](emu::Session &s, emu::Wave &) {
    switch (s.state(wave)) {
    case emu::Session::WaveState::Ready:
      break;
    case emu::Session::WaveState::AtBarrier:
      state = RDNA3EMU_WAVE_AT_BARRIER;
      break;
    case emu::Session::WaveState::Ended:
      state = RDNA3EMU_WAVE_ENDED;
      break;
    case emu::Session::WaveState::Failed:
      state = RDNA3EMU_WAVE_FAILED;
      break;
    }
    return llvm::Error::success();
  });
  return failure ? failure : state;
}

int32_t rdna3emu_step(rdna3emu_session *session, uint32_t wave, uint64_t count,
                      uint64_t *executed) {
  if (executed)
    *executed = 0;
  return withWave(session, wave, [&](emu::Session &s, emu::Wave &) -> llvm::Error {
    auto done = s.step(wave, count);
    if (!done)
      return done.takeError();
    if (executed)
      *executed = *done;
    return llvm::Error::success();
  });
}

int32_t rdna3emu_continue(rdna3emu_session *session, uint32_t *wave) {
  return withWave(session, 0, [&](emu::Session &s, emu::Wave &) -> llvm::Error {
    auto stopped = s.resume();
    if (!stopped)
      return stopped.takeError();
    if (wave)
      *wave = stopped->value_or(UINT32_MAX);
    return llvm::Error::success();
  });
}

int32_t rdna3emu_set_breakpoint(rdna3emu_session *session, uint64_t offset) {
  return withWave(session, 0, [&](emu::Session &s, emu::Wave &w) -> llvm::Error {
    if (!w.code->at(offset))
      return invalid("no instruction begins at this offset");
    s.breakpoints.insert(offset);
    return llvm::Error::success();
  });
}

int32_t rdna3emu_clear_breakpoint(rdna3emu_session *session, uint64_t offset) {
  return withWave(session, 0, [&](emu::Session &s, emu::Wave &) {
    s.breakpoints.erase(offset);
    return llvm::Error::success();
  });
}

int32_t rdna3emu_read_register(const rdna3emu_session *session, uint32_t wave, int32_t name,
                               uint64_t *value) {
  return withWave(session, wave, [&](emu::Session &s, emu::Wave &w) {
    return value ? readRegister(s, w, wave, name, *value) : invalid("value is a null pointer");
  });
}

int32_t rdna3emu_write_register(rdna3emu_session *session, uint32_t wave, int32_t name,
                                uint64_t value) {
  return withWave(session, wave, [&](emu::Session &s, emu::Wave &w) {
    return writeRegister(s, w, wave, name, value);
  });
}

int32_t rdna3emu_read_sgpr(const rdna3emu_session *session, uint32_t wave, uint32_t number,
                           uint32_t *value) {
  return withWave(session, wave, [&](emu::Session &, emu::Wave &w) -> llvm::Error {
    if (!value)
      return invalid("value is a null pointer");
    if (llvm::Error error = checkNumber(number, sgprs))
      return error;
    *value = w.s[number];
    return llvm::Error::success();
  });
}

int32_t rdna3emu_write_sgpr(rdna3emu_session *session, uint32_t wave, uint32_t number,
                            uint32_t value) {
  return withWave(session, wave, [&](emu::Session &, emu::Wave &w) -> llvm::Error {
    if (llvm::Error error = checkNumber(number, sgprs))
      return error;
    w.s[number] = value;
    return llvm::Error::success();
  });
}

int32_t rdna3emu_read_vgpr(const rdna3emu_session *session, uint32_t wave, uint32_t number,
                           uint32_t lanes[32]) {
  return withWave(session, wave, [&](emu::Session &, emu::Wave &w) -> llvm::Error {
    if (!lanes)
      return invalid("lanes is a null pointer");
    if (llvm::Error error = checkNumber(number, vgprs))
      return error;
    std::memcpy(lanes, w.vgpr(number).lane, sizeof(emu::Lanes));
    return llvm::Error::success();
  });
}

int32_t rdna3emu_write_vgpr(rdna3emu_session *session, uint32_t wave, uint32_t number,
                            const uint32_t lanes[32]) {
  return withWave(session, wave, [&](emu::Session &, emu::Wave &w) -> llvm::Error {
    if (!lanes)
      return invalid("lanes is a null pointer");
    if (llvm::Error error = checkNumber(number, vgprs))
      return error;
    std::memcpy(w.vgpr(number).lane, lanes, sizeof(emu::Lanes));
    return llvm::Error::success();
  });
}

int32_t rdna3emu_read_lds(const rdna3emu_session *session, uint32_t offset, void *data,
                          size_t bytes) {
  return withLds(session, offset, data, bytes,
                 [&](const std::byte *lds) { std::memcpy(data, lds, bytes); });
}

int32_t rdna3emu_write_lds(rdna3emu_session *session, uint32_t offset, const void *data,
                           size_t bytes) {
  return withLds(session, offset, data, bytes,
                 [&](std::byte *lds) { std::memcpy(lds, data, bytes); });
}
}
