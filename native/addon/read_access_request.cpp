#include "addon/read_access_request.h"

#include <algorithm>
#include <vector>

#include "addon/input.h"
#include "addon/read_access.h"

namespace singulate::addon {

namespace {

using inventory::AccessOutcome;

inventory::TagMatch read_match(const Input& input) {
  inventory::TagMatch match;
  const Input::Bytes epc = input["epc"].bytes();
  match.epc.assign(epc.data, epc.data + epc.size);
  match.bank = static_cast<gen2::Bank>(input["bank"].integer(0, 3));
  match.pointer = static_cast<std::uint32_t>(input["pointer"].integer(0, kMaxU32));
  match.mask = read_mask(input["mask"], input["length"]);
  return match;
}

const char* word_of(AccessOutcome::End end) {
  switch (end) {
    case AccessOutcome::End::kDone:
      return "done";
    case AccessOutcome::End::kNotFound:
      return "notFound";
    default:
      return "ended";
  }
}

Napi::Object show_result(Napi::Env env, const radio::AccessResult& result) {
  Napi::Object shown = Napi::Object::New(env);
  shown.Set("status", Napi::Number::New(env, static_cast<unsigned>(result.status)));
  const bool refused = result.status == radio::AccessStatus::kTagError;
  shown.Set("error", Napi::Number::New(env, refused ? static_cast<unsigned>(result.error) : 0));
  shown.Set("wordsWritten", Napi::Number::New(env, result.words_written));
  Napi::Uint8Array data = Napi::Uint8Array::New(env, 2 * result.words.size());
  for (std::size_t i = 0; i < result.words.size(); ++i) {
    data[2 * i] = static_cast<std::uint8_t>(result.words[i] >> 8U);
    data[2 * i + 1] = static_cast<std::uint8_t>(result.words[i] & 0xFFU);
  }
  shown.Set("data", data);
  return shown;
}

}  // namespace

inventory::AccessRequest read_access_request(Napi::Env env, const Napi::Value& value,
                                             const radio::Capabilities& radio,
                                             const inventory::InventoryPlan* running) {
  std::vector<Fault> faults;
  const Input input(value, "", faults);
  if (!value.IsObject()) {
    faults.push_back({"", input.shown() + " given; allowed: a request"});
    throw violations_error(env, kInvalidArgument, faults);
  }
  inventory::AccessRequest request;
  request.match = read_match(input["tag"]);
  for (const Input& item : input["antennas"].items()) request.ports.push_back(item.integer());
  const Input power = input.child("transmitPowerCdbm", "transmit_power_cdbm");
  if (power.present()) request.transmit_power_cdbm = power.integer();
  for (const Input& item : input["operations"].items()) {
    request.operations.push_back(read_access(item));
  }
  request.timeout_ms = input.child("timeoutMs", "timeout_ms").integer();

  // Its own fault says more of a field of a wrong type than what validate() finds.
  for (const inventory::Violation& violation : validate(request, radio, running)) {
    const bool known = std::any_of(faults.begin(), faults.end(), [&](const Fault& fault) {
      return fault.field == violation.field;
    });
    if (!known) faults.push_back({violation.field, violation.message});
  }
  if (!faults.empty()) throw violations_error(env, kInvalidArgument, faults);
  return request;
}

Napi::Object show_outcome(Napi::Env env, const AccessOutcome& outcome) {
  Napi::Object shown = Napi::Object::New(env);
  shown.Set("outcome", word_of(outcome.end));
  Napi::Uint8Array epc = Napi::Uint8Array::New(env, outcome.epc.size());
  std::copy(outcome.epc.begin(), outcome.epc.end(), epc.Data());
  shown.Set("epc", epc);
  shown.Set("antenna", Napi::Number::New(env, outcome.antenna));
  shown.Set("rssiCdbm", Napi::Number::New(env, outcome.rssi_cdbm));
  Napi::Array results = Napi::Array::New(env, outcome.results.size());
  for (std::uint32_t i = 0; i < outcome.results.size(); ++i) {
    results.Set(i, show_result(env, outcome.results[i]));
  }
  shown.Set("results", results);
  return shown;
}

}  // namespace singulate::addon
