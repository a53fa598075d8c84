// What the addon exports: the classes Radio, GpioChip and MercuryEmulator, fillBatch() and
// releaseProgramPages().
// Types: src/radio-control/addon/.
#include <napi.h>

#include "addon/fill_batch.h"
#include "addon/gpio_chip_object.h"
#include "addon/mercury_emulator_object.h"
#include "addon/program_pages.h"
#include "addon/radio_object.h"

namespace {

Napi::Object init(Napi::Env env, Napi::Object exports) {
  exports.Set("Radio", singulate::addon::RadioObject::define(env));
  exports.Set("GpioChip", singulate::addon::GpioChipObject::define(env));
  exports.Set("MercuryEmulator", singulate::addon::MercuryEmulatorObject::define(env));
  exports.Set("fillBatch", singulate::addon::make_fill_batch(env));
  exports.Set("releaseProgramPages", singulate::addon::make_release_program_pages(env));
  return exports;
}

}  // namespace

NODE_API_MODULE(singulate, init)
