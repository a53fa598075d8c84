#include "addon/mercury_emulator_object.h"

#include <system_error>
#include <vector>

#include "addon/errors.h"
#include "addon/input.h"
#include "addon/read_field.h"

namespace singulate::addon {

namespace {

// Done with the line itself; all others are the module's.
constexpr std::string_view kUnplug = "unplug";
constexpr std::string_view kReplug = "replug";

const emulator::mercury::Profile* read_profile(const Input& input) {
  const std::string name = input.text();
  const auto* const profile = emulator::mercury::find_profile(name);
  if (profile == nullptr) {
    std::string allowed;
    for (const auto& one : emulator::mercury::profiles()) {
      allowed += (allowed.empty() ? "" : ", ") + std::string(one.name);
    }
    input.fault(input.shown() + " given; allowed: " + allowed);
  }
  return profile;
}

}  // namespace

Napi::Function MercuryEmulatorObject::define(Napi::Env env) {
  return DefineClass(env, "MercuryEmulator",
                     {InstanceMethod<&MercuryEmulatorObject::path>("path"),
                      InstanceMethod<&MercuryEmulatorObject::counters>("counters"),
                      InstanceMethod<&MercuryEmulatorObject::inject>("inject"),
                      InstanceMethod<&MercuryEmulatorObject::close>("close")});
}

MercuryEmulatorObject::MercuryEmulatorObject(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<MercuryEmulatorObject>(info) {
  const Napi::Env env = info.Env();
  std::vector<Fault> faults;
  const Input input(info[0], "", faults);
  if (!info[0].IsObject()) {
    faults.push_back({"", input.shown() + " given; allowed: an object of options"});
    throw violations_error(env, kInvalidOptions, faults);
  }
  profile_ = read_profile(input["profile"]);
  options_.line_paced = input["baudPacing"].boolean();
  if (input["link"].present()) link_ = input["link"].text();
  field_ = read_field(input, faults);
  // The host's clock is the real one.
  field_.paced = true;
  field_.start_ns.reset();
  if (!faults.empty()) throw violations_error(env, kInvalidOptions, faults);
  if (const std::string why = plug(); !why.empty()) throw coded_error(env, kRadio, why);
}

std::string MercuryEmulatorObject::plug() {
  if (module_) return "";
  if (std::string why = pty_.open(link_); !why.empty()) return why;
  module_ = std::make_unique<emulator::mercury::Module>(*profile_, field_, pty_.module_end(),
                                                        options_);
  try {
    thread_ = std::thread([module = module_.get()] { module->run(); });
  } catch (const std::system_error& error) {
    module_.reset();
    pty_.close();
    return std::string("no thread for the emulator: ") + error.what();
  }
  return "";
}

void MercuryEmulatorObject::unplug() {
  if (!module_) return;
  module_->stop();
  thread_.join();
  const auto counters = module_->counters();
  before_.commands += counters.commands;
  before_.faults += counters.faults;
  before_.records += counters.records;
  before_.lost_records += counters.lost_records;
  module_.reset();
  pty_.close();
}

Napi::Value MercuryEmulatorObject::path(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), pty_.path());
}

Napi::Value MercuryEmulatorObject::counters(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto now = module_ ? module_->counters() : emulator::mercury::ModuleCounters{};
  const auto number = [env](std::uint64_t one, std::uint64_t other) {
    return Napi::Number::New(env, static_cast<double>(one + other));
  };
  Napi::Object result = Napi::Object::New(env);
  result.Set("commands", number(now.commands, before_.commands));
  result.Set("faults", number(now.faults, before_.faults));
  result.Set("records", number(now.records, before_.records));
  result.Set("lostRecords", number(now.lost_records, before_.lost_records));
  return result;
}

Napi::Value MercuryEmulatorObject::inject(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::vector<Fault> faults;
  const std::string name = Input(info[0], "fault", faults).text();
  if (!faults.empty()) throw violations_error(env, kInvalidArgument, faults);
  if (closed_) throw coded_error(env, kRadio, "the emulator is closed");
  if (name == kUnplug) {
    unplug();
    return Napi::Boolean::New(env, true);
  }
  if (name == kReplug) {
    if (const std::string why = plug(); !why.empty()) throw coded_error(env, kRadio, why);
    return Napi::Boolean::New(env, true);
  }
  return Napi::Boolean::New(env, module_ && module_->inject(name));
}

void MercuryEmulatorObject::close(const Napi::CallbackInfo& /*info*/) {
  closed_ = true;
  unplug();
}

}  // namespace singulate::addon
