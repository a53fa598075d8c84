/** Which files a log type of the interface stands for. */
import { LOG_PARTS, logFileName, PACKET_LOG_FILE } from '../../shared/log-files.js';
import type { LogType } from '../api/logs.js';

const RC = 'radio_control';
const RG = 'reader_gateway';
const RC_FILES = LOG_PARTS.map((part) => logFileName(RC, part));
const RG_FILES = LOG_PARTS.map((part) => logFileName(RG, part));

/** Names of the rotated sets. */
export const LOG_SOURCES: Readonly<Record<LogType, readonly string[]>> = {
  syslog: [...RC_FILES, ...RG_FILES, PACKET_LOG_FILE],
  radioPacketLog: [PACKET_LOG_FILE],
  RcLog: RC_FILES,
  RcErrorLog: [logFileName(RC, 'error')],
  RcWarningLog: [logFileName(RC, 'warning')],
  RcInfoLog: [logFileName(RC, 'info')],
  RgErrorLog: [logFileName(RG, 'error')],
  RgWarningLog: [logFileName(RG, 'warning')],
};
