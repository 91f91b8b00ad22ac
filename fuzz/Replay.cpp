// Feeds files to a fuzz target without libFuzzer: replay FILE-OR-FOLDER...
#include "FuzzTarget.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

static bool replay(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)),
                                std::istreambuf_iterator<char>());
  if (!file.good() && !file.eof())
    return false;
  std::printf("%s: %zu bytes\n", path.filename().c_str(), bytes.size());
  std::fflush(stdout); // The last line names the input that crashes.
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  return true;
}

int main(int argc, char **argv) {
  size_t files = 0;
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path path(argv[i]);
    if (!std::filesystem::is_directory(path)) {
      files += replay(path);
      continue;
    }
    for (const auto &entry : std::filesystem::directory_iterator(path))
      files += replay(entry.path());
  }
  std::printf("%zu inputs\n", files);
  return files == 0; // An empty corpus tests nothing.
}
