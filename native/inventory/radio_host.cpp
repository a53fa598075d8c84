#include "inventory/radio_host.h"

#include <chrono>
#include <string_view>
#include <utility>

namespace singulate::inventory {

namespace {

constexpr std::chrono::milliseconds kInterruptAgain{20};
constexpr unsigned kLastRegion = 255;

// Ends a search, or operations, once an access is told to end so far.
class Until final : public radio::RoundWatch {
 public:
  Until(const AccessJob& job, AccessJob::Stop least) : job_(job), least_(least) {}
  bool goes_on() override { return job_.stop.load() < least_; }

 private:
  const AccessJob& job_;
  const AccessJob::Stop least_;
};

bool is_reading(RadioHost::State state) {
  using enum RadioHost::State;
  return state == kStarting || state == kReading || state == kStopping;
}

radio::Error closed_error() { return {radio::ErrorCode::kNotOpen, "the radio is closed"}; }

}  // namespace

RadioHost::RadioHost(std::unique_ptr<radio::RadioModule> module, bool open)
    : module_(std::move(module)), state_(open ? State::kIdle : State::kAway) {
  look();
  thread_ = std::thread([this] { run(); });
}

RadioHost::~RadioHost() {
  shut_down();
  module_->close();
}

RadioHost::State RadioHost::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

bool RadioHost::reads() const { return is_reading(state()); }

std::shared_ptr<const RadioHost::Facts> RadioHost::facts() const {
  const std::lock_guard lock(mutex_);
  return facts_;
}

void RadioHost::open(Done done) {
  const std::lock_guard lock(mutex_);
  state_ = State::kOpening;
  post([this, done = std::move(done)] {
    const radio::Status status = closed() ? closed_error() : module_->open();
    if (status.ok()) look();
    settle(State::kOpening, status.ok() ? State::kIdle : State::kAway);
    done(status);
  });
}

void RadioHost::use(Order order, Work work, Done done) {
  const std::lock_guard lock(mutex_);
  post([this, order, work = std::move(work), done = std::move(done)] {
    const State now = state();
    if (now == State::kClosed) return done(closed_error());
    if (order == Order::kMakesWay && now != State::kIdle) {
      return done(radio::Error{radio::ErrorCode::kNotOpen, "the radio is busy"});
    }
    const radio::Status status = work(*module_);
    if (order == Order::kKept) look();
    done(status);
  });
}

void RadioHost::start(std::shared_ptr<Inventory> inventory, Done begun,
                      std::function<void()> over) {
  const std::lock_guard lock(mutex_);
  state_ = State::kStarting;
  inventory_ = inventory;
  post([this, inventory = std::move(inventory), begun = std::move(begun), over = std::move(over)] {
    if (closed()) {
      inventory->pending_access().close();
      begun(closed_error());
    } else {
      read(*inventory, begun);
    }
    over();
  });
}

void RadioHost::read(Inventory& inventory, const Done& begun) {
  const radio::Status status = inventory.begin();
  if (status.ok()) {
    settle(State::kStarting, State::kReading);
    begun(status);
    inventory.run();
  }
  // It may have been lost meanwhile, and another one be there.
  look();
  {
    const std::lock_guard lock(mutex_);
    if (inventory_.get() == &inventory) inventory_.reset();
    if (is_reading(state_)) state_ = State::kIdle;
  }
  if (status.ok()) {
    inventory.announce_end();
  } else {
    begun(status);
  }
}

void RadioHost::access(std::shared_ptr<AccessJob> job) {
  const std::lock_guard lock(mutex_);
  state_ = State::kAccessing;
  access_ = job;
  post([this, job = std::move(job)] {
    AccessOutcome outcome = access_now(*job);
    look();
    {
      const std::lock_guard over(mutex_);
      access_.reset();
      if (state_ == State::kAccessing) state_ = State::kIdle;
    }
    job->answer(std::move(outcome));
  });
}

AccessOutcome RadioHost::access_now(const AccessJob& job) {
  Until search(job, AccessJob::Stop::kSearch);
  Until operate(job, AccessJob::Stop::kAll);
  const auto left = job.until - AccessJob::Clock::now();
  if (closed() || !search.goes_on()) return {};
  if (left.count() <= 0) return {.end = AccessOutcome::End::kNotFound};
  return run_access(*module_, job.request, left, search, operate);
}

void RadioHost::stop(std::function<void()> done) {
  const std::lock_guard lock(mutex_);
  if (!inventory_ && !access_) return done();
  end_all();
  if (state_ == State::kStarting || state_ == State::kReading) state_ = State::kStopping;
  // Its turn is after what it ends.
  post(std::move(done));
}

void RadioHost::end_all() {
  if (inventory_) inventory_->request_stop();
  if (!access_) return;
  access_->end(AccessJob::Stop::kAll);
  module_->interrupt();
}

void RadioHost::close(std::function<void()> done) {
  const std::lock_guard lock(mutex_);
  state_ = State::kClosed;
  end_all();
  // A look for the module ends too.
  module_->interrupt();
  post([this, done = std::move(done)] {
    module_->close();
    done();
  });
}

void RadioHost::shut_down() {
  if (!thread_.joinable()) return;
  {
    std::unique_lock lock(mutex_);
    state_ = State::kClosed;
    ending_ = true;
    asked_.notify_all();
    // Again and again: open() and configure() forget an interrupt that came a moment before them.
    while (!ended_) {
      end_all();
      module_->interrupt();
      asked_.wait_for(lock, kInterruptAgain);
    }
  }
  thread_.join();
}

void RadioHost::post(Job job) {
  jobs_.push_back(std::move(job));
  asked_.notify_all();
}

void RadioHost::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    asked_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
    if (jobs_.empty()) break;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    // What it holds goes without the lock.
    job = nullptr;
    lock.lock();
  }
  ended_ = true;
  asked_.notify_all();
}

void RadioHost::settle(State from, State to) {
  const std::lock_guard lock(mutex_);
  if (state_ == from) state_ = to;
}

void RadioHost::look() {
  auto facts = std::make_shared<Facts>();
  facts->capabilities = module_->capabilities();
  facts->region = module_->region();
  for (unsigned number = 1; facts->region && number <= kLastRegion; ++number) {
    const auto one = static_cast<std::uint8_t>(number);
    const std::string_view name = module_->region_name(one);
    if (!name.empty()) facts->region_names.emplace(one, name);
  }
  const std::lock_guard lock(mutex_);
  facts_ = std::move(facts);
}

}  // namespace singulate::inventory
