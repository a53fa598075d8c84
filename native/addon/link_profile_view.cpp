#include "addon/link_profile_view.h"

#include "gen2/link_profile.h"

namespace singulate::addon {

namespace {

// Of a profile that only its module knows.
constexpr gen2::LinkProfile kUnknown{
    .name = "", .blf_khz = 0, .tari_us = 0, .pie = 0, .sensitivity_dbm = 0};

const char* text_of(gen2::Modulation modulation) {
  switch (modulation) {
    case gen2::Modulation::kDsbAsk:
      return "DSB-ASK";
    case gen2::Modulation::kSsbAsk:
      return "SSB-ASK";
    case gen2::Modulation::kPrAsk:
      return "PR-ASK";
  }
  return "";
}

}  // namespace

Napi::Array show_link_profiles(Napi::Env env, const std::vector<std::string>& names) {
  Napi::Array result = Napi::Array::New(env, names.size());
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    const gen2::LinkProfile* const known = gen2::find_link_profile(names[i]);
    const gen2::LinkProfile& profile = known == nullptr ? kUnknown : *known;
    const unsigned miller = known == nullptr ? 0 : gen2::cycles_per_symbol(profile.coding);
    Napi::Object one = Napi::Object::New(env);
    one.Set("number", Napi::Number::New(env, i + 1));
    one.Set("name", names[i]);
    one.Set("miller", Napi::Number::New(env, miller));
    one.Set("blfKhz", Napi::Number::New(env, profile.blf_khz));
    one.Set("tariUs", Napi::Number::New(env, profile.tari_us));
    one.Set("pie", Napi::Number::New(env, profile.pie));
    one.Set("modulation", known == nullptr ? "" : text_of(profile.modulation));
    one.Set("sensitivityDbm", Napi::Number::New(env, profile.sensitivity_dbm));
    result.Set(i, one);
  }
  return result;
}

}  // namespace singulate::addon
