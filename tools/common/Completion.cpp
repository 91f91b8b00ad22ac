#include "common/Completion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rdna::tool {
namespace {

struct Option {
  std::vector<std::string> names; ///< "-o", "--output"
  std::string help;
  enum class Value { None, OneOf, Number, Any } value = Value::None;
  std::vector<std::string> values; ///< Of OneOf.
};

struct Command {
  std::string name, help; ///< No name: what stands in front of a command, or there is none.
  std::vector<Option> options;
};

} // namespace

/// As much of a description as fits beside an option in a shell's list.
static std::string brief(const std::string &text) {
  size_t clause = text.find("; ");
  if (clause != std::string::npos && clause > 0 && text[clause - 1] == '\'')
    clause = std::string::npos; // Assembly in quotes: '; RDNA-BEGIN name'.
  return text.substr(0, std::min({clause, text.find(" ("), text.find(": "), text.size()}));
}

static Option describe(const CLI::Option &from) {
  Option option;
  for (const std::string &name : from.get_snames())
    option.names.push_back("-" + name);
  for (const std::string &name : from.get_lnames())
    option.names.push_back("--" + name);
  option.help = brief(from.get_description());
  if (from.get_items_expected_max() == 0)
    return option;
  // CLI11 has what IsMember allows in the type's name only: TEXT:{auto,always,never}.
  const std::string type = from.get_type_name();
  const size_t open = type.find('{'), close = type.find('}');
  if (open != std::string::npos && close != std::string::npos) {
    llvm::SmallVector<llvm::StringRef> words;
    llvm::StringRef(type).slice(open + 1, close).split(words, ',');
    option.value = Option::Value::OneOf;
    option.values.assign(words.begin(), words.end());
  } else {
    const bool number = llvm::StringRef(type).starts_with("UINT") ||
                        llvm::StringRef(type).starts_with("INT") ||
                        llvm::StringRef(type).starts_with("FLOAT");
    option.value = number ? Option::Value::Number : Option::Value::Any;
  }
  return option;
}

static void addOptions(const CLI::App &app, std::vector<Option> &options) {
  for (const CLI::Option *option : app.get_options())
    if (!option->get_group().empty() && option->nonpositional())
      options.push_back(describe(*option));
  for (const CLI::App *group :
       app.get_subcommands([](const CLI::App *sub) { return sub->get_name().empty(); }))
    addOptions(*group, options);
}

static std::vector<Command> completedCommands(const CLI::App &app) {
  std::vector<Command> commands(1);
  addOptions(app, commands.front().options);
  for (const CLI::App *sub :
       app.get_subcommands([](const CLI::App *sub) { return !sub->get_name().empty(); })) {
    commands.push_back({sub->get_name(), brief(sub->get_description()), {}});
    addOptions(*sub, commands.back().options);
  }
  return commands;
}

/// Text between single quotes of a shell that knows no escapes in them.
static std::string quoted(std::string text) {
  for (size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4)
    text.replace(at, 1, "'\\''");
  return "'" + text + "'";
}

static std::string functionName(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return "_" + name;
}

static std::string bashScript(const std::vector<Command> &commands, const std::string &name) {
  std::vector<std::string> names;
  for (const Command &command : llvm::drop_begin(commands))
    names.push_back(command.name);
  std::string values, words;
  for (const Command &command : commands) {
    const std::string where = command.name.empty() ? "*" : command.name;
    std::vector<std::string> all;
    for (const Option &option : command.options) {
      all.insert(all.end(), option.names.begin(), option.names.end());
      if (option.value == Option::Value::None)
        continue;
      std::vector<std::string> patterns;
      for (const std::string &word : option.names)
        patterns.push_back(where + ":" + word);
      const std::string reply =
          option.value == Option::Value::OneOf
              ? fmt::format("compgen -W {} -- \"$current\"",
                            quoted(fmt::format("{}", fmt::join(option.values, " "))))
          : option.value == Option::Value::Number ? std::string("true")
                                                  : std::string("compgen -f -- \"$current\"");
      values += fmt::format("  {}) mapfile -t COMPREPLY < <({}); return ;;\n",
                            fmt::join(patterns, "|"), reply);
    }
    if (command.name.empty())
      words += fmt::format("  local words={}\n", quoted(fmt::format("{}", fmt::join(all, " "))));
    else
      words += fmt::format("  [ \"$command\" = {} ] && words+=' '{}\n", command.name,
                           quoted(fmt::format("{}", fmt::join(all, " "))));
  }
  std::string script = fmt::format(
      "# bash completion for {0}, made from its option table.\n{1}() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  # --option=value arrives in three words.\n"
      "  if [ \"$current\" = = ]; then\n    current=\n"
      "  elif [ \"$previous\" = = ]; then\n    previous=${{COMP_WORDS[COMP_CWORD-2]}}\n  fi\n"
      "  local command= word\n",
      name, functionName(name));
  if (!names.empty())
    script += fmt::format("  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
                          "    case $word in {}) command=$word; break ;; esac\n  done\n",
                          fmt::join(names, "|"));
  script += "  case $command:$previous in\n" + values + "  esac\n" + words;
  if (!names.empty())
    script += fmt::format("  if [ -z \"$command\" ]; then words+=' '{}; fi\n",
                          quoted(fmt::format("{}", fmt::join(names, " "))));
  script +=
      fmt::format("  case $current in\n"
                  "  -*) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\") ;;\n"
                  "  *) {}\n  esac\n}}\ncomplete -o filenames -F {} {}\n",
                  names.empty() ? "mapfile -t COMPREPLY < <(compgen -f -- \"$current\") ;;"
                                : "if [ -n \"$command\" ]; then\n"
                                  "      mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
                                  "    else\n      mapfile -t COMPREPLY < <(compgen -W \"$words\" "
                                  "-- \"$current\")\n    fi ;;",
                  functionName(name), name);
  return script;
}

/// A description inside of an _arguments specification.
static std::string zshText(const std::string &text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\')
      out += '\\';
    out += c;
  }
  return out;
}

static std::string zshOptions(const std::vector<Option> &options) {
  std::string out;
  for (const Option &option : options) {
    std::string value;
    if (option.value == Option::Value::OneOf)
      value = fmt::format(":value:({})", fmt::join(option.values, " "));
    else if (option.value == Option::Value::Number)
      value = ":number: ";
    else if (option.value == Option::Value::Any)
      value = ":value:_files";
    for (const std::string &name : option.names) {
      const bool joined = !value.empty() && llvm::StringRef(name).starts_with("--");
      out += fmt::format(" \\\n    {}", quoted(fmt::format("*{}{}[{}]{}", name, joined ? "=" : "",
                                                           zshText(option.help), value)));
    }
  }
  return out;
}

static std::string zshScript(const std::vector<Command> &commands, const std::string &name) {
  std::string script = fmt::format("#compdef {}\n# Made from the option table.\n", name);
  if (commands.size() == 1)
    return script + fmt::format("_arguments{} \\\n    '*:file:_files'\n",
                                zshOptions(commands.front().options));
  std::string names, cases;
  for (const Command &command : llvm::drop_begin(commands)) {
    names += fmt::format(" {}", quoted(command.name + ":" + zshText(command.help)));
    std::vector<Option> options = command.options;
    options.insert(options.end(), commands.front().options.begin(), commands.front().options.end());
    cases += fmt::format("  {}) _arguments{} \\\n    '*:file:_files' ;;\n", command.name,
                         zshOptions(options));
  }
  return script + fmt::format("local context state state_descr line\ntypeset -A opt_args\n"
                              "_arguments -C{} \\\n    '1:command:->command' \\\n"
                              "    '*::argument:->argument'\n"
                              "case $state in\ncommand)\n  local -a commands=({})\n"
                              "  _describe command commands ;;\nargument)\n  case $line[1] in\n"
                              "{}  esac ;;\nesac\n",
                              zshOptions(commands.front().options), names, cases);
}

static std::string fishText(const std::string &text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\')
      out += '\\';
    out += c;
  }
  return "'" + out + "'";
}

static std::string fishScript(const std::vector<Command> &commands, const std::string &name) {
  std::string script = fmt::format("# fish completion for {}, made from its option table.\n", name);
  for (const Command &command : commands) {
    std::string when;
    if (!command.name.empty()) {
      script += fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n", name,
                            command.name, fishText(command.help));
      when = fmt::format(" -n '__fish_seen_subcommand_from {}'", command.name);
    }
    for (const Option &option : command.options) {
      script += fmt::format("complete -c {}{}", name, when);
      for (const std::string &word : option.names)
        script += llvm::StringRef(word).starts_with("--") ? " -l " + word.substr(2)
                                                          : " -s " + word.substr(1);
      if (option.value == Option::Value::OneOf)
        script += fmt::format(" -x -a '{}'", fmt::join(option.values, " "));
      else if (option.value == Option::Value::Number)
        script += " -x";
      else if (option.value == Option::Value::Any)
        script += " -r";
      script += " -d " + fishText(option.help) + "\n";
    }
  }
  return script;
}

std::string completionScript(const CLI::App &app, const std::string &name,
                             const std::string &shell) {
  const std::vector<Command> commands = completedCommands(app);
  if (shell == "bash")
    return bashScript(commands, name);
  if (shell == "zsh")
    return zshScript(commands, name);
  if (shell == "fish")
    return fishScript(commands, name);
  return "";
}

} // namespace rdna::tool
