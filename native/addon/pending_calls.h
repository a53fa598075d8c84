// What a JavaScript object waits for from another thread: the way back to the JS thread.
//
// While anything is under way its owner holds a reference to itself (nobody else may hold one), a
// cleanup hook (the environment may end first) and a thread-safe function (the event loop stays
// alive). All three go with the end of the last thing.
#pragma once

#include <napi.h>

#include <cstddef>
#include <functional>
#include <optional>

namespace singulate::addon {

class PendingCalls {
 public:
  class Owner {
   public:
    Owner() = default;
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    Owner(Owner&&) = delete;
    Owner& operator=(Owner&&) = delete;
    virtual ~Owner() = default;

    // The object must stay, or need not any more. In the latter case it may go at once.
    virtual void hold() = 0;
    virtual void let_go() = 0;
    // The environment ends. Returns when no other thread calls tell() or end() any more.
    virtual void end_with_environment() = 0;
  };
  // On the JS thread.
  using Work = std::function<void(Napi::Env)>;

  explicit PendingCalls(Owner& owner) : owner_(owner) {}
  PendingCalls(const PendingCalls&) = delete;
  PendingCalls& operator=(const PendingCalls&) = delete;
  PendingCalls(PendingCalls&&) = delete;
  PendingCalls& operator=(PendingCalls&&) = delete;
  // When nothing is under way, or the environment has ended.
  ~PendingCalls() = default;

  // One more thing is under way. On the JS thread.
  void begin(Napi::Env env);
  // From any thread, while something is under way. Done in this order; not at all once the
  // environment ends.
  void tell(Work work);
  // The same, and it was the last of one thing.
  void end(Work work);

 private:
  struct Message {
    Work work;
    bool last = false;
  };
  static void call(Napi::Env env, Napi::Function, PendingCalls* calls, Message* message);
  using Signal = Napi::TypedThreadSafeFunction<PendingCalls, Message, call>;
  using CleanupHook = Napi::Env::CleanupHook<void (*)(PendingCalls*), PendingCalls>;

  static void on_environment_end(PendingCalls* calls) { calls->cut_off(); }

  void send(Work work, bool last);
  void ended(Napi::Env env);
  void cut_off();

  Owner& owner_;
  std::size_t under_way_ = 0;
  Signal signal_;
  std::optional<CleanupHook> hook_;
};

}  // namespace singulate::addon
