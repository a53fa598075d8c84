/** What the gateway is started with. */
import type { PlatformOptions } from '../platform/adapters.js';
import type { PlatformName } from '../platform/platform-name.js';
import type { Logger } from '../shared/log.js';
import type { LogFiles } from '../shared/log-files.js';
import type { LoopWatch } from '../shared/loop-watch.js';
import type { ServiceRestarts } from '../shared/service-restarts.js';
import type { UpgradeStatus } from './api/os-update.js';
import type { UserAppsOptions } from './apps/user-apps.js';
import type { EndpointStatus } from './endpoint-status.js';
import type { Lines } from './io/lines.js';
import type { RestLimits } from './rest/server.js';
import type { UpdaterOptions } from './update/updater.js';

/** How the processes of the reader are, for its metrics. */
export interface ProcessHealth {
  /** Of this process. */
  loop: Pick<LoopWatch, 'turns' | 'longestMs'>;
  /** Of both services, as far as a supervisor tells. */
  restarts(): readonly ServiceRestarts[];
}

export interface GatewayOptions {
  stateDir: string;
  /** Of the log files of both services; default: logs in the state folder. */
  logDir?: string | undefined;
  restHost: string;
  restPort: number;
  /** Default: those of a reader. */
  restLimits?: Partial<RestLimits>;
  /** Programs on this reader call REST without a token; default: nobody does. */
  trustLocalPrograms?: boolean;
  /** Files are not fetched from this reader and its link, nor connections tested to them. */
  refuseLocalFetches?: boolean;
  /** Below which certificates and keys may be named by path; left out: see defaultFolders. */
  certificateFolders?: readonly string[] | undefined;
  /** gRPC target of radio-control. */
  radio: string;
  /** Broker of the factory's connections; undefined = there are none. */
  localBroker?: URL | undefined;
  /** Identity of this boot of the machine. */
  bootId: string;
  /** Start reading, unless it was stopped or ended in this boot. */
  autostart: boolean;
  /** What the operations on the machine itself work on; default emulated. */
  platform?: PlatformName;
  /** The LEDs of a Linux system; left out: those of the usual names. */
  leds?: string | undefined;
  /** What acts on inputs and outputs takes these; left out: those of the radio service. */
  lines?: Lines | undefined;
  /** Limits of OS updates, and whose bundles the emulated device takes. */
  update?: Pick<PlatformOptions, 'trusted' | 'maxBoots'> &
    Partial<Pick<UpdaterOptions, 'confirmMs' | 'maxBytes'>>;
  log: Logger;
  /** Seconds after a boot in which clients cannot reboot the reader; default 30. */
  leastUptime?: number | undefined;
  /** The emulated device reboots: this service is to be stopped and started again. */
  onReboot?(): void;
  /** Where its lines go; undefined: they are in no file. */
  logFiles?: LogFiles | undefined;
  /** Without onGpo, applications set the outputs of the reader; the rest has defaults. */
  userApps?: Partial<Pick<UserAppsOptions, 'onGpo' | 'limits' | 'times' | 'runsAs'>> | undefined;
  /** Left out: metrics do not have it. */
  health?: ProcessHealth | undefined;
  /** Called with the progress of an OS update. */
  onFirmwareUpdateProgress?(status: UpgradeStatus): void;
  /** Called when the first tag event is on its way to the endpoints. */
  onFirstEvent?(): void;
  /** Called when the state or the counters of a connection changed. */
  onEndpoints(endpoints: EndpointStatus[]): void;
}
