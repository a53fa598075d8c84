// What other readers and machines do to the receiver: replies must be stronger to be understood.
#pragma once

#include <vector>

#include "radio/virtual/virtual_options.h"

namespace singulate::radio {

class ReceiverNoise {
 public:
  explicit ReceiverNoise(const std::vector<VirtualInterference>& sources);

  // Whether there is ever any beside the receiver's own.
  [[nodiscard]] bool any() const { return !sources_.empty(); }
  // dB by which the noise is above the receiver's own at that time of the field: a reply must be
  // stronger by so much than the sensitivity of the link profile says.
  [[nodiscard]] double rise_db(double seconds) const;

  // Of a reply that is stronger by so much than it must be; below 0 it is weaker.
  // The chance that it is not understood, 0..1: one half at 0 dB, 2 % at 2 dB.
  static double loss(double margin_db);
  // Below this the receiver does not even notice it.
  static constexpr double kNoticedDb = -1.5;

 private:
  struct Source {
    double power = 0;  // over that of the receiver's own noise
    double from_seconds = 0;
    double until_seconds = 0;
  };
  std::vector<Source> sources_;
};

}  // namespace singulate::radio
