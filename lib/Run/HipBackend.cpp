#include "Run/Backend.h"
#include "Run/HipApi.h"
#include "Run/Kernarg.h"
#include "Support/Diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::run {

namespace {

using hip::Api;

/// Frees a handle of the API; errors on the way out have nobody to go to.
template <typename Handle> class Owner {
public:
  explicit Owner(hip::Status (*release)(Handle)) : release_(release) {}
  ~Owner() {
    if (handle != nullptr)
      static_cast<void>(release_(handle));
  }
  Owner(const Owner &) = delete;
  Owner &operator=(const Owner &) = delete;
  Handle handle = nullptr;

private:
  hip::Status (*release_)(Handle);
};

/// Device copies of the buffers, in order.
class DeviceBuffers {
public:
  explicit DeviceBuffers(const Api &api) : api_(api) {}
  ~DeviceBuffers() {
    for (void *pointer : pointers_)
      static_cast<void>(api_.free(pointer));
  }
  DeviceBuffers(const DeviceBuffers &) = delete;
  DeviceBuffers &operator=(const DeviceBuffers &) = delete;

  llvm::Error upload(const BufferSet &buffers) {
    for (const Buffer &buffer : buffers.buffers()) {
      void *pointer = nullptr;
      const size_t bytes = std::max<size_t>(buffer.bytes.size(), 1);
      if (llvm::Error error = api_.check(api_.malloc(&pointer, bytes), "allocating device memory"))
        return error;
      pointers_.push_back(pointer);
      if (llvm::Error error =
              api_.check(api_.memcpy(pointer, buffer.bytes.data(), buffer.bytes.size(),
                                     hip::CopyKind::HostToDevice),
                         "copying to the device"))
        return error;
    }
    return llvm::Error::success();
  }
  llvm::Error download(BufferSet &buffers) {
    for (size_t i = 0; i < pointers_.size(); ++i) {
      const Buffer &buffer = buffers.buffers()[i];
      if (llvm::Error error =
              api_.check(api_.memcpy(buffer.bytes.data(), pointers_[i], buffer.bytes.size(),
                                     hip::CopyKind::DeviceToHost),
                         "copying from the device"))
        return error;
    }
    return llvm::Error::success();
  }
  std::vector<uint64_t> addresses() const {
    std::vector<uint64_t> out;
    for (void *pointer : pointers_)
      out.push_back(reinterpret_cast<uint64_t>(pointer));
    return out;
  }
  void *operator[](size_t i) const { return pointers_[i]; }

private:
  const Api &api_;
  std::vector<void *> pointers_;
};

/// Milliseconds of `work` on the device, one figure per repeat after the warm-ups.
llvm::Expected<std::vector<double>> timed(const Api &api, const RunOptions &options,
                                          const std::function<llvm::Error()> &work) {
  Owner<hip::Event> start(api.eventDestroy), stop(api.eventDestroy);
  for (Owner<hip::Event> *event : {&start, &stop})
    if (llvm::Error error = api.check(api.eventCreate(&event->handle), "creating an event"))
      return error;
  std::vector<double> milliseconds;
  const unsigned runs = options.warmups + std::max(options.repeats, 1u);
  for (unsigned i = 0; i < runs; ++i) {
    if (llvm::Error error = api.check(api.eventRecord(start.handle, nullptr), "recording an event"))
      return error;
    if (llvm::Error error = work())
      return error;
    if (llvm::Error error = api.check(api.eventRecord(stop.handle, nullptr), "recording an event"))
      return error;
    // Faults of the kernel (an illegal address, a hang that the driver ended) show up here.
    if (llvm::Error error = api.check(api.eventSynchronize(stop.handle), "running the kernel"))
      return error;
    float elapsed = 0;
    if (llvm::Error error =
            api.check(api.eventElapsedTime(&elapsed, start.handle, stop.handle), "timing"))
      return error;
    if (i >= options.warmups)
      milliseconds.push_back(elapsed);
    if (options.progress)
      options.progress(i + 1, runs);
  }
  return milliseconds;
}

class HipKernel : public LoadedKernel {
public:
  HipKernel(const Api &api, const object::CodeObject &object, const object::Kernel &kernel)
      : api_(api), object_(object), kernel_(kernel), module_(api.moduleUnload) {}

  llvm::Error load() {
    if (llvm::Error error = api_.check(api_.moduleLoadData(&module_.handle, object_.elf.data()),
                                       "loading the code object"))
      return error;
    return api_.check(api_.moduleGetFunction(&function_, module_.handle, kernel_.name.c_str()),
                      "finding the kernel");
  }

  llvm::Expected<RunOutcome> run(const ResolvedLaunch &launch, BufferSet &buffers,
                                 const RunOptions &options) override {
    if (llvm::Error error = checkLaunch(object_, kernel_, launch))
      return error;
    DeviceBuffers device(api_);
    if (llvm::Error error = device.upload(buffers))
      return error;
    llvm::Expected<Kernarg> kernarg = packKernarg(kernel_, launch, device.addresses());
    if (!kernarg)
      return kernarg.takeError();
    size_t bytes = kernarg->explicitBytes; // The runtime appends the hidden arguments.
    // The values are HIP_LAUNCH_PARAM_BUFFER_POINTER, _SIZE and _END.
    void *extra[] = {reinterpret_cast<void *>(1), kernarg->bytes.data(),
                     reinterpret_cast<void *>(2), &bytes, reinterpret_cast<void *>(3)};
    RunOutcome outcome;
    llvm::Expected<std::vector<double>> times = timed(api_, options, [&] {
      return api_.check(api_.moduleLaunchKernel(function_, launch.grid[0], launch.grid[1],
                                                launch.grid[2], launch.block[0], launch.block[1],
                                                launch.block[2], launch.dynamicLdsBytes, nullptr,
                                                nullptr, extra),
                        "launching the kernel");
    });
    if (!times)
      return times.takeError();
    outcome.milliseconds = std::move(*times);
    outcome.workgroups = launch.workgroups();
    if (llvm::Error error = device.download(buffers))
      return error;
    return outcome;
  }

private:
  const Api &api_;
  const object::CodeObject &object_;
  const object::Kernel &kernel_;
  Owner<hip::Module> module_;
  hip::Function function_ = nullptr;
};

class HipBackend : public Backend {
public:
  explicit HipBackend(const Api &api) : api_(api) {
    char name[256] = "unknown device";
    static_cast<void>(api.deviceGetName(name, sizeof name - 1, 0));
    name_ = name;
    static_cast<void>(
        api.deviceGetAttribute(&multiprocessors_, hip::DeviceAttribute::MultiprocessorCount, 0));
    static_cast<void>(api.deviceGetAttribute(&clockKhz_, hip::DeviceAttribute::ClockRateKhz, 0));
    static_cast<void>(api.runtimeGetVersion(&version_));
  }
  std::string_view name() const override { return "hip"; }
  std::string device() const override {
    return fmt::format("{}, {} multiprocessors, {} MHz, HIP runtime {} ({})", name_,
                       multiprocessors_, clockKhz_ / 1000, version_, api_.library);
  }
  llvm::Expected<std::unique_ptr<LoadedKernel>> load(const object::CodeObject &object,
                                                     const object::Kernel &kernel) override {
    auto loaded = std::make_unique<HipKernel>(api_, object, kernel);
    if (llvm::Error error = loaded->load())
      return error;
    return loaded;
  }
  double peakGflops() const override {
    // 128 FP32 operations per SIMD32 and cycle, dual-issued (ISA guide 7.6). The runtime counts
    // WGPs (4 SIMDs) on gfx11, of which no card has more than 48; more means it counted CUs.
    const double simds = multiprocessors_ > 48 ? multiprocessors_ * 2.0 : multiprocessors_ * 4.0;
    return simds * 128 * clockKhz_ * 1e-6;
  }
  std::vector<double> sgemmBaseline(const GemmShape &shape, const RunOptions &options) override;

private:
  const Api &api_;
  std::string name_;
  int multiprocessors_ = 0, clockKhz_ = 0, version_ = 0;
};

std::vector<double> HipBackend::sgemmBaseline(const GemmShape &shape, const RunOptions &options) {
  if (shape.kind != GemmShape::Kind::Square)
    return {};
  const hip::RocblasApi *blas = hip::rocblas();
  Owner<hip::RocblasApi::Handle> handle(blas ? blas->destroyHandle : nullptr);
  if (blas == nullptr || blas->createHandle(&handle.handle) != 0)
    return {};
  ResolvedLaunch launch;
  for (unsigned i = 0; i < 3; ++i)
    addBuffer(launch, {fmt::format("matrix {}", i),
                       4 * shape.n * shape.n,
                       ElementType::F32,
                       Init::Random,
                       i,
                       BufferArgument::Role::Input,
                       {},
                       {}});
  llvm::Expected<std::unique_ptr<BufferSet>> host = BufferSet::allocate(launch);
  if (!host) {
    llvm::consumeError(host.takeError());
    return {};
  }
  (*host)->fill(1);
  DeviceBuffers device(api_);
  if (llvm::Error error = device.upload(**host)) {
    llvm::consumeError(std::move(error));
    return {};
  }
  const int n = static_cast<int>(shape.n);
  llvm::Expected<std::vector<double>> times = timed(api_, options, [&] {
    // Row-major C = A * B is column-major C' = B' * A'.
    const int status = blas->sgemm(
        handle.handle, 111, 111, n, n, n, &shape.alpha, static_cast<const float *>(device[1]), n,
        static_cast<const float *>(device[0]), n, &shape.beta, static_cast<float *>(device[2]), n);
    return status == 0
               ? llvm::Error::success()
               : makeError(Failure::BadInput, "", fmt::format("rocBLAS: status {}", status));
  });
  if (!times) {
    llvm::consumeError(times.takeError());
    return {};
  }
  return *times;
}

} // namespace

llvm::Expected<std::unique_ptr<Backend>> createHipBackend() {
  llvm::Expected<const Api *> loaded = hip::api();
  if (!loaded)
    return loaded.takeError();
  const Api &api = **loaded;
  const auto unavailable = [&](hip::Status status, std::string_view what) {
    return makeError(Failure::NoBackend, "",
                     fmt::format("backend hip is not available: {}: {} (error {}, {})", what,
                                 api.getErrorString(status), status, api.library));
  };
  // Without a GPU hipInit fails with 101 and hipGetDeviceCount with 100.
  if (const hip::Status status = api.init(0))
    return unavailable(status, "no usable AMD GPU");
  int count = 0;
  if (const hip::Status status = api.getDeviceCount(&count); status != 0 || count == 0)
    return unavailable(status != 0 ? status : 100, "no AMD GPU found");
  if (const hip::Status status = api.setDevice(0))
    return unavailable(status, "cannot use device 0");
  return std::make_unique<HipBackend>(api);
}

} // namespace rdna::run
