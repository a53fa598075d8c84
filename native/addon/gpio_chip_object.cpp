#include "addon/gpio_chip_object.h"

#include <string>
#include <utility>
#include <vector>

#include "addon/errors.h"
#include "addon/input.h"

namespace singulate::addon {

namespace {

constexpr std::int64_t kMaxOffset = 65'535;
constexpr std::int64_t kMaxDebounceUs = 10'000'000;

std::vector<std::uint32_t> read_offsets(const Input& input) {
  std::vector<std::uint32_t> offsets;
  for (const Input& item : input.items()) {
    offsets.push_back(static_cast<std::uint32_t>(item.integer(0, kMaxOffset)));
  }
  if (offsets.size() > gpio::kMaxLines) {
    input.fault("more than " + std::to_string(gpio::kMaxLines) + " lines");
  }
  return offsets;
}

gpio::Bias read_bias(const Input& input) {
  const std::string text = input.text();
  if (text == "pull-up") return gpio::Bias::kPullUp;
  if (text == "pull-down") return gpio::Bias::kPullDown;
  if (text == "off") return gpio::Bias::kOff;
  if (text != "as-is")
    input.fault(input.shown() + " given; allowed: as-is, off, pull-up, pull-down");
  return gpio::Bias::kAsIs;
}

std::optional<std::uint64_t> read_levels(const Input& input, std::size_t lines) {
  if (!input.present()) return std::nullopt;
  const auto items = input.items();
  if (items.size() != lines) input.fault("allowed: one level for each output");
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < items.size() && i < gpio::kMaxLines; ++i) {
    if (items[i].boolean()) bits |= std::uint64_t{1} << i;
  }
  return bits;
}

gpio::ChipOptions read_chip_options(Napi::Env env, const Napi::Value& value) {
  std::vector<Fault> faults;
  const Input input(value, "", faults);
  gpio::ChipOptions options;
  options.path = input["path"].text();
  options.inputs = read_offsets(input["inputs"]);
  options.outputs = read_offsets(input["outputs"]);
  options.inputs_active_low = input["inputsActiveLow"].boolean();
  options.outputs_active_low = input["outputsActiveLow"].boolean();
  options.bias = read_bias(input["bias"]);
  options.debounce_us = static_cast<std::uint32_t>(input["debounceUs"].integer(0, kMaxDebounceUs));
  options.output_levels = read_levels(input["outputLevels"], options.outputs.size());
  if (!faults.empty()) throw violations_error(env, kInvalidArgument, faults);
  return options;
}

Napi::Array levels(Napi::Env env, std::uint64_t bits, std::size_t lines) {
  Napi::Array result = Napi::Array::New(env, lines);
  for (std::uint32_t i = 0; i < lines; ++i) {
    result.Set(i, Napi::Boolean::New(env, ((bits >> i) & 1) != 0));
  }
  return result;
}

}  // namespace

Napi::Function GpioChipObject::define(Napi::Env env) {
  return DefineClass(env, "GpioChip",
                     {InstanceMethod<&GpioChipObject::take>("take"),
                      InstanceMethod<&GpioChipObject::first_outputs>("firstOutputs"),
                      InstanceMethod<&GpioChipObject::set_output>("setOutput"),
                      InstanceMethod<&GpioChipObject::close>("close")});
}

GpioChipObject::GpioChipObject(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<GpioChipObject>(info) {
  Napi::Env env = info.Env();
  gpio::ChipOptions options = read_chip_options(env, info[0]);
  if (!info[1].IsFunction()) {
    throw coded_error(env, kInvalidArgument, "the second argument must be a function");
  }
  auto chip = std::make_unique<gpio::Chip>(gpio::linux_kernel(), std::move(options));
  if (const auto status = chip->open(); !status.ok()) {
    throw coded_error(env, kGpio, status.error().message);
  }
  chip_ = std::move(chip);
  wake_ = WakeSignal::New(env, info[1].As<Napi::Function>(), "singulate.GpioChip", 0, 1);
  wake_.Unref(env);
  watch_ =
      std::make_unique<gpio::ChipWatch>(*chip_, [wake = wake_] { (void)wake.NonBlockingCall(); });
  hook_.emplace(env.AddCleanupHook(&GpioChipObject::on_environment_end, this));
  Ref();
}

GpioChipObject::~GpioChipObject() { abandon(); }

Napi::Value GpioChipObject::take(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!watch_) throw coded_error(env, kGpio, "the chip is closed");
  const gpio::Taken taken = watch_->take();
  Napi::Array changes = Napi::Array::New(env, taken.changes.size());
  for (std::size_t i = 0; i < taken.changes.size(); ++i) {
    Napi::Object change = Napi::Object::New(env);
    change.Set("index", Napi::Number::New(env, taken.changes[i].input));
    change.Set("high", Napi::Boolean::New(env, taken.changes[i].high));
    changes.Set(static_cast<std::uint32_t>(i), change);
  }
  Napi::Object result = Napi::Object::New(env);
  result.Set("changes", changes);
  result.Set("inputs", levels(env, taken.inputs, chip_->options().inputs.size()));
  result.Set("lost", Napi::Number::New(env, static_cast<double>(taken.lost)));
  result.Set("fault", Napi::String::New(env, taken.fault));
  return result;
}

Napi::Value GpioChipObject::first_outputs(const Napi::CallbackInfo& info) {
  return levels(info.Env(), chip_->first_outputs(), chip_->options().outputs.size());
}

void GpioChipObject::set_output(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!watch_) throw coded_error(env, kGpio, "the chip is closed");
  std::vector<Fault> faults;
  const auto last = static_cast<std::int64_t>(chip_->options().outputs.size()) - 1;
  const std::int64_t index = Input(info[0], "index", faults).integer(0, last);
  const bool high = Input(info[1], "high", faults).boolean();
  if (!faults.empty()) throw violations_error(env, kInvalidArgument, faults);
  if (const auto status = chip_->set_output(static_cast<std::size_t>(index), high); !status.ok()) {
    throw coded_error(env, kGpio, status.error().message);
  }
}

void GpioChipObject::close(const Napi::CallbackInfo& info) {
  if (!hook_) return;
  watch_.reset();
  chip_->close();
  wake_.Release();
  hook_->Remove(info.Env());
  hook_.reset();
  Unref();
}

void GpioChipObject::abandon() {
  if (!hook_) return;
  hook_.reset();
  wake_.Abort();
  watch_.reset();
  chip_->close();
}

}  // namespace singulate::addon
