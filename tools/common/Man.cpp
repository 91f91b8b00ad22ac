#include "common/Man.h"

#include <fmt/format.h>

namespace rdna::tool {

/// Text as roff sees it: no control characters at the start of a line, hyphens that stay hyphens.
static std::string escaped(const std::string &text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

static std::string optionList(const CLI::App &app) {
  std::string out;
  for (const CLI::Option *option : app.get_options()) {
    if (option->get_group().empty())
      continue; // hidden
    std::string name = option->get_name(false, true);
    if (const size_t fallback = name.find('{'); fallback != std::string::npos) {
      name.replace(fallback, 1, "[="); // A flag that may have a value: --delays{1}.
      name.replace(name.find('}'), 1, "]");
    }
    if (option->get_items_expected_max() > 0 && !option->get_positional())
      name += " " + option->get_type_name();
    out += fmt::format(".TP\n.B {}\n{}\n", escaped(name), escaped(option->get_description()));
  }
  for (const CLI::App *group : app.get_subcommands([](const CLI::App *sub) {
         return sub->get_name().empty(); // an option group
       }))
    out += optionList(*group);
  return out;
}

std::string manPage(const CLI::App &app, const std::string &name, const std::string &version,
                    const Examples &examples) {
  const auto commands =
      app.get_subcommands([](const CLI::App *sub) { return !sub->get_name().empty(); });
  const std::string description = app.get_description();
  const size_t firstSentence = description.find_first_of(":.");
  std::string out =
      fmt::format(".TH {} 1 \"\" \"rdnakit {}\" \"rdnakit\"\n", escaped(name), escaped(version));
  out += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name),
                     escaped(description.substr(0, firstSentence)));
  out += fmt::format(".SH SYNOPSIS\n.B {}\n{}[options] [file]\n", escaped(name),
                     commands.empty() ? "" : "command ");
  out += fmt::format(".SH DESCRIPTION\n{}\n", escaped(description));
  out += ".SH OPTIONS\n" + optionList(app);
  for (const CLI::App *command : commands)
    out += fmt::format(".SH COMMAND {}\n{}\n{}", escaped(command->get_name()),
                       escaped(command->get_description()), optionList(*command));
  out += fmt::format(".SH EXIT STATUS\n{}\n", escaped(app.get_footer()));
  if (!examples.empty())
    out += ".SH EXAMPLES\n";
  for (const auto &[command, purpose] : examples)
    out += fmt::format(".PP\n{}:\n.PP\n.in +4n\n.nf\n{}\n.fi\n.in\n", escaped(purpose),
                       escaped(command));
  out += ".SH FILES\nHow\\-tos, examples and launch descriptions are installed in\n"
         ".I doc/rdnakit\nand\n.I rdnakit\nof the folder\n.I share\nbeside the tool's.\n";
  return out;
}

} // namespace rdna::tool
