// A module that speaks the protocol of protocol.h, on a serial line.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "line.h"
#include "radio/radio_module.h"

namespace mymodule {

namespace radio = singulate::radio;

class MyModuleRadio final : public radio::RadioModule {
 public:
  explicit MyModuleRadio(std::string path);
  ~MyModuleRadio() override { close(); }
  MyModuleRadio(const MyModuleRadio&) = delete;
  MyModuleRadio& operator=(const MyModuleRadio&) = delete;
  MyModuleRadio(MyModuleRadio&&) = delete;
  MyModuleRadio& operator=(MyModuleRadio&&) = delete;

  radio::Status open() override;
  void close() override;
  [[nodiscard]] const radio::Capabilities& capabilities() const override { return capabilities_; }
  radio::Status configure(const radio::RadioSettings& settings) override;
  radio::Status change(const radio::RadioSettings& settings) override;
  radio::Result<radio::RoundResult> run_round(const radio::RoundRequest& request,
                                              radio::TagSink& sink) override;
  [[nodiscard]] std::uint64_t now_ns() const override;
  bool idle_until(std::uint64_t time_ns) override;
  void interrupt() override;
  [[nodiscard]] std::optional<radio::LinkState> link() const override;

 private:
  // A round, part by part.
  struct Part;

  // Opens the line and asks the module who it is; the line is closed again if that fails.
  radio::Status connect(const Line::Over& over);
  radio::Status look_at_module(const Line::Over& over);
  // Tells the module its settings.
  radio::Status apply(const Line::Over& over);
  // One look for a module that was lost, not before its time. False: it is not there yet.
  bool find_again(const radio::RoundRequest& request);
  void lose(const std::string& fault);
  // Why a round is to end now; nothing: it goes on.
  [[nodiscard]] std::optional<radio::RoundEnd> end_of(const radio::RoundRequest& request) const;
  // The module reads for a while, or until no tag answers. Nothing: the round goes on after it.
  radio::Result<std::optional<radio::RoundEnd>> run_part(const radio::RoundRequest& request,
                                                         Part& part);
  void take(const Frame& frame, Part& part);
  // Ends what runs, and switches the carrier off. A module that does not answer is lost.
  void stop(const Line::OnFrame& on_frame);

  const std::string path_;
  Line line_;
  radio::Capabilities capabilities_;
  radio::RadioSettings settings_;
  bool opened_ = false;
  bool configured_ = false;
  bool carrier_on_ = false;
  std::uint64_t last_read_ns_ = 0;
  std::chrono::steady_clock::time_point next_look_{};
  std::chrono::milliseconds pause_{};
  std::atomic<bool> interrupted_ = false;

  // What link() tells.
  mutable std::mutex link_mutex_;
  bool connected_ = false;
  bool was_connected_ = false;
  std::uint64_t reconnects_ = 0;
  std::string fault_;
};

}  // namespace mymodule
