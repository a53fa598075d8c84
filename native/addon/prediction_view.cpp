#include "addon/prediction_view.h"

namespace singulate::addon {

Napi::Value show_prediction(Napi::Env env, const inventory::Prediction& prediction) {
  Napi::Array antennas = Napi::Array::New(env, prediction.antennas.size());
  for (std::size_t i = 0; i < prediction.antennas.size(); ++i) {
    const inventory::AntennaPrediction& from = prediction.antennas[i];
    Napi::Object to = Napi::Object::New(env);
    to.Set("tags", Napi::Number::New(env, from.tags));
    to.Set("roundUs", Napi::Number::New(env, from.round_us));
    to.Set("selectsUs", Napi::Number::New(env, from.selects_us));
    to.Set("accessUsPerTag", Napi::Number::New(env, from.access_us_per_tag));
    to.Set("readUs", Napi::Number::New(env, from.read_us));
    to.Set("visitUs", Napi::Number::New(env, from.visit_us));
    to.Set("reads", Napi::Number::New(env, from.reads));
    antennas.Set(static_cast<std::uint32_t>(i), to);
  }
  Napi::Object result = Napi::Object::New(env);
  result.Set("linkProfile", prediction.link_profile);
  result.Set("antennas", antennas);
  result.Set("ceilingPerSecond", Napi::Number::New(env, prediction.ceiling_per_second));
  return result;
}

}  // namespace singulate::addon
