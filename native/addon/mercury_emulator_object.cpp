#include "addon/mercury_emulator_object.h"

#include <system_error>
#include <utility>
#include <vector>

#include "addon/errors.h"
#include "addon/input.h"
#include "addon/read_field.h"
#include "emulator/mercury/faults.h"

namespace singulate::addon {

namespace {

// Names of profiles or faults.
template <typename List>
Napi::Array names(Napi::Env env, const List& list) {
  Napi::Array result = Napi::Array::New(env, list.size());
  std::uint32_t at = 0;
  for (const auto& one : list) result.Set(at++, Napi::String::New(env, std::string(one.name)));
  return result;
}

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
                     {StaticMethod<&MercuryEmulatorObject::profiles>("profiles"),
                      StaticMethod<&MercuryEmulatorObject::faults>("faults"),
                      InstanceMethod<&MercuryEmulatorObject::path>("path"),
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
  const auto* const profile = read_profile(input["profile"]);
  emulator::mercury::ModuleOptions options{.line_paced = input["baudPacing"].boolean(),
                                           .heeds_host_rate = true};
  const std::string link = input["link"].present() ? input["link"].text() : "";
  radio::VirtualOptions field = read_field(input);
  // The host's clock is the real one.
  field.paced = true;
  field.start_ns.reset();
  if (faults.empty()) append(faults, check_virtual_options(field));
  if (!faults.empty()) throw violations_error(env, kInvalidOptions, faults);
  port_ = std::make_unique<emulator::mercury::PtyPort>(link);
  if (const auto opened = port_->open(); !opened.ok()) {
    throw coded_error(env, kRadio, opened.error().message);
  }
  path_ = port_->path();
  // Without a link nobody would find the next pseudo-terminal.
  if (!link.empty()) options.cable = port_.get();
  module_ =
      std::make_unique<emulator::mercury::Module>(*profile, field, port_->descriptor(), options);
  try {
    thread_ = std::thread([module = module_.get()] { module->run(); });
  } catch (const std::system_error& error) {
    throw coded_error(env, kRadio, std::string("no thread for the emulator: ") + error.what());
  }
}

Napi::Value MercuryEmulatorObject::profiles(const Napi::CallbackInfo& info) {
  return names(info.Env(), emulator::mercury::profiles());
}

Napi::Value MercuryEmulatorObject::faults(const Napi::CallbackInfo& info) {
  return names(info.Env(), emulator::mercury::faults());
}

void MercuryEmulatorObject::end() {
  if (!thread_.joinable()) return;
  module_->stop();
  thread_.join();
  // A host sees the line hang up.
  port_->unplug();
}

Napi::Value MercuryEmulatorObject::path(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), path_);
}

Napi::Value MercuryEmulatorObject::counters(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto counters = module_->counters();
  const auto number = [env](std::uint64_t value) {
    return Napi::Number::New(env, static_cast<double>(value));
  };
  Napi::Object result = Napi::Object::New(env);
  result.Set("commands", number(counters.commands));
  result.Set("faults", number(counters.faults));
  result.Set("records", number(counters.records));
  result.Set("lostRecords", number(counters.lost_records));
  result.Set("pins", number(counters.pins));
  return result;
}

Napi::Value MercuryEmulatorObject::inject(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::vector<Fault> faults;
  const std::string name = Input(info[0], "fault", faults).text();
  if (!faults.empty()) throw violations_error(env, kInvalidArgument, faults);
  return Napi::Boolean::New(env, thread_.joinable() && module_->inject(name));
}

void MercuryEmulatorObject::close(const Napi::CallbackInfo& /*info*/) { end(); }

}  // namespace singulate::addon
