#include "addon/fill_batch.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "addon/errors.h"
#include "stream/read_record.h"

namespace singulate::addon {

namespace {

constexpr std::size_t kPrepared = 1024;

std::vector<stream::ReadRecord> prepare() {
  std::vector<stream::ReadRecord> records(kPrepared);
  for (std::size_t i = 0; i < kPrepared; ++i) {
    stream::ReadRecord& record = records[i];
    record.time_ns = 1'700'000'000'000'000'000 + i * 1'000'000;
    record.sequence = i + 1;
    record.frequency_khz = 915'250;
    record.rssi_cdbm = -5500;
    record.pc = 0x3000;
    record.antenna = static_cast<std::uint8_t>(1 + i % 4);
    record.epc_bytes = 12;
    record.epc[0] = 0x30;
    record.epc[10] = static_cast<std::uint8_t>(i >> 8U);
    record.epc[11] = static_cast<std::uint8_t>(i & 0xFFU);
  }
  return records;
}

}  // namespace

Napi::Function make_fill_batch(Napi::Env env) {
  // Of this environment: nothing in an addon may be shared by worker threads.
  const auto prepared = std::make_shared<const std::vector<stream::ReadRecord>>(prepare());
  return Napi::Function::New(
      env,
      [prepared](const Napi::CallbackInfo& info) -> Napi::Value {
        if (!info[0].IsTypedArray() ||
            info[0].As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
          throw coded_error(info.Env(), kInvalidArgument, "the argument must be a Uint8Array");
        }
        auto into = info[0].As<Napi::Uint8Array>();
        const std::size_t records = into.ByteLength() / sizeof(stream::ReadRecord);
        for (std::size_t done = 0; done < records; done += kPrepared) {
          std::memcpy(into.Data() + done * sizeof(stream::ReadRecord), prepared->data(),
                      std::min(kPrepared, records - done) * sizeof(stream::ReadRecord));
        }
        return Napi::Number::New(info.Env(), static_cast<double>(records));
      },
      "fillBatch");
}

}  // namespace singulate::addon
