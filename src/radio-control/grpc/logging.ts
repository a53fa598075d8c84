/** SetLogLevel and SetPacketLog: what is logged, from now on. */
import { LogLevel } from '../../contract/messages.js';
import { invalid } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { PacketLog } from '../packet-log/packet-log.js';

export interface Logging {
  log: Logger;
  packetLog: PacketLog;
}

const LEVELS: Readonly<Record<number, string>> = {
  [LogLevel.LOG_LEVEL_OFF]: 'silent',
  [LogLevel.LOG_LEVEL_FATAL]: 'fatal',
  [LogLevel.LOG_LEVEL_ERROR]: 'error',
  [LogLevel.LOG_LEVEL_WARNING]: 'warn',
  [LogLevel.LOG_LEVEL_INFO]: 'info',
  [LogLevel.LOG_LEVEL_DEBUG]: 'debug',
};

/** @throws INVALID */
export function setLogLevel({ log }: Logging, level: number): object {
  const name = LEVELS[level];
  if (name === undefined) {
    const names = Object.keys(LogLevel).filter((one) => one !== 'LOG_LEVEL_UNSPECIFIED');
    throw invalid([{ field: 'level', message: `${level} given; allowed: ${names.join(', ')}` }]);
  }
  log.level = name;
  return {};
}

/** @throws STATE */
export function setPacketLog({ log, packetLog }: Logging, on: boolean): object {
  if (packetLog.isOn !== on) {
    packetLog.set(on);
    log.info({ on }, 'radio packet log switched');
  }
  return {};
}
