// An inventory on a thread of its own, without a host.
#pragma once

#include <thread>

#include "inventory/inventory.h"

namespace singulate::test {

class InventoryThread : public inventory::Inventory {
 public:
  using Inventory::Inventory;
  InventoryThread(const InventoryThread&) = delete;
  InventoryThread& operator=(const InventoryThread&) = delete;
  InventoryThread(InventoryThread&&) = delete;
  InventoryThread& operator=(InventoryThread&&) = delete;
  ~InventoryThread() { stop(); }

  radio::Status start() {
    auto status = begin();
    if (status.ok()) {
      thread_ = std::thread([this] {
        run();
        announce_end();
      });
    }
    return status;
  }
  void stop() {
    if (!thread_.joinable()) return;
    request_stop();
    thread_.join();
  }

 private:
  std::thread thread_;
};

}  // namespace singulate::test
