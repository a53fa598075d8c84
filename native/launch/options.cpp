#include "launch/options.h"

#include <charconv>
#include <stdexcept>

namespace singulate::launch {
namespace {

unsigned long long number(const std::string& name, const std::string& text,
                          unsigned long long most) {
  unsigned long long value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end || value > most) {
    throw std::invalid_argument(name + ": a number from 0 to " + std::to_string(most));
  }
  return value;
}

std::string path(const std::string& name, const std::string& text) {
  if (!text.starts_with('/')) throw std::invalid_argument(name + ": an absolute path");
  return text;
}

void take(Options& options, const std::string& name, const std::string& value) {
  constexpr unsigned long long kMost = 1ULL << 50;
  if (name == "--probe") {
    options.probe = true;
  } else if (name == "--namespaces") {
    options.namespaces = true;
  } else if (name == "--uid") {
    options.uid = static_cast<uid_t>(number(name, value, 0xFFFFFFFEULL));
    if (options.uid == 0U) throw std::invalid_argument("--uid: not 0");
  } else if (name == "--work") {
    options.work = path(name, value);
  } else if (name == "--keep") {
    options.keep.push_back(path(name, value));
  } else if (name == "--cgroup") {
    options.cgroup = path(name, value);
  } else if (name == "--tmp-bytes") {
    options.tmp_bytes = number(name, value, kMost);
  } else if (name == "--data-bytes") {
    options.data_bytes = number(name, value, kMost);
  } else if (name == "--file-bytes") {
    options.file_bytes = number(name, value, kMost);
  } else if (name == "--open-files") {
    options.open_files = number(name, value, kMost);
  } else if (name == "--processes") {
    options.processes = number(name, value, kMost);
  } else {
    throw std::invalid_argument(name + ": there is no such option");
  }
}

}  // namespace

Options parse(const std::vector<std::string>& arguments) {
  Options options;
  for (size_t i = 0; i < arguments.size(); i++) {
    const std::string& argument = arguments[i];
    if (argument == "--") {
      options.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                             arguments.end());
      break;
    }
    const size_t equals = argument.find('=');
    const bool has_value = equals != std::string::npos;
    take(options, argument.substr(0, equals), has_value ? argument.substr(equals + 1) : "");
  }
  if (options.probe) return options;
  if (options.command.empty()) throw std::invalid_argument("no program after --");
  if (options.work.empty()) throw std::invalid_argument("--work is needed");
  return options;
}

}  // namespace singulate::launch
