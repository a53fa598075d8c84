// Prints the tags that a Singulate reader sees, and writes an EPC, through gRPC alone.
// CMakeLists.txt says how to build it.
//
//   oem-client unix:/path/to/radio.sock
//   oem-client --write 3034257bf7194e4000001a85=e2001122 unix:/path/to/radio.sock
//   oem-client --ca ca.pem --cert client.pem --key client.key reader.local:50051
//
// Tags go to standard output, everything else to standard error. Ctrl-C ends it.
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "singulate/radio/v1/radio.grpc.pb.h"

namespace v1 = singulate::radio::v1;
using namespace std::chrono_literals;

namespace {

constexpr const char* kName = "oem-cpp";
// Deadline of a call: a reader that hangs must not hang its clients.
constexpr auto kCallTimeout = 5s;
// How long the reader keeps control for us if we vanish.
constexpr std::chrono::milliseconds kLease = 10s;
// Between tries, doubled each time.
constexpr std::chrono::milliseconds kFirstWait = 100ms;
constexpr std::chrono::milliseconds kLongestWait = 2s;

struct EpcChange {
  std::string from;
  std::string to;
};

struct Options {
  std::string target = "unix:.singulate/radio.sock";
  std::optional<EpcChange> write;
  std::string ca, cert, key;
};

void say(const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }

std::string hex(const std::string& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string code_name(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::CANCELLED: return "CANCELLED";
    case grpc::StatusCode::INVALID_ARGUMENT: return "INVALID_ARGUMENT";
    case grpc::StatusCode::DEADLINE_EXCEEDED: return "DEADLINE_EXCEEDED";
    case grpc::StatusCode::NOT_FOUND: return "NOT_FOUND";
    case grpc::StatusCode::PERMISSION_DENIED: return "PERMISSION_DENIED";
    case grpc::StatusCode::UNAUTHENTICATED: return "UNAUTHENTICATED";
    case grpc::StatusCode::RESOURCE_EXHAUSTED: return "RESOURCE_EXHAUSTED";
    case grpc::StatusCode::FAILED_PRECONDITION: return "FAILED_PRECONDITION";
    case grpc::StatusCode::UNIMPLEMENTED: return "UNIMPLEMENTED";
    case grpc::StatusCode::INTERNAL: return "INTERNAL";
    case grpc::StatusCode::UNAVAILABLE: return "UNAVAILABLE";
    default: return "status " + std::to_string(code);
  }
}

// One line for people. INVALID_ARGUMENT names each field, and what it may be.
std::string describe(const grpc::Status& status) {
  return code_name(status.error_code()) + ": " + status.error_message();
}

// The same call would be refused the same way again: a mistake of ours, or not allowed to us.
bool hopeless(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::UNAUTHENTICATED:
    case grpc::StatusCode::UNIMPLEMENTED: return true;
    default: return false;
  }
}

// False if it was asked to stop meanwhile.
bool sleep_for(const std::stop_token& stop, std::chrono::milliseconds time) {
  std::mutex mutex;
  std::condition_variable_any condition;
  std::unique_lock lock(mutex);
  condition.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

// Times between tries: doubling, capped, and never the same for all clients.
class Waits {
 public:
  void reset() { longest_ = kFirstWait; }
  // Nothing has failed yet, so it is worth a line. What follows is the same again.
  [[nodiscard]] bool fresh() const { return longest_ == kFirstWait; }
  bool wait(const std::stop_token& stop) {
    std::uniform_int_distribution<std::int64_t> between(longest_.count() / 2, longest_.count());
    longest_ = std::min(kLongestWait, longest_ * 2);
    return sleep_for(stop, std::chrono::milliseconds(between(random_)));
  }

 private:
  std::chrono::milliseconds longest_ = kFirstWait;
  std::minstd_rand random_{std::random_device{}()};
};

using Radio = v1::Radio::Stub;

// Calls one method with a deadline: call(radio, &Radio::GetStatus, request, &response).
template <typename Request, typename Response>
grpc::Status call(Radio& radio,
                  grpc::Status (Radio::*method)(grpc::ClientContext*, const Request&, Response*),
                  const Request& request, Response* response,
                  std::chrono::milliseconds timeout = kCallTimeout) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + timeout);
  return (radio.*method)(&context, request, response);
}

// Where in which log of reads the next stream begins.
struct Position {
  std::string log_id;
  std::uint64_t next_sequence = 0;
};

// Prints the reads of one stream until it breaks, and keeps its position. Calls `open` when the
// stream stands.
template <typename Open>
grpc::Status print_stream(const std::stop_token& stop, Radio& radio, Position& at, Open open) {
  v1::StreamReadsRequest request;
  request.set_client_name(kName);
  v1::StartPosition* start = request.mutable_start();
  if (at.log_id.empty()) {
    start->set_from(v1::StartPosition::NOW);
  } else {
    start->set_from(v1::StartPosition::AFTER);
    start->set_log_id(at.log_id);
    start->set_after_sequence(at.next_sequence - 1);
  }
  // A stream has no deadline: it is over when we say so. Keep-alive watches the line.
  grpc::ClientContext context;
  const std::stop_callback cancel(stop, [&context] { context.TryCancel(); });
  const auto reader = radio.StreamReads(&context, request);
  v1::ReadBatch batch;
  std::uint64_t dropped = 0;
  while (reader->Read(&batch)) {
    if (!batch.log_id().empty()) {  // the first message says where the stream is
      const std::string first = std::to_string(batch.first_sequence());
      if (batch.log_id() == at.log_id) {
        say("reads: continued at " + first);
      } else if (!at.log_id.empty()) {
        say("reads: the log is new, from " + first + " on");
      }
      at.log_id = batch.log_id();
      open();
    }
    if (batch.dropped() > dropped) {
      say("reads: " + std::to_string(batch.dropped() - dropped) + " lost");
      dropped = batch.dropped();
    }
    std::uint64_t sequence = batch.first_sequence();
    for (const v1::TagRead& read : batch.reads()) {
      std::printf("%llu  %s  antenna %u  %.1f dBm\n", static_cast<unsigned long long>(sequence++),
                  hex(read.epc()).c_str(), read.antenna(), read.rssi_cdbm() / 100.0);
    }
    std::fflush(stdout);
    at.next_sequence = sequence;
  }
  return reader->Finish();
}

// Follows the reads until it is asked to stop: across restarts, from where it was. Returns why it
// gave up. `listening` ends its waiting when the first stream stands.
grpc::Status print_tags(const std::stop_token& stop, Radio& radio, std::stop_source& listening) {
  Position at;
  Waits waits;
  while (true) {
    const grpc::Status status = print_stream(stop, radio, at, [&] {
      waits.reset();
      listening.request_stop();
    });
    if (stop.stop_requested()) return grpc::Status::OK;
    if (hopeless(status)) return status;
    if (waits.fresh()) say("reads: " + describe(status) + "; trying again");
    waits.wait(stop);
  }
}

// Has one operation done on the tag with this EPC. Returns what went wrong, or nothing.
std::string access(Radio& radio, const std::string& lease_id, const std::string& epc,
                   const v1::AccessOperation& operation, v1::AccessTagResponse& answer) {
  v1::AccessTagRequest request;
  request.mutable_tag()->set_epc(epc);
  *request.add_operations() = operation;
  request.set_timeout_ms(std::chrono::milliseconds(kCallTimeout).count());
  request.set_lease_id(lease_id);
  // A little longer than timeout_ms, so that the reader's own answer arrives.
  const grpc::Status status = call(radio, &Radio::AccessTag, request, &answer, kCallTimeout + 1s);
  if (!status.ok()) return describe(status);
  // The tag was found. What it did not do is told here.
  const v1::AccessResult& result = answer.results(0);
  if (result.status() == v1::AccessResult::DONE) return "";
  return v1::AccessResult::Status_Name(result.status()) + ", error " +
         std::to_string(result.error()) + ", " + std::to_string(result.words_written()) +
         " words written";
}

// Bank EPC, in words: 0 is a CRC, which the tag makes itself; 1 the PC; the EPC begins at 2.
constexpr std::uint32_t kWordOfPc = 1;
constexpr std::uint32_t kWordOfEpc = 2;

// Gives one tag another EPC, and says what came of it.
void write_epc(Radio& radio, const std::string& lease_id, const EpcChange& change) {
  v1::AccessTagResponse answer;
  v1::AccessOperation write;
  write.set_kind(v1::AccessOperation::WRITE);
  write.set_bank(v1::BANK_EPC);
  write.set_word_pointer(kWordOfEpc);
  write.set_data(change.to);
  if (change.to.size() != change.from.size()) {
    // The upper five bits of the PC are the number of words of the EPC. The others stay.
    v1::AccessOperation read;
    read.set_kind(v1::AccessOperation::READ);
    read.set_bank(v1::BANK_EPC);
    read.set_word_pointer(kWordOfPc);
    read.set_word_count(1);
    const std::string problem = access(radio, lease_id, change.from, read, answer);
    if (!problem.empty()) return say("write: " + problem);
    std::string pc = answer.results(0).data();
    pc[0] = static_cast<char>((pc[0] & 0x07) | (change.to.size() / 2 << 3));
    write.set_word_pointer(kWordOfPc);
    write.set_data(pc + change.to);
  }
  const std::string problem = access(radio, lease_id, change.from, write, answer);
  if (!problem.empty()) return say("write: " + problem);
  say("write: " + hex(change.from) + " is " + hex(change.to) + " now (antenna " +
      std::to_string(answer.antenna()) + ", " + std::to_string(answer.elapsed_ms()) + " ms)");
}

// Has control, or wants it.
class Controller {
 public:
  explicit Controller(Radio& radio) : radio_(radio) {}

  // Holds the lease, has the reader read, and writes the EPC, once. At the end it leaves the reader
  // as it found it.
  void run(const std::stop_token& stop, std::optional<EpcChange> write) {
    Waits waits;
    while (!stop.stop_requested()) {
      const grpc::Status status = renew();
      if (status.ok()) {
        waits.reset();
        if (write) write_epc(radio_, lease_id_, *write);
        write.reset();  // once: after an error nobody knows what is written
        sleep_for(stop, kLease / 3);
        continue;
      }
      if (waits.fresh()) say("control: " + describe(status));
      if (hopeless(status)) break;
      waits.wait(stop);
    }
    if (!lease_id_.empty()) leave();
  }

 private:
  // Keeps control, or takes it, and starts an inventory if none runs.
  grpc::Status renew() {
    v1::ControlLease lease;
    if (!lease_id_.empty()) {
      v1::RenewControlRequest request;
      request.set_lease_id(lease_id_);
      const grpc::Status status = call(radio_, &Radio::RenewControl, request, &lease);
      // The reader was restarted, or somebody took control.
      if (status.error_code() == grpc::StatusCode::FAILED_PRECONDITION) {
        lease_id_.clear();
        ready_ = false;
      } else if (!status.ok()) {
        return status;
      }
    }
    if (lease_id_.empty()) {
      v1::AcquireControlRequest request;
      request.set_owner(kName);
      request.set_ttl_ms(kLease.count());
      const grpc::Status status = call(radio_, &Radio::AcquireControl, request, &lease);
      if (!status.ok()) return status;
      lease_id_ = lease.lease_id();
      say("control: ours");
    }
    if (ready_) return grpc::Status::OK;
    const grpc::Status status = start_if_idle();
    ready_ = status.ok();
    return status;
  }

  // Starts every antenna with its defaults.
  grpc::Status start_if_idle() {
    v1::RadioStatus state;
    grpc::Status status = call(radio_, &Radio::GetStatus, v1::GetStatusRequest(), &state);
    if (!status.ok() || state.state() == v1::RADIO_STATE_READING) return status;
    v1::StartInventoryRequest request;
    // Each tag once a second and antenna, however often it is read.
    v1::ReportFilter* report = request.mutable_plan()->mutable_report_filter();
    report->set_kind(v1::ReportFilter::INTERVAL);
    report->set_scope(v1::ReportFilter::PER_ANTENNA);
    report->set_period_ms(1000);
    request.set_owner(kName);
    request.set_lease_id(lease_id_);
    v1::StartInventoryResponse started;
    status = call(radio_, &Radio::StartInventory, request, &started);
    if (!status.ok()) return status;
    inventory_id_ = started.inventory_id();
    say("control: inventory started");
    return status;
  }

  // Stops what we started, and lets others have control.
  void leave() {
    if (!inventory_id_.empty()) {
      v1::StopInventoryRequest request;
      request.set_inventory_id(inventory_id_);
      request.set_lease_id(lease_id_);
      v1::StopInventoryResponse stopped;
      const grpc::Status status = call(radio_, &Radio::StopInventory, request, &stopped);
      if (!status.ok()) say("control: " + describe(status));
    }
    v1::ReleaseControlRequest request;
    request.set_lease_id(lease_id_);
    v1::ReleaseControlResponse released;
    const grpc::Status status = call(radio_, &Radio::ReleaseControl, request, &released);
    say("control: " + (status.ok() ? "given back" : describe(status)));
  }

  Radio& radio_;
  std::string lease_id_;
  std::string inventory_id_;  // of the inventory that we started
  bool ready_ = false;        // the reader reads
};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::shared_ptr<grpc::Channel> connect(const Options& options) {
  grpc::ChannelArguments arguments;
  // gRPC itself would wait up to two minutes before it connects again.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kFirstWait.count());
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kLongestWait.count());
  // Only pings tell an idle stream from a dead line.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5'000);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  auto credentials = grpc::InsecureChannelCredentials();  // a Unix socket has file permissions
  if (!options.ca.empty()) {
    grpc::SslCredentialsOptions files;
    files.pem_root_certs = read_file(options.ca);
    files.pem_cert_chain = read_file(options.cert);
    files.pem_private_key = read_file(options.key);
    credentials = grpc::SslCredentials(files);
  }
  return grpc::CreateCustomChannel(options.target, credentials, arguments);
}

std::string parse_epc(const std::string& text) {
  const bool digits = text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (!digits || text.size() % 2 != 0) {
    throw std::runtime_error("--write: EPCs in hex, whole words of 4 digits; not " + text);
  }
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (!name.starts_with("--")) {
      options.target = name;
      continue;
    }
    if (i + 1 == arguments.size()) throw std::runtime_error(name + ": its value is missing");
    const std::string& value = arguments[++i];
    if (name == "--ca") {
      options.ca = value;
    } else if (name == "--cert") {
      options.cert = value;
    } else if (name == "--key") {
      options.key = value;
    } else if (name == "--write") {
      const std::size_t middle = value.find('=');
      if (middle == std::string::npos) throw std::runtime_error("--write: it is OLD=NEW");
      options.write = {parse_epc(value.substr(0, middle)), parse_epc(value.substr(middle + 1))};
    } else {
      throw std::runtime_error("usage: oem-client [TARGET] [--write OLD=NEW] "
                               "[--ca FILE --cert FILE --key FILE]");
    }
  }
  if (options.ca.empty() != options.cert.empty() || options.ca.empty() != options.key.empty()) {
    throw std::runtime_error("--ca, --cert and --key go together");
  }
  return options;
}

int run(const Options& options) {
  // Only the thread below takes these signals: before any other thread is there.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  const auto radio = v1::Radio::NewStub(connect(options));
  std::stop_source ending;
  std::stop_source listening;  // its stop: the stream stands, or never will
  std::jthread waiting([&] {
    int signal = 0;
    sigwait(&signals, &signal);
    ending.request_stop();
  });
  std::jthread control([&] {
    sleep_for(listening.get_token(), std::chrono::hours(24 * 365));  // so that no read is missed
    Controller(*radio).run(ending.get_token(), options.write);
  });
  const grpc::Status status = print_tags(ending.get_token(), *radio, listening);
  if (!status.ok()) say("reads: " + describe(status));
  ending.request_stop();
  listening.request_stop();
  pthread_kill(waiting.native_handle(), SIGTERM);
  return status.ok() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(parse_options({arguments + 1, arguments + count}));
  } catch (const std::exception& error) {
    say(error.what());
    return EXIT_FAILURE;
  }
}
