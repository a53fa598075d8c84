/** Logs (/cloud/logs). */
import { type Static, TextEnum, Type } from './schema.js';

export const LOG_LEVELS = ['OFF', 'FATAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG'] as const;
export type LogLevelName = (typeof LOG_LEVELS)[number];

export const LOG_COMPONENTS = ['radio_control', 'cloud_agent'] as const;
export type LogComponent = (typeof LOG_COMPONENTS)[number];

/** Another name of cloud_agent, understood and not answered. */
const READER_GATEWAY = 'reader_gateway';

export const LogConfig = Type.Object(
  {
    radioPacketLog: Type.Optional(
      Type.Boolean({ description: 'Every command and reply of the air is logged' }),
    ),
    components: Type.Optional(
      Type.Array(
        Type.Object({
          componentName: TextEnum([...LOG_COMPONENTS, READER_GATEWAY], {
            description: 'reader_gateway is the same as cloud_agent',
          }),
          level: TextEnum(LOG_LEVELS),
        }),
      ),
    ),
  },
  { description: 'What is logged; a setting leaves alone what it does not name' },
);
export type LogConfig = Static<typeof LogConfig>;

export function componentOf(name: string): LogComponent {
  return name === READER_GATEWAY ? 'cloud_agent' : (name as LogComponent);
}

export const LOG_TYPES = [
  'syslog',
  'radioPacketLog',
  'RcLog',
  'RcErrorLog',
  'RcWarningLog',
  'RcInfoLog',
  'RgErrorLog',
  'RgWarningLog',
] as const;
export type LogType = (typeof LOG_TYPES)[number];

export const LogRequest = Type.Object(
  {
    logType: Type.Optional(
      TextEnum(LOG_TYPES, {
        // The MQTT commands have it in their names.
        default: 'syslog',
        description: 'Of radio-control (Rc...) or the gateway (Rg...)',
      }),
    ),
  },
  { description: 'Which log' },
);
export type LogRequest = Static<typeof LogRequest>;
