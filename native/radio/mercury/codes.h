// Numbers of the Mercury protocol: opcodes, status codes, search flags, metadata bits.
#pragma once

#include <cstdint>
#include <string_view>

namespace singulate::radio::mercury {

namespace op {
inline constexpr std::uint8_t kVersion = 0x03;
inline constexpr std::uint8_t kBootApplication = 0x04;
inline constexpr std::uint8_t kSetBaudRate = 0x06;
inline constexpr std::uint8_t kEraseFlash = 0x07;
inline constexpr std::uint8_t kVerifyImage = 0x08;
inline constexpr std::uint8_t kBootBootloader = 0x09;
inline constexpr std::uint8_t kCurrentProgram = 0x0C;
inline constexpr std::uint8_t kWriteFlash = 0x0D;
inline constexpr std::uint8_t kHardware = 0x10;
inline constexpr std::uint8_t kReadSingle = 0x21;
inline constexpr std::uint8_t kSearch = 0x22;
inline constexpr std::uint8_t kWriteEpc = 0x23;
inline constexpr std::uint8_t kWriteData = 0x24;
inline constexpr std::uint8_t kLock = 0x25;
inline constexpr std::uint8_t kKill = 0x26;
inline constexpr std::uint8_t kReadData = 0x28;
inline constexpr std::uint8_t kGetBuffer = 0x29;
inline constexpr std::uint8_t kClearBuffer = 0x2A;
inline constexpr std::uint8_t kTagSpecific = 0x2D;
inline constexpr std::uint8_t kBlockErase = 0x2E;
inline constexpr std::uint8_t kContinuous = 0x2F;
inline constexpr std::uint8_t kGetAntennas = 0x61;
inline constexpr std::uint8_t kGetReadPower = 0x62;
inline constexpr std::uint8_t kGetProtocol = 0x63;
inline constexpr std::uint8_t kGetWritePower = 0x64;
inline constexpr std::uint8_t kGetHopTable = 0x65;
inline constexpr std::uint8_t kGetInputs = 0x66;
inline constexpr std::uint8_t kGetRegion = 0x67;
inline constexpr std::uint8_t kGetPowerMode = 0x68;
inline constexpr std::uint8_t kGetUserMode = 0x69;
inline constexpr std::uint8_t kGetReaderKey = 0x6A;
inline constexpr std::uint8_t kGetProtocolKey = 0x6B;
inline constexpr std::uint8_t kGetStatistics = 0x6C;
inline constexpr std::uint8_t kProtocols = 0x70;
inline constexpr std::uint8_t kRegions = 0x71;
inline constexpr std::uint8_t kTemperature = 0x72;
inline constexpr std::uint8_t kSetAntennas = 0x91;
inline constexpr std::uint8_t kSetReadPower = 0x92;
inline constexpr std::uint8_t kSetProtocol = 0x93;
inline constexpr std::uint8_t kSetWritePower = 0x94;
inline constexpr std::uint8_t kSetHopTable = 0x95;
inline constexpr std::uint8_t kSetOutputs = 0x96;
inline constexpr std::uint8_t kSetRegion = 0x97;
inline constexpr std::uint8_t kSetPowerMode = 0x98;
inline constexpr std::uint8_t kSetUserMode = 0x99;
inline constexpr std::uint8_t kSetReaderKey = 0x9A;
inline constexpr std::uint8_t kSetProtocolKey = 0x9B;
inline constexpr std::uint8_t kProfile = 0x9D;
inline constexpr std::uint8_t kSilion = 0xAA;
inline constexpr std::uint8_t kTestSignal = 0xC3;
}  // namespace op

namespace status {
inline constexpr std::uint16_t kSuccess = 0x0000;
inline constexpr std::uint16_t kDataCount = 0x0100;
inline constexpr std::uint16_t kInvalidOpcode = 0x0101;
inline constexpr std::uint16_t kNotImplemented = 0x0102;
inline constexpr std::uint16_t kPowerTooHigh = 0x0103;
inline constexpr std::uint16_t kBadFrequency = 0x0104;
inline constexpr std::uint16_t kBadParameter = 0x0105;
inline constexpr std::uint16_t kPowerTooLow = 0x0106;
inline constexpr std::uint16_t kBaudRate = 0x010A;
inline constexpr std::uint16_t kRegion = 0x010B;
inline constexpr std::uint16_t kNoTags = 0x0400;
inline constexpr std::uint16_t kNoData = 0x0404;
inline constexpr std::uint16_t kWriteFailed = 0x0406;
inline constexpr std::uint16_t kInvalidAddress = 0x0409;
inline constexpr std::uint16_t kTagError = 0x040A;
inline constexpr std::uint16_t kDataTooLarge = 0x040B;
inline constexpr std::uint16_t kKillFailed = 0x040C;
inline constexpr std::uint16_t kGen2Other = 0x0420;
inline constexpr std::uint16_t kMemoryOverrun = 0x0423;
inline constexpr std::uint16_t kLocked = 0x0424;
inline constexpr std::uint16_t kLowTagPower = 0x042B;
inline constexpr std::uint16_t kNonSpecific = 0x042F;
inline constexpr std::uint16_t kUnknownError = 0x0430;
inline constexpr std::uint16_t kChannelBusy = 0x0501;
inline constexpr std::uint16_t kNoAntenna = 0x0503;
inline constexpr std::uint16_t kOverTemperature = 0x0504;
inline constexpr std::uint16_t kHighReturnLoss = 0x0505;
inline constexpr std::uint16_t kBufferFull = 0x0601;
inline constexpr std::uint16_t kAuthentication = 0x0604;
inline constexpr std::uint16_t kAssert = 0x7F01;
}  // namespace status

// What a status says, for people; those that are not known have one text for all.
std::string_view status_text(std::uint16_t status);

// The air protocol, as commands and records name it.
inline constexpr std::uint8_t kGen2 = 0x05;

// Of a search (op 22, 16 bits).
namespace search_flag {
inline constexpr std::uint16_t kConfiguredAntennas = 0x0003;
inline constexpr std::uint16_t kEmbedded = 0x0004;
inline constexpr std::uint16_t kStream = 0x0008;
inline constexpr std::uint16_t kLargeCount = 0x0010;
inline constexpr std::uint16_t kStatusStream = 0x0020;
inline constexpr std::uint16_t kStopAfterTags = 0x0040;
inline constexpr std::uint16_t kFast = 0x0080;
inline constexpr std::uint16_t kStatistics = 0x0100;
inline constexpr std::uint16_t kInputTrigger = 0x0200;
inline constexpr std::uint16_t kDutyCycle = 0x0400;
inline constexpr std::uint16_t kProtocols = 0x0800;
inline constexpr std::uint16_t kRoundSummaries = 0x1000;
// Silion, of continuous reading only: the module says now and then that it is there.
inline constexpr std::uint16_t kHeartbeat = 0x8000;
}  // namespace search_flag

// What a report of statistics, and the answer of op 6C, may hold.
namespace statistic {
inline constexpr std::uint16_t kRfOnTime = 0x0001;
inline constexpr std::uint16_t kNoiseFloor = 0x0040;
inline constexpr std::uint16_t kFrequency = 0x0080;
inline constexpr std::uint16_t kTemperature = 0x0100;
inline constexpr std::uint16_t kAntenna = 0x0200;
inline constexpr std::uint16_t kProtocol = 0x0400;
inline constexpr std::uint16_t kConnected = 0x0800;
}  // namespace statistic

// Fields of a tag record, in this order.
namespace metadata {
inline constexpr std::uint16_t kReadCount = 0x0001;
inline constexpr std::uint16_t kRssi = 0x0002;
inline constexpr std::uint16_t kAntenna = 0x0004;
inline constexpr std::uint16_t kFrequency = 0x0008;
inline constexpr std::uint16_t kTime = 0x0010;
inline constexpr std::uint16_t kPhase = 0x0020;
inline constexpr std::uint16_t kProtocol = 0x0040;
inline constexpr std::uint16_t kData = 0x0080;
inline constexpr std::uint16_t kGpio = 0x0100;
inline constexpr std::uint16_t kQ = 0x0200;
inline constexpr std::uint16_t kBlf = 0x0400;
inline constexpr std::uint16_t kTarget = 0x0800;
inline constexpr std::uint16_t kBrand = 0x1000;
inline constexpr std::uint16_t kTagType = 0x2000;
inline constexpr std::uint16_t kLayer1 = 0x8000;
}  // namespace metadata

}  // namespace singulate::radio::mercury
