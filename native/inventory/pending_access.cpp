#include "inventory/pending_access.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace singulate::inventory {

namespace {

using End = AccessOutcome::End;

class SearchWatch final : public radio::RoundWatch {
 public:
  SearchWatch(const AccessJob& job, radio::RoundWatch& inner) : job_(job), inner_(inner) {}
  bool goes_on() override { return job_.stop.load() == AccessJob::Stop::kNo && inner_.goes_on(); }

 private:
  const AccessJob& job_;
  radio::RoundWatch& inner_;
};

class OperateWatch final : public radio::RoundWatch {
 public:
  OperateWatch(const AccessJob& job, const std::atomic<bool>& stop_requested)
      : job_(job), stop_requested_(stop_requested) {}
  bool goes_on() override {
    return job_.stop.load() != AccessJob::Stop::kAll && !stop_requested_.load();
  }

 private:
  const AccessJob& job_;
  const std::atomic<bool>& stop_requested_;
};

}  // namespace

bool PendingAccess::submit(std::shared_ptr<AccessJob> job) {
  const std::lock_guard lock(mutex_);
  if (closed_ || job_) return false;
  job_ = std::move(job);
  next_ns_.store(0);
  waits_.store(true);
  return true;
}

std::shared_ptr<AccessJob> PendingAccess::take() {
  waits_.store(false);
  return std::exchange(job_, nullptr);
}

void PendingAccess::withdraw(const AccessJob& job) {
  std::shared_ptr<AccessJob> taken;
  {
    const std::lock_guard lock(mutex_);
    if (job_.get() != &job || serving_) return;
    taken = take();
  }
  taken->answer({});
}

void PendingAccess::close() {
  std::shared_ptr<AccessJob> taken;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    taken = take();
  }
  if (taken) taken->answer({});
}

void PendingAccess::begin_plan(const InventoryPlan& plan) {
  antennas_.clear();
  for (const InventoryPlan::Antenna& antenna : plan.antennas) {
    antennas_.push_back(
        {.port = static_cast<std::uint8_t>(antenna.port),
         .beam = static_cast<std::uint16_t>(antenna.beam),
         .transmit_power_cdbm = static_cast<std::int32_t>(antenna.transmit_power_cdbm)});
  }
}

bool PendingAccess::serve(radio::RadioModule& module, radio::RoundWatch& search,
                          const std::atomic<bool>& stop_requested) {
  std::shared_ptr<AccessJob> job;
  {
    const std::lock_guard lock(mutex_);
    if (!job_) return false;
    job = job_;
    serving_ = true;
  }
  const std::uint64_t from = module.now_ns();
  auto outcome = look(module, *job, search, stop_requested);
  const std::uint64_t now = module.now_ns();
  {
    const std::lock_guard lock(mutex_);
    serving_ = false;
    if (!outcome && job->stop.load() != AccessJob::Stop::kNo) outcome = AccessOutcome{};
    if (outcome) {
      (void)take();
    } else {
      next_ns_.store(now + (now - from));
    }
  }
  if (outcome) job->answer(*std::move(outcome));
  return true;
}

std::optional<AccessOutcome> PendingAccess::look(radio::RadioModule& module, const AccessJob& job,
                                                 radio::RoundWatch& search,
                                                 const std::atomic<bool>& stop_requested) {
  const std::uint64_t now = module.now_ns();
  const auto left =
      std::chrono::duration_cast<std::chrono::nanoseconds>(job.until - AccessJob::Clock::now());
  const std::uint64_t left_ns = left.count() > 0 ? static_cast<std::uint64_t>(left.count()) : 0;
  // On a radio that runs faster than real time the time of the air counts as well.
  if (is_new()) air_until_ns_ = now + left_ns;
  const std::uint64_t until_ns = std::min(now + left_ns, air_until_ns_);
  if (now >= until_ns) return AccessOutcome{.end = End::kNotFound};

  AccessAntennas antennas;
  const auto add_port = [&](std::int64_t port) {
    std::copy_if(antennas_.begin(), antennas_.end(), std::back_inserter(antennas),
                 [&](const auto& one) { return one.port == port; });
  };
  std::for_each(job.request.ports.begin(), job.request.ports.end(), add_port);
  if (job.request.ports.empty()) antennas = antennas_;
  if (antennas.empty()) {
    return AccessOutcome{.end = End::kFailed,
                         .error = {radio::ErrorCode::kBadSettings,
                                   "the plan that runs now has none of these antennas"}};
  }
  SearchWatch search_watch(job, search);
  OperateWatch operate_watch(job, stop_requested);
  return look_once(module, job.request,
                   {.antennas = antennas,
                    .deadline_ns = until_ns,
                    .search = search_watch,
                    .operate = operate_watch});
}

}  // namespace singulate::inventory
