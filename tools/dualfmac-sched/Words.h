// Options whose value is one of several words.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace rdna::dualfmac {

/// Not CLI11's own transformer, which takes an enumerator's number for the word as well.
template <typename T>
CLI::Option *addWord(CLI::App &app, const std::string &name, T &value,
                     const std::vector<std::pair<std::string, T>> &words, const std::string &help) {
  std::vector<std::string> all;
  for (const auto &[word, meaning] : words)
    all.push_back(word);
  return app
      .add_option_function<std::string>(
          name,
          [&value, words](const std::string &given) {
            for (const auto &[word, meaning] : words)
              if (word == given)
                value = meaning;
          },
          help)
      ->check(CLI::IsMember(all));
}

} // namespace rdna::dualfmac
