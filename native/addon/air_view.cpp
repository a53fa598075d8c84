#include "addon/air_view.h"

#include <array>
#include <string>
#include <variant>

#include "gen2/any_command.h"

namespace singulate::addon {

namespace {

constexpr std::array kKinds{"carrierOn", "carrierOff", "command", "reply", "collision"};

// In the order of gen2::AnyCommand.
constexpr std::array kCommands{
    "Query",      "QueryRep",   "QueryAdjust",    "ACK",      "NAK",        "Select",
    "Req_RN",     "Read",       "Write",          "Kill",     "Lock",       "Access",
    "BlockWrite", "BlockErase", "BlockPermalock", "FileOpen", "Untraceable"};
static_assert(kCommands.size() == std::variant_size_v<gen2::AnyCommand>);

void append_hex(std::string& text, unsigned value, unsigned digits) {
  for (unsigned digit = digits; digit-- > 0;) {
    text += "0123456789abcdef"[(value >> (4 * digit)) & 0xFU];
  }
}

// The last byte is filled up with zeros.
std::string hex(const gen2::BitFrame& frame) {
  std::string text;
  for (std::size_t at = 0; at < frame.size(); at += 8) append_hex(text, frame.read(at, 8), 2);
  return text;
}

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) append_hex(text, byte, 2);
  return text;
}

struct Details {
  Napi::Env env;
  Napi::Object into;
  void set(const char* key, double value) const { into.Set(key, Napi::Number::New(env, value)); }

  void operator()(const gen2::Query& query) const {
    set("session", static_cast<double>(query.session));
    set("target", static_cast<double>(query.target));
    set("sel", static_cast<double>(query.select));
    set("q", query.q);
    set("coding", static_cast<double>(query.coding));
  }
  void operator()(const gen2::Select& select) const {
    set("target", static_cast<double>(select.target));
    set("action", select.action);
    set("bank", static_cast<double>(select.bank));
    set("pointer", select.pointer);
    set("length", select.mask.bits);
    into.Set("mask", hex({select.mask.bytes.data(), (select.mask.bits + 7U) / 8U}));
    into.Set("truncate", Napi::Boolean::New(env, select.truncate));
  }
  void operator()(const gen2::Read& read) const {
    set("bank", static_cast<double>(read.bank));
    set("wordPointer", read.word_pointer);
    set("wordCount", read.word_count);
  }
  void operator()(const gen2::Write& write) const {
    set("bank", static_cast<double>(write.bank));
    set("wordPointer", write.word_pointer);
  }
  void operator()(const gen2::BlockWrite& write) const {
    set("bank", static_cast<double>(write.bank));
    set("wordPointer", write.word_pointer);
    set("wordCount", write.data.count);
  }
  void operator()(const gen2::Lock& lock) const {
    set("mask", lock.payload.mask);
    set("action", lock.payload.action);
  }
  template <typename Other>
  void operator()(const Other& /*command*/) const {}
};

}  // namespace

Napi::Value show_packets(Napi::Env env, const radio::PacketLog::Taken& taken) {
  Napi::Array packets = Napi::Array::New(env, taken.packets.size());
  for (std::size_t i = 0; i < taken.packets.size(); ++i) {
    const radio::Packet& packet = taken.packets[i];
    Napi::Object one = Napi::Object::New(env);
    one.Set("timeNs", Napi::BigInt::New(env, packet.time_ns));
    one.Set("kind", kKinds.at(static_cast<std::size_t>(packet.kind)));
    one.Set("antenna", Napi::Number::New(env, packet.antenna));
    one.Set("frequencyKhz", Napi::Number::New(env, packet.frequency_khz));
    if (packet.kind == radio::PacketKind::kCollision) {
      one.Set("tags", Napi::Number::New(env, packet.tags));
    }
    if (packet.frame.size() > 0) {
      one.Set("bits", Napi::Number::New(env, static_cast<double>(packet.frame.size())));
      one.Set("hex", hex(packet.frame));
    }
    if (packet.kind == radio::PacketKind::kCommand) {
      if (const auto command = gen2::decode_command(packet.frame)) {
        one.Set("command", kCommands.at(command->index()));
        std::visit(Details{.env = env, .into = one}, *command);
      }
    }
    packets.Set(static_cast<std::uint32_t>(i), one);
  }
  Napi::Object result = Napi::Object::New(env);
  result.Set("packets", packets);
  result.Set("lost", Napi::Number::New(env, static_cast<double>(taken.lost)));
  return result;
}

Napi::Value show_tags(Napi::Env env, const radio::Population& population, std::uint64_t now_ns) {
  Napi::Array tags = Napi::Array::New(env, population.size());
  for (std::size_t i = 0; i < population.size(); ++i) {
    const radio::Tag& tag = population.tag(i);
    const radio::TagMemory& memory = population.memory(i);
    Napi::Object one = Napi::Object::New(env);
    one.Set("epc", hex(memory.packet(tag.selected()).epc));
    one.Set("reserved", hex(memory.bytes(gen2::Bank::kReserved)));
    one.Set("epcBank", hex(memory.bytes(gen2::Bank::kEpc)));
    one.Set("tid", hex(memory.bytes(gen2::Bank::kTid)));
    one.Set("user", hex(memory.bytes(gen2::Bank::kUser)));
    one.Set("lock", Napi::Number::New(env, memory.lock_bits()));
    one.Set("killed", Napi::Boolean::New(env, tag.state() == radio::TagState::kKilled));
    one.Set("selected", Napi::Boolean::New(env, tag.selected()));
    Napi::Array flags = Napi::Array::New(env, gen2::kSessions);
    for (unsigned session = 0; session < gen2::kSessions; ++session) {
      const bool b = tag.flag(static_cast<gen2::Session>(session), now_ns) == gen2::Target::kB;
      flags.Set(session, b ? "B" : "A");
    }
    one.Set("flags", flags);
    tags.Set(static_cast<std::uint32_t>(i), one);
  }
  return tags;
}

}  // namespace singulate::addon
