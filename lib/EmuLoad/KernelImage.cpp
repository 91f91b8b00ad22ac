#include "EmuLoad/KernelImage.h"

namespace rdna {

emu::KernelImage kernelImage(const object::CodeObject &object, const object::Kernel &kernel) {
  emu::KernelImage image;
  image.name = kernel.name;
  image.image = object.image;
  image.entryOffset = kernel.entryAddress;
  // All of the segment: a kernel calls device functions outside its own symbol.
  for (const object::CodeObject::Segment &segment : object.segments)
    if (segment.kind == object::CodeObject::Segment::Kind::Code &&
        kernel.entryAddress >= segment.address &&
        kernel.entryAddress - segment.address < segment.bytes) {
      image.codeBegin = segment.address;
      image.codeEnd = segment.address + segment.bytes;
    }
  image.rsrc1 = kernel.rsrc1;
  image.rsrc2 = kernel.rsrc2;
  image.rsrc3 = kernel.rsrc3;
  image.codeProperties = kernel.codeProperties;
  image.ldsBytes = kernel.ldsBytes;
  image.scratchBytes = kernel.scratchBytes;
  image.kernargBytes = kernel.kernargBytes;
  image.codeObjectVersion = object.abiVersion;
  if (kernel.indexWrap == object::Kernel::IndexWrap::Excluded)
    image.indexWrap = emu::KernelImage::IndexWrap::Excluded;
  image.relativeRelocations = object.addressWords;
  return image;
}

} // namespace rdna
