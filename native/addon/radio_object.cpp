#include "addon/radio_object.h"

#include <chrono>
#include <string>
#include <system_error>
#include <utility>

#include "addon/air_view.h"
#include "addon/errors.h"
#include "addon/input.h"
#include "addon/prediction_view.h"
#include "addon/radio_view.h"
#include "addon/read_access_request.h"
#include "addon/read_options.h"
#include "addon/read_plan.h"
#include "inventory/prediction.h"

namespace singulate::addon {

namespace {

using inventory::AccessJob;
using inventory::AccessOutcome;
using Order = inventory::RadioHost::Order;

constexpr std::int64_t kMostTags = 1'000'000;
constexpr std::int64_t kMostPackets = 1'000'000;

Napi::Error module_error(Napi::Env env, const radio::Error& error) {
  const bool cannot = error.code == radio::ErrorCode::kNotSupported;
  return coded_error(env, cannot ? kNotSupported : kRadio, error.message);
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
  }
  const auto when_full =
      opened.module->capabilities().paced ? stream::WhenFull::kDrop : stream::WhenFull::kWait;
  queue_ = std::make_unique<stream::ReadQueue>(opened.queue_records, when_full);
  try {
    host_ = std::make_unique<inventory::RadioHost>(std::move(opened.module), !opened.open_later);
  } catch (const std::system_error& error) {
    throw coded_error(env, kRadio, std::string("no thread for the radio: ") + error.what());
  }
}

void RadioObject::must_not_read(Napi::Env env) const {
  if (host_->reads()) throw coded_error(env, kAlreadyStarted, "an inventory runs; stop it first");
}

void RadioObject::must_be_free(Napi::Env env) const {
  if (host_->state() == State::kAccessing) {
    throw coded_error(env, kAlreadyStarted, "a tag is accessed; wait for the end of it");
  }
}

void RadioObject::must_be_open(Napi::Env env) const {
  const State state = host_->state();
  if (state == State::kAway || state == State::kOpening || state == State::kClosed) {
    throw coded_error(env, kRadio, "the radio module is not connected");
  }
}

inventory::RadioHost::Done RadioObject::answer(const Deferred& deferred,
                                               std::function<Napi::Value(Napi::Env)> value) {
  calls_.begin(deferred.Env());
  return [this, deferred, value = std::move(value)](const radio::Status& status) {
    calls_.end([deferred, value, status](Napi::Env env) {
      if (!status.ok()) {
        deferred.Reject(module_error(env, status.error()).Value());
      } else {
        deferred.Resolve(value ? value(env) : env.Undefined());
      }
    });
  };
}

Napi::Value RadioObject::open(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  must_not_read(env);
  must_be_free(env);
  const State state = host_->state();
  if (state == State::kClosed) throw coded_error(env, kRadio, "the radio is closed");
  if (state == State::kOpening) throw coded_error(env, kAlreadyStarted, "it is looked for already");
  const auto deferred = Deferred::New(env);
  host_->open(answer(deferred));
  return deferred.Promise();
}

Napi::Value RadioObject::close(const Napi::CallbackInfo& info) {
  const auto deferred = Deferred::New(info.Env());
  host_->close([done = answer(deferred)] { done({}); });
  return deferred.Promise();
}

Napi::Value RadioObject::health(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  must_not_read(env);
  must_be_open(env);
  const auto deferred = Deferred::New(env);
  auto health = std::make_shared<Health>();
  host_->use(
      Order::kMakesWay,
      [health](radio::RadioModule& module) -> radio::Status {
        auto asked = ask_health(module);
        if (!asked.ok()) return asked.error();
        *health = asked.value();
        return {};
      },
      answer(deferred, [health](Napi::Env now) { return show_health(now, *health); }));
  return deferred.Promise();
}

Napi::Value RadioObject::link(const Napi::CallbackInfo& info) {
  return show_link(info.Env(), host_->module().link());
}

Napi::Value RadioObject::region(const Napi::CallbackInfo& info) {
  return show_region(info.Env(), *host_->facts());
}

Napi::Value RadioObject::set_region(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  constexpr std::int64_t kLast = 255;
  constexpr std::int64_t kMostKhz = 10'000'000;
  std::vector<Fault> faults;
  const auto wanted = static_cast<std::uint8_t>(Input(info[0], "number", faults).integer(1, kLast));
  std::vector<std::uint32_t> channels;
  for (const Input& item : Input(info[1], "channelsKhz", faults).items()) {
    channels.push_back(static_cast<std::uint32_t>(item.integer(1, kMostKhz)));
  }
  if (!faults.empty()) throw violations_error(env, kInvalidArgument, faults);
  must_not_read(env);
  must_be_free(env);
  must_be_open(env);
  const auto deferred = Deferred::New(env);
  host_->use(
      Order::kKept,
      [wanted, channels = std::move(channels)](radio::RadioModule& module) {
        return module.set_region(wanted, channels);
      },
      answer(deferred));
  return deferred.Promise();
}

Napi::Value RadioObject::capabilities(const Napi::CallbackInfo& info) {
  return show_capabilities(info.Env(), facts());
}

Napi::Value RadioObject::start(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  must_not_read(env);
  if (!info[1].IsFunction()) {
    throw coded_error(env, kInvalidArgument, "the second argument must be a function");
  }
  must_be_free(env);
  must_be_open(env);
  inventory::InventoryPlan plan = read_plan(env, info[0], facts());
  plan_antennas_ = plan.antennas;
  queue_->reset();
  on_readable_ = Napi::Persistent(info[1].As<Napi::Function>());
  const auto deferred = Deferred::New(env);
  auto begun = answer(deferred);
  calls_.begin(env);
  inventory_ = std::make_shared<inventory::Inventory>(host_->module(), *queue_, inputs_,
                                                      std::move(plan), [this] {
                                                        calls_.tell([this](Napi::Env /*env*/) {
                                                          if (!on_readable_.IsEmpty())
                                                            on_readable_.Call({});
                                                        });
                                                      });
  host_->start(inventory_, std::move(begun), [this, which = inventory_] {
    calls_.end([this, which](Napi::Env /*env*/) {
      // Unless the next one has begun.
      if (inventory_ == which) on_readable_.Reset();
    });
  });
  return deferred.Promise();
}

Napi::Value RadioObject::change(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!host_->reads()) throw coded_error(env, kNotRunning, "no inventory runs");
  inventory::InventoryPlan plan = read_plan(env, info[0], facts());
  plan_antennas_ = plan.antennas;
  return Napi::Number::New(env, inventory_->change(std::move(plan)));
}

Napi::Value RadioObject::stop(const Napi::CallbackInfo& info) {
  const auto deferred = Deferred::New(info.Env());
  host_->stop([done = answer(deferred)] { done({}); });
  return deferred.Promise();
}

Napi::Value RadioObject::access_tag(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  if (access_) throw coded_error(env, kAlreadyStarted, "a tag is accessed already");
  must_be_open(env);
  const radio::Capabilities radio = facts();
  if (!radio.has_access() || radio.sequences_antennas) {
    throw coded_error(env, kNotSupported, "the tags of this radio cannot be accessed");
  }
  const bool reads = host_->reads();
  inventory::InventoryPlan plan;
  plan.antennas = plan_antennas_;
  access_ = std::make_shared<AccessJob>();
  try {
    access_->request = read_access_request(env, info[0], radio, reads ? &plan : nullptr);
  } catch (...) {
    access_.reset();
    throw;
  }
  access_->until = AccessJob::Clock::now() + std::chrono::milliseconds(access_->request.timeout_ms);
  const auto deferred = Deferred::New(env);
  calls_.begin(env);
  access_->answer = [this, deferred](AccessOutcome outcome) {
    calls_.end([this, deferred, outcome = std::move(outcome)](Napi::Env now) {
      access_.reset();
      if (outcome.end == AccessOutcome::End::kFailed) {
        deferred.Reject(module_error(now, outcome.error).Value());
      } else {
        deferred.Resolve(show_outcome(now, outcome));
      }
    });
  };
  // An inventory that has just ended takes nothing any more.
  if (!reads || !inventory_->pending_access().submit(access_)) host_->access(access_);
  return deferred.Promise();
}

void RadioObject::end_access(Stop how) {
  if (!access_) return;
  // Kept: it may be answered here.
  const auto job = access_;
  job->end(how);
  if (inventory_) inventory_->pending_access().withdraw(*job);
}

Napi::Value RadioObject::predict(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const radio::Capabilities radio = facts();
  const inventory::InventoryPlan plan = read_plan(env, info[0], radio);
  std::vector<Fault> faults;
  const std::int64_t tags = Input(info[1], "tags", faults).integer(0, kMostTags);
  const std::int64_t words = Input(info[2], "epcWords", faults).integer(1, gen2::kMaxEpcWords);
  if (!faults.empty()) throw violations_error(env, kInvalidArgument, faults);
  const auto prediction =
      inventory::predict(plan, radio.link_profiles.front(), static_cast<std::uint32_t>(tags),
                         static_cast<unsigned>(words));
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
  return Napi::Boolean::New(info.Env(), inventory::is_high(inputs_, host_->module(), port));
}

void RadioObject::set_output(const Napi::CallbackInfo& info) {
  std::vector<Fault> faults;
  const Input port(info[0], "port", faults);
  const std::int64_t number = port.integer(1, inventory::kMaxInputs);
  const bool high = Input(info[1], "high", faults).boolean();
  if (faults.empty() && !host_->module().set_output(static_cast<std::uint8_t>(number), high)) {
    port.fault(port.shown() + " given; the module has no such output");
  }
  if (!faults.empty()) throw violations_error(info.Env(), kInvalidArgument, faults);
}

Napi::Value RadioObject::tend_lines(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  must_not_read(env);
  must_be_open(env);
  const auto deferred = Deferred::New(env);
  host_->use(
      Order::kMakesWay, [](radio::RadioModule& module) { return module.tend_lines(); },
      [done = answer(deferred)](const radio::Status& status) {
        // The loop tends them while it runs, and so does an access.
        const bool made_way = status.error().code == radio::ErrorCode::kNotOpen;
        done(made_way ? radio::Status() : status);
      });
  return deferred.Promise();
}

radio::VirtualRadio& RadioObject::simulated(Napi::Env env) const {
  auto* radio = dynamic_cast<radio::VirtualRadio*>(&host_->module());
  if (radio == nullptr) {
    throw coded_error(env, kNotSupported, "only a simulated radio can be looked into");
  }
  return *radio;
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
  // The host has nothing to do then.
  const radio::VirtualRadio& radio = simulated(info.Env());
  must_not_read(info.Env());
  must_be_free(info.Env());
  return show_tags(info.Env(), radio.population(), radio.now_ns());
}

Napi::Value RadioObject::collect(const Napi::CallbackInfo& info) {
  constexpr std::int64_t kMostMs = 1000;
  constexpr std::uint64_t kNsPerMs = 1'000'000;
  std::vector<Fault> faults;
  const std::int64_t ms = Input(info[0], "latencyMs", faults).integer(1, kMostMs);
  if (!faults.empty()) throw violations_error(info.Env(), kInvalidArgument, faults);
  return Napi::Boolean::New(info.Env(),
                            host_->module().collect(static_cast<std::uint64_t>(ms) * kNsPerMs));
}

Napi::Value RadioObject::arm(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), queue_->arm());
}

Napi::Value RadioObject::phase(const Napi::CallbackInfo& info) {
  return show_phase(info.Env(), inventory_.get(), host_->reads());
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
  return show_status(info.Env(), inventory_.get(), host_->reads());
}

}  // namespace singulate::addon
