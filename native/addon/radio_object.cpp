#include "addon/radio_object.h"

#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "addon/air_view.h"
#include "addon/errors.h"
#include "addon/input.h"
#include "addon/link_profile_view.h"
#include "addon/module_task.h"
#include "addon/prediction_view.h"
#include "addon/read_access_request.h"
#include "addon/read_options.h"
#include "addon/read_plan.h"
#include "inventory/prediction.h"

namespace singulate::addon {

namespace {

constexpr std::int64_t kMostTags = 1'000'000;
constexpr std::int64_t kMostPackets = 1'000'000;

template <typename Number>
Napi::Array numbers(Napi::Env env, const std::vector<Number>& values) {
  Napi::Array result = Napi::Array::New(env, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.Set(static_cast<std::uint32_t>(i), Napi::Number::New(env, values[i]));
  }
  return result;
}

Napi::Array array_of(Napi::Env env, const std::vector<std::string>& values) {
  Napi::Array result = Napi::Array::New(env, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.Set(static_cast<std::uint32_t>(i), Napi::String::New(env, values[i]));
  }
  return result;
}

Napi::Number number(Napi::Env env, std::uint64_t value) {
  return Napi::Number::New(env, static_cast<double>(value));
}

}  // namespace

Napi::Function RadioObject::define(Napi::Env env) {
  return DefineClass(env, "Radio",
                     {InstanceMethod<&RadioObject::open>("open"),
                      InstanceMethod<&RadioObject::close>("close"),
                      InstanceMethod<&RadioObject::health>("health"),
                      InstanceMethod<&RadioObject::link>("link"),
                      InstanceMethod<&RadioObject::region>("region"),
                      InstanceMethod<&RadioObject::set_region>("setRegion"),
                      InstanceMethod<&RadioObject::capabilities>("capabilities"),
                      InstanceMethod<&RadioObject::start>("start"),
                      InstanceMethod<&RadioObject::change>("change"),
                      InstanceMethod<&RadioObject::access_tag>("accessTag"),
                      InstanceMethod<&RadioObject::cancel_access>("cancelAccess"),
                      InstanceMethod<&RadioObject::pause_access>("pauseAccess"),
                      InstanceMethod<&RadioObject::predict>("predict"),
                      InstanceMethod<&RadioObject::stop>("stop"),
                      InstanceMethod<&RadioObject::set_input>("setInput"),
                      InstanceMethod<&RadioObject::input_high>("inputHigh"),
                      InstanceMethod<&RadioObject::set_output>("setOutput"),
                      InstanceMethod<&RadioObject::tend_lines>("tendLines"),
                      InstanceMethod<&RadioObject::log_packets>("logPackets"),
                      InstanceMethod<&RadioObject::packets>("packets"),
                      InstanceMethod<&RadioObject::tags>("tags"),
                      InstanceMethod<&RadioObject::collect>("collect"),
                      InstanceMethod<&RadioObject::arm>("arm"),
                      InstanceMethod<&RadioObject::phase>("phase"),
                      InstanceMethod<&RadioObject::drain>("drain"),
                      InstanceMethod<&RadioObject::status>("status")});
}

RadioObject::RadioObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<RadioObject>(info) {
  const Napi::Env env = info.Env();
  OpenedOptions opened = read_options(env, info[0]);
  if (!opened.open_later) {
    if (const auto status = opened.module->open(); !status.ok()) {
      throw coded_error(env, kRadio, status.error().message);
    }
    opened_ = true;
  }
  const auto when_full =
      opened.module->capabilities().paced ? stream::WhenFull::kDrop : stream::WhenFull::kWait;
  module_ = std::move(opened.module);
  look_at_module();
  queue_ = std::make_unique<stream::ReadQueue>(opened.queue_records, when_full);
}

RadioObject::~RadioObject() {
  abandon();
  if (module_) module_->close();
}

void RadioObject::look_at_module() {
  capabilities_ = module_->capabilities();
  region_ = module_->region();
}

void RadioObject::must_be_open(Napi::Env env) const {
  if (!opened_) throw coded_error(env, kRadio, "the radio module is not connected");
}

Napi::Value RadioObject::open(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  must_be_idle(env);
  if (closed_) throw coded_error(env, kRadio, "the radio is closed");
  opened_ = false;
  ++tasks_;
  return ModuleTask::run(
      Value(),
      [this]() -> radio::Status {
        const std::lock_guard lock(module_mutex_);
        if (closed_) return radio::Error{radio::ErrorCode::kNotOpen, "the radio is closed"};
        return module_->open();
      },
      [this](Napi::Env task_env, const radio::Status& status) {
        --tasks_;
        if (status.ok()) {
          opened_ = true;
          const std::lock_guard lock(module_mutex_);
          look_at_module();
        }
        return task_env.Undefined();
      });
}

void RadioObject::close(const Napi::CallbackInfo& info) {
  closed_ = true;
  finish(info.Env());
  end_access(inventory::AccessJob::Stop::kAll);
  opened_ = false;
  // A task that runs ends soon, and the module is closed with this object.
  module_->interrupt();
  if (tasks_ > 0) return;
  const std::lock_guard lock(module_mutex_);
  module_->close();
}

struct RadioObject::Health {
  std::optional<double> temperature;
  std::vector<std::pair<std::uint8_t, bool>> antennas;
};

Napi::Value RadioObject::health(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  must_be_idle(env);
  must_be_open(env);
  ++tasks_;
  auto health = std::make_shared<Health>();
  return ModuleTask::run(
      Value(),
      [this, health]() -> radio::Status {
        const std::lock_guard lock(module_mutex_);
        if (closed_ || reading_ || accessing_) {
          return radio::Error{radio::ErrorCode::kNotOpen, "the radio is busy or closed"};
        }
        const radio::Capabilities& radio = module_->capabilities();
        if (radio.has_temperature) {
          const auto temperature = module_->temperature_celsius();
          if (!temperature.ok()) return temperature.error();
          health->temperature = temperature.value();
        }
        if (!radio.has_antenna_sense) return {};
        for (const std::uint8_t port : radio.antennas) {
          const auto there = module_->antenna_connected(port);
          if (!there.ok()) return there.error();
          health->antennas.emplace_back(port, there.value());
        }
        return {};
      },
      [this, health](Napi::Env task_env, const radio::Status& /*status*/) {
        --tasks_;
        Napi::Object result = Napi::Object::New(task_env);
        if (health->temperature) {
          result.Set("temperatureCelsius", Napi::Number::New(task_env, *health->temperature));
        }
        Napi::Array antennas = Napi::Array::New(task_env, health->antennas.size());
        for (std::size_t i = 0; i < health->antennas.size(); ++i) {
          Napi::Object one = Napi::Object::New(task_env);
          one.Set("port", Napi::Number::New(task_env, health->antennas[i].first));
          one.Set("connected", Napi::Boolean::New(task_env, health->antennas[i].second));
          antennas.Set(static_cast<std::uint32_t>(i), one);
        }
        result.Set("antennas", antennas);
        return result;
      });
}

Napi::Value RadioObject::link(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto link = module_->link();
  if (!link) return env.Null();
  Napi::Object result = Napi::Object::New(env);
  result.Set("connected", Napi::Boolean::New(env, link->connected));
  result.Set("fault", link->fault);
  result.Set("lastFault", link->last_fault);
  result.Set("reconnects", number(env, link->reconnects));
  result.Set("discardedBytes", number(env, link->discarded_bytes));
  result.Set("crcErrors", number(env, link->crc_errors));
  result.Set("overflows", number(env, link->overflows));
  result.Set("complaint", link->complaint);
  if (link->temperature_celsius) {
    result.Set("temperatureCelsius", Napi::Number::New(env, *link->temperature_celsius));
  }
  return result;
}

Napi::Value RadioObject::region(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!region_) return env.Null();
  Napi::Object result = Napi::Object::New(env);
  result.Set("present", Napi::Number::New(env, region_->present));
  result.Set("supported", numbers(env, region_->supported));
  return result;
}

void RadioObject::set_region(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  constexpr std::int64_t kLast = 255;
  constexpr std::int64_t kMostKhz = 10'000'000;
  std::vector<Fault> faults;
  const std::int64_t wanted = Input(info[0], "number", faults).integer(1, kLast);
  std::vector<std::uint32_t> channels;
  for (const Input& item : Input(info[1], "channelsKhz", faults).items()) {
    channels.push_back(static_cast<std::uint32_t>(item.integer(1, kMostKhz)));
  }
  if (!faults.empty()) throw violations_error(env, kInvalidArgument, faults);
  must_be_idle(env);
  must_have_module(env);
  must_be_open(env);
  const std::lock_guard lock(module_mutex_);
  if (const auto set = module_->set_region(static_cast<std::uint8_t>(wanted), channels);
      !set.ok()) {
    const bool cannot = set.error().code == radio::ErrorCode::kNotSupported;
    throw coded_error(env, cannot ? kNotSupported : kRadio, set.error().message);
  }
  look_at_module();
}

Napi::Value RadioObject::capabilities(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const radio::Capabilities& radio = capabilities_;
  Napi::Object result = Napi::Object::New(env);
  result.Set("module", radio.module);
  result.Set("model", radio.model);
  result.Set("firmware", radio.firmware);
  result.Set("antennas", numbers(env, radio.antennas));
  result.Set("beams", numbers(env, radio.beams));
  result.Set("minTransmitPowerCdbm", Napi::Number::New(env, radio.min_transmit_power_cdbm));
  result.Set("maxTransmitPowerCdbm", Napi::Number::New(env, radio.max_transmit_power_cdbm));
  result.Set("linkProfiles", array_of(env, radio.link_profiles));
  result.Set("linkProfileDetails", show_link_profiles(env, radio.link_profiles));
  result.Set("sequencesAntennas", Napi::Boolean::New(env, radio.sequences_antennas));
  result.Set("hasSelects", Napi::Boolean::New(env, radio.has_selects()));
  result.Set("hasAccess", Napi::Boolean::New(env, radio.has_access()));
  result.Set("hasRssiLimit", Napi::Boolean::New(env, radio.has_rssi_limit()));
  result.Set("paced", Napi::Boolean::New(env, radio.paced));
  Napi::Array features = Napi::Array::New(env, radio::kFeatures);
  for (std::uint32_t i = 0; i < radio::kFeatures; ++i) {
    const auto feature = static_cast<radio::Feature>(i);
    const radio::FeatureText& text = radio::text_of(feature);
    Napi::Object one = Napi::Object::New(env);
    one.Set("field", std::string(text.field));
    one.Set("what", std::string(text.what));
    one.Set("support", Napi::Number::New(env, static_cast<unsigned>(radio.features.of(feature))));
    features.Set(i, one);
  }
  result.Set("features", features);
  return result;
}

void RadioObject::start(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  if (inventory_ && inventory_->running()) {
    throw coded_error(env, kAlreadyStarted, "an inventory runs already; stop it first");
  }
  if (!info[1].IsFunction()) {
    throw coded_error(env, kInvalidArgument, "the second argument must be a function");
  }
  must_have_module(env);
  must_be_open(env);
  inventory::InventoryPlan plan = read_plan(env, info[0], capabilities_);
  plan_antennas_ = plan.antennas;
  finish(env);  // of an inventory that ended by itself, whose wake is still on its way
  // A task that has not come to its turn finds the radio busy.
  const std::lock_guard lock(module_mutex_);
  inventory_.reset();
  queue_->reset();

  auto context = std::make_unique<WakeContext>();
  wake_context_ = context.get();
  // Unlimited on the Node-API side: the queue is armed for one wake at a time.
  wake_ = WakeSignal::New(env, info[1].As<Napi::Function>(), "singulate.Radio", 0, 1, context.get(),
                          [](Napi::Env, void*, WakeContext* owned) { delete owned; });
  (void)context.release();
  wake_context_->before_call = [this, env] {
    if (inventory_ && !inventory_->running()) finish(env);
  };
  inventory_ =
      std::make_unique<inventory::Inventory>(*module_, *queue_, inputs_, std::move(plan),
                                             [wake = wake_] { (void)wake.NonBlockingCall(); });
  hook_.emplace(env.AddCleanupHook(&RadioObject::on_environment_end, this));
  Ref();
  reading_ = true;
  if (const auto status = inventory_->start(); !status.ok()) {
    finish(env);
    throw coded_error(env, kRadio, status.error().message);
  }
}

Napi::Value RadioObject::change(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!inventory_ || !inventory_->running()) {
    throw coded_error(env, kNotRunning, "no inventory runs");
  }
  inventory::InventoryPlan plan = read_plan(env, info[0], capabilities_);
  plan_antennas_ = plan.antennas;
  return Napi::Number::New(env, inventory_->change(std::move(plan)));
}

Napi::Value RadioObject::access_tag(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  if (access_) throw coded_error(env, kAlreadyStarted, "a tag is accessed already");
  must_be_open(env);
  if (!capabilities_.has_access() || capabilities_.sequences_antennas) {
    throw coded_error(env, kNotSupported, "the tags of this radio cannot be accessed");
  }
  const bool running = inventory_ && inventory_->running();
  inventory::InventoryPlan plan;
  plan.antennas = plan_antennas_;
  inventory::AccessRequest request =
      read_access_request(env, info[0], capabilities_, running ? &plan : nullptr);
  access_ =
      std::make_unique<AccessTask>(env, std::move(request), [this, env] { access_settled(env); });
  access_hook_.emplace(env.AddCleanupHook(&RadioObject::on_environment_end, this));
  Ref();
  const Napi::Promise promise = access_->promise();
  if (running && inventory_->pending_access().submit(access_->job())) return promise;
  finish(env);  // of an inventory that ended by itself
  accessing_ = true;
  ++tasks_;
  try {
    access_->work([this, job = access_->job()] { return access_idle(*job); });
  } catch (const std::system_error& error) {
    access_->cut_off();
    access_settled(env);
    throw coded_error(env, kRadio, std::string("no thread for the access: ") + error.what());
  }
  return promise;
}

inventory::AccessOutcome RadioObject::access_idle(const inventory::AccessJob& job) {
  using Stop = inventory::AccessJob::Stop;
  class Until final : public radio::RoundWatch {
   public:
    Until(const std::atomic<Stop>& stop, Stop least) : stop_(stop), least_(least) {}
    bool goes_on() override { return stop_.load() < least_; }

   private:
    const std::atomic<Stop>& stop_;
    const Stop least_;
  };
  Until search(job.stop, Stop::kSearch);
  Until operate(job.stop, Stop::kAll);
  const std::lock_guard lock(module_mutex_);
  const auto left = job.until - inventory::AccessJob::Clock::now();
  if (closed_ || !search.goes_on()) return {};
  if (left.count() <= 0) return {.end = inventory::AccessOutcome::End::kNotFound};
  return inventory::run_access(*module_, job.request, left, search, operate);
}

void RadioObject::access_settled(Napi::Env env) {
  if (accessing_) {
    --tasks_;
    accessing_ = false;
    // It may have been lost meanwhile, and another one be there.
    const std::lock_guard lock(module_mutex_);
    look_at_module();
  }
  access_hook_->Remove(env);
  access_hook_.reset();
  access_.reset();
  Unref();
}

void RadioObject::cancel_access(const Napi::CallbackInfo& /*info*/) {
  if (!access_) return;
  access_->stop(inventory::AccessJob::Stop::kAll);
  if (inventory_) inventory_->pending_access().withdraw(*access_->job());
}

void RadioObject::pause_access(const Napi::CallbackInfo& /*info*/) {
  if (!access_) return;
  access_->stop(inventory::AccessJob::Stop::kSearch);
  if (inventory_) inventory_->pending_access().withdraw(*access_->job());
}

void RadioObject::end_access(inventory::AccessJob::Stop how) {
  if (!access_ || !accessing_) return;
  access_->stop(how);
  module_->interrupt();
}

void RadioObject::must_have_module(Napi::Env env) const {
  if (accessing_) {
    throw coded_error(env, kAlreadyStarted, "a tag is accessed; wait for the end of it");
  }
}

Napi::Value RadioObject::predict(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const inventory::InventoryPlan plan = read_plan(env, info[0], capabilities_);
  std::vector<Fault> faults;
  const std::int64_t tags = Input(info[1], "tags", faults).integer(0, kMostTags);
  const std::int64_t words = Input(info[2], "epcWords", faults).integer(1, gen2::kMaxEpcWords);
  if (!faults.empty()) throw violations_error(env, kInvalidArgument, faults);
  const auto prediction =
      inventory::predict(plan, capabilities_.link_profiles.front(),
                         static_cast<std::uint32_t>(tags), static_cast<unsigned>(words));
  return prediction ? show_prediction(env, *prediction) : env.Null();
}

void RadioObject::set_input(const Napi::CallbackInfo& info) {
  std::vector<Fault> faults;
  const std::int64_t port = Input(info[0], "port", faults).integer(1, inventory::kMaxInputs);
  const bool high = Input(info[1], "high", faults).boolean();
  if (!faults.empty()) throw violations_error(info.Env(), kInvalidArgument, faults);
  inputs_.set(port, high);
}

Napi::Value RadioObject::input_high(const Napi::CallbackInfo& info) {
  std::vector<Fault> faults;
  const std::int64_t port = Input(info[0], "port", faults).integer(1, inventory::kMaxInputs);
  if (!faults.empty()) throw violations_error(info.Env(), kInvalidArgument, faults);
  return Napi::Boolean::New(info.Env(), inventory::is_high(inputs_, *module_, port));
}

void RadioObject::set_output(const Napi::CallbackInfo& info) {
  std::vector<Fault> faults;
  const Input port(info[0], "port", faults);
  const std::int64_t number = port.integer(1, inventory::kMaxInputs);
  const bool high = Input(info[1], "high", faults).boolean();
  if (faults.empty() && !module_->set_output(static_cast<std::uint8_t>(number), high)) {
    port.fault(port.shown() + " given; the module has no such output");
  }
  if (!faults.empty()) throw violations_error(info.Env(), kInvalidArgument, faults);
}

Napi::Value RadioObject::tend_lines(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  must_be_idle(env);
  must_be_open(env);
  ++tasks_;
  return ModuleTask::run(
      Value(),
      [this]() -> radio::Status {
        const std::lock_guard lock(module_mutex_);
        // The loop tends them while it runs, and so does an access.
        if (closed_ || reading_ || accessing_) return {};
        return module_->tend_lines();
      },
      [this](Napi::Env task_env, const radio::Status& /*status*/) {
        --tasks_;
        return task_env.Undefined();
      });
}

radio::VirtualRadio& RadioObject::simulated(Napi::Env env) const {
  auto* radio = dynamic_cast<radio::VirtualRadio*>(module_.get());
  if (radio == nullptr) {
    throw coded_error(env, kNotSupported, "only a simulated radio can be looked into");
  }
  return *radio;
}

void RadioObject::must_be_idle(Napi::Env env) const {
  if (inventory_ && inventory_->running()) {
    throw coded_error(env, kAlreadyStarted, "an inventory runs; stop it first");
  }
}

void RadioObject::log_packets(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::vector<Fault> faults;
  const std::int64_t most = Input(info[0], "packets", faults).integer(0, kMostPackets);
  if (!faults.empty()) throw violations_error(env, kInvalidArgument, faults);
  radio::VirtualRadio& radio = simulated(env);
  // Also while an inventory runs, whose thread may be about to tell it something.
  packet_log_.keep(static_cast<std::size_t>(most));
  radio.observe(most == 0 ? nullptr : &packet_log_);
}

Napi::Value RadioObject::packets(const Napi::CallbackInfo& info) {
  return show_packets(info.Env(), packet_log_.take());
}

Napi::Value RadioObject::tags(const Napi::CallbackInfo& info) {
  const radio::VirtualRadio& radio = simulated(info.Env());
  must_be_idle(info.Env());
  must_have_module(info.Env());
  return show_tags(info.Env(), radio.population(), radio.now_ns());
}

void RadioObject::stop(const Napi::CallbackInfo& info) {
  finish(info.Env());
  end_access(inventory::AccessJob::Stop::kAll);
}

void RadioObject::finish(Napi::Env env) {
  if (!hook_) return;
  inventory_->stop();
  // It may have been lost meanwhile, and another one be there.
  look_at_module();
  reading_ = false;
  wake_context_->before_call = nullptr;
  wake_context_ = nullptr;
  // Not aborted: the wake at the end still reaches the callback.
  wake_.Release();
  hook_->Remove(env);
  hook_.reset();
  Unref();
}

void RadioObject::abandon() {
  if (access_) {
    access_hook_.reset();
    access_->cut_off();
    access_->stop(inventory::AccessJob::Stop::kAll);
    end_access(inventory::AccessJob::Stop::kAll);
  }
  if (hook_) {
    hook_.reset();
    wake_context_ = nullptr;
    wake_.Abort();
    inventory_->stop();
  }
  access_.reset();
}

Napi::Value RadioObject::collect(const Napi::CallbackInfo& info) {
  constexpr std::int64_t kMostMs = 1000;
  constexpr std::uint64_t kNsPerMs = 1'000'000;
  std::vector<Fault> faults;
  const std::int64_t ms = Input(info[0], "latencyMs", faults).integer(1, kMostMs);
  if (!faults.empty()) throw violations_error(info.Env(), kInvalidArgument, faults);
  return Napi::Boolean::New(info.Env(),
                            module_->collect(static_cast<std::uint64_t>(ms) * kNsPerMs));
}

Napi::Value RadioObject::arm(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), queue_->arm());
}

Napi::Value RadioObject::phase(const Napi::CallbackInfo& info) {
  enum : std::uint8_t { kEnded, kReading, kWaiting };
  std::uint8_t phase = kEnded;
  if (inventory_ && inventory_->running()) {
    phase = inventory_->counters().waiting.get() != 0 ? kWaiting : kReading;
  }
  return Napi::Number::New(info.Env(), phase);
}

Napi::Value RadioObject::drain(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsTypedArray() ||
      info[0].As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    throw coded_error(env, kInvalidArgument, "the argument must be a Uint8Array");
  }
  auto into = info[0].As<Napi::Uint8Array>();
  if (into.ByteLength() < (1 + stream::kMaxContinued) * sizeof(stream::ReadRecord)) {
    throw coded_error(
        env, kInvalidArgument,
        "the buffer must have room for " + std::to_string(1 + stream::kMaxContinued) + " records");
  }
  const std::size_t records =
      queue_->pop(into.Data(), into.ByteLength() / sizeof(stream::ReadRecord));
  return Napi::Number::New(env, static_cast<double>(records));
}

Napi::Value RadioObject::status(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const inventory::Counters none;
  const inventory::Counters& counters = inventory_ ? inventory_->counters() : none;
  Napi::Object result = Napi::Object::New(env);
  result.Set("running", Napi::Boolean::New(env, inventory_ && inventory_->running()));
  result.Set("endReason", inventory_ ? inventory_->end_reason() : "");
  result.Set("reads", number(env, counters.reads.get()));
  result.Set("dropped", number(env, counters.dropped.get()));
  result.Set("rounds", number(env, counters.rounds.get()));
  result.Set("cycles", number(env, counters.cycles.get()));
  result.Set("emptySlots", number(env, counters.empty_slots.get()));
  result.Set("singleSlots", number(env, counters.single_slots.get()));
  result.Set("collidedSlots", number(env, counters.collided_slots.get()));
  result.Set("airTimeNs", number(env, counters.air_time_ns.get()));
  result.Set("tooWeak", number(env, counters.too_weak.get()));
  result.Set("heldBack", number(env, counters.held_back.get()));
  result.Set("accessFailed", number(env, counters.access_failed.get()));
  result.Set("periods", number(env, counters.periods.get()));
  result.Set("planChanges", number(env, counters.plan_changes.get()));
  result.Set("changeGapNs", number(env, counters.change_gap_ns.get()));
  result.Set("linkChecks", number(env, counters.link_checks.get()));
  result.Set("linkChanges", number(env, counters.link_changes.get()));
  result.Set("linkCheckNs", number(env, counters.link_check_ns.get()));
  result.Set("linkProfile", inventory_ ? inventory_->link_profile() : std::string());
  result.Set("beats", number(env, counters.beats.get()));
  result.Set("waiting", Napi::Boolean::New(env, counters.waiting.get() != 0));
  Napi::Object by_antenna = Napi::Object::New(env);
  for (std::uint32_t port = 1; port < counters.reads_by_antenna.size(); ++port) {
    const std::uint64_t reads = counters.reads_by_antenna[port].get();
    if (reads > 0) by_antenna.Set(port, number(env, reads));
  }
  result.Set("readsByAntenna", by_antenna);
  return result;
}

}  // namespace singulate::addon
