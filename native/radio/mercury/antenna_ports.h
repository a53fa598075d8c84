// Ports that the module will not read on because it finds no antenna there.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace singulate::radio::mercury {

// As the module tells it.
struct PortState {
  std::uint8_t number = 0;
  bool connected = false;
};

// Times are those of the air clock.
class AntennaPorts {
 public:
  [[nodiscard]] bool any_missing() const { return !missing_.empty(); }
  [[nodiscard]] bool is_missing(std::uint8_t port) const;

  // The module complains of an antenna: it is to be asked which ports have one. Not again and again
  // if it says that all of them do.
  [[nodiscard]] bool may_ask(std::uint64_t now_ns) const { return now_ns >= ask_ns_; }
  // It complained, and this is what it says of its ports. Of those that are used, the ones without
  // an antenna are missing. True: some of them were not before.
  bool complained(std::span<const PortState> ports, std::span<const std::uint8_t> used,
                  std::uint64_t now_ns);

  // Others are of no interest.
  void keep(std::span<const std::uint8_t> used);

  // It is time to look at missing ones: 10 s after the complaint, then ever later up to a minute.
  [[nodiscard]] bool look_is_due(std::uint64_t now_ns) const {
    return any_missing() && now_ns >= look_ns_;
  }
  // A tag was read on one of them.
  void look_soon() { look_ns_ = 0; }
  // What the module says of its ports without having complained.
  void update(std::span<const PortState> ports, std::uint64_t now_ns);

  // "no antenna on port 3", or "" with none missing.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::uint8_t> missing_;  // ascending
  std::uint64_t ask_ns_ = 0;
  std::uint64_t look_ns_ = 0;
  std::uint64_t pause_ns_ = 0;
};

}  // namespace singulate::radio::mercury
