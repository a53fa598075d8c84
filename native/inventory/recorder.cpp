#include "inventory/recorder.h"

#include <algorithm>

namespace singulate::inventory {

bool Recorder::on_read(const radio::TagRead& read) {
  stream::ReadRecord record;
  record.time_ns = read.time_ns;
  record.sequence = ++sequence_;
  record.frequency_khz = read.frequency_khz;
  record.rssi_cdbm = read.rssi_cdbm;
  record.phase_cdeg = read.phase_cdeg;
  record.pc = read.pc;
  record.crc = read.crc;
  record.antenna = read.antenna;
  const std::size_t bytes = std::min(read.epc.size(), record.epc.size());
  record.epc_bytes = static_cast<std::uint8_t>(bytes);
  std::copy_n(read.epc.begin(), bytes, record.epc.begin());

  // Counted before the consumer can see it: nobody finds more records than reads.
  counters_.reads.add(1);
  counters_.reads_by_antenna[read.antenna].add(1);
  switch (queue_.push(record)) {
    case stream::Pushed::kStored:
      return true;
    case stream::Pushed::kStoredAndWake:
      wake_();
      return true;
    case stream::Pushed::kDropped:
      counters_.dropped.add(1);
      return true;
    case stream::Pushed::kClosed:
      return false;
  }
  return false;
}

}  // namespace singulate::inventory
