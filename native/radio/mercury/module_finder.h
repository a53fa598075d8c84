// Looks for a module on a serial line, starts its application, and raises the rate of the line.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "radio/mercury/connection.h"
#include "radio/mercury/family.h"
#include "radio/mercury/mercury_options.h"
#include "radio/result.h"

namespace singulate::radio::mercury {

class ModuleFinder {
 public:
  // All are borrowed. A search ends when `interrupted` says so.
  ModuleFinder(Connection& connection, const MercuryOptions& options,
               const std::atomic<bool>& interrupted)
      : connection_(connection),
        options_(options),
        interrupted_(interrupted),
        work_baud_(options.work_baud) {}

  // Where a module may be that was never seen, or long ago.
  [[nodiscard]] std::vector<std::uint32_t> likely_rates() const;
  // Where one may be that was lost a moment ago, by how often it was looked for since then.
  [[nodiscard]] std::vector<std::uint32_t> rates_after_loss(int tries);
  [[nodiscard]] static std::span<const std::uint32_t> all_rates();

  // Opens the line at the rate at which a module answers, and stops what it may still stream; its
  // reports go to `on_report`. kModule if none answers, or the line cannot be opened.
  Status find(std::span<const std::uint32_t> rates, const Connection::OnReport& on_report);
  // The application runs and tells what it is. kModule, or the status of the module as an error.
  Status boot();
  // To the rate to work at, unless the module or the line cannot have it.
  Status raise_rate(const Connection::OnReport& on_report);
  // Leaves the module as the next host looks for it first.
  void lower_rate();

  // Of boot().
  [[nodiscard]] const Family& family() const { return family_; }
  [[nodiscard]] const std::string& firmware() const { return firmware_; }
  // Of the line, now.
  [[nodiscard]] std::uint32_t baud() const { return baud_; }
  // It has the rate that it starts with.
  [[nodiscard]] bool at_usual_rate() const;

 private:
  Connection& connection_;
  const MercuryOptions& options_;
  const std::atomic<bool>& interrupted_;
  std::uint32_t work_baud_;  // 0 = the line is too slow for any other
  std::uint32_t baud_ = 0;
  unsigned failed_raises_ = 0;
  unsigned looks_ = 0;   // for a module that was lost
  bool booted_ = false;  // at least once: the family is known
  Family family_;
  std::string firmware_;
};

}  // namespace singulate::radio::mercury
