/**
 * The service radio-control. Exit code 2 with one line on standard error: a wrong option,
 * scenario, recording, socket or port. With an IPC channel it says when it is ready and
 * when an inventory ends, and exits when the channel closes: no orphan keeps a radio on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { finishFirst } from '../shared/end-with-starter.js';
import { EXIT_CONFIG, errorMessage, isSingulateError } from '../shared/errors.js';
import { logTheEnd, openLogger } from '../shared/log.js';
import { LogFiles, logLimits, packetLogLimits } from '../shared/log-files.js';
import { beat, LONG_TURN, LoopWatch } from '../shared/loop-watch.js';
import { withOptionFile } from '../shared/option-file.js';
import { releaseProgramPages } from '../shared/program-pages.js';
import { ServiceManager } from '../shared/service-manager.js';
import { tell } from '../shared/starter.js';
import { TagAccess } from './access/tag-access.js';
import { Control } from './control/control.js';
import { controlNews } from './control/control-news.js';
import { EventLog, type RadioNews } from './events/event-log.js';
import { GrpcServer } from './grpc/server.js';
import { Inventory, type InventoryEnd } from './inventory.js';
import { openLines } from './lines/open-lines.js';
import { ModuleLines } from './module/module-lines.js';
import { ModuleLink } from './module/module-link.js';
import { ModuleRegions } from './module/module-regions.js';
import { openRadio } from './open-radio.js';
import { parseOptions } from './options.js';
import { PacketFeed } from './packet-log/packet-feed.js';
import { PacketLog } from './packet-log/packet-log.js';
import { Regions } from './regions.js';
import { ThreadWatch } from './thread-watch.js';

/** That the last reads have to leave this process. */
const LAST_READS_MS = 100;
/** No module that answers takes as long to end an inventory. */
const LONGEST_STOP_MS = 1000;

async function main(): Promise<void> {
  beat();
  // While it starts there is nothing to stop yet.
  let stop = async () => {};
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= stop();
    return ended;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void end().then(() => process.exit(0)));
  }
  const options = await withOptionFile(process.argv.slice(2), parseOptions);
  const { logDir, logFormat } = options;
  const files =
    logDir === undefined
      ? undefined
      : new LogFiles(logDir, 'radio_control', logLimits(options.logMegabytes));
  const log = await openLogger('radio_control', { format: logFormat, files });
  if (files !== undefined) logTheEnd(log, files);
  const manager = new ServiceManager(log);

  const { radio, site, simulated, line, pins } = await openRadio(options);
  const capabilities = radio.capabilities();
  const events = new EventLog();
  const onNews = (news: RadioNews) => events.add(news);
  const hasInputs = (pins?.inputs ?? 0) > 0;
  const link =
    line === undefined ? undefined : new ModuleLink(radio, line, log, { hasInputs, onNews });
  const onEnd = (end: InventoryEnd) => tell({ type: 'inventory-ended', ...end });
  const inventory = new Inventory(radio, log, { onEnd, onNews }, link);
  const control = new Control((change) => {
    log.info(change, 'control of the radio changed');
    events.add(controlNews(change));
  });
  const regions =
    link === undefined ? new Regions(inventory, site, simulated) : new ModuleRegions(radio, link);
  const lines = openLines({
    gpio: options.gpio,
    pins: link && pins && new ModuleLines(radio, link, pins.inputs, pins.outputs),
    capabilities,
    site,
    field: simulated?.field,
    loop: inventory,
    log,
    onChange: (changed) => events.add({ lineChanged: { line: changed } }),
  });
  const packets = new PacketFeed(() => inventory.radio);
  const packetLog = new PacketLog(
    packets,
    () => inventory.capabilities,
    logDir,
    packetLogLimits(options.packetLogMegabytes),
  );
  const server = await GrpcServer.listen(
    {
      inventory,
      regions,
      lines,
      logging: { log, packetLog },
      control,
      events,
      packets,
      tagAccess: new TagAccess(inventory, log),
    },
    options.grpc,
  );

  const loop = new LoopWatch((turns) => log.warn(turns, LONG_TURN));
  stop = async () => {
    void manager.stopping();
    loop.stop();
    // A module that hangs does not keep the rest.
    await Promise.race([inventory.stop(), sleep(LONGEST_STOP_MS, undefined, { ref: false })]);
    link?.close();
    lines.close();
    control.close();
    events.add({ serviceStopping: {} });
    if (inventory.hub.end('the service stops') > 0) await sleep(LAST_READS_MS);
    await server.close();
    await Promise.all([packetLog.close(), files?.close()]);
  };
  finishFirst(end);

  log.info({ module: capabilities.module, model: capabilities.model }, 'radio-control is ready');
  tell({ type: 'ready' });
  void manager.ready(`${capabilities.module} ${capabilities.model}`);
  // Never before clients can see what becomes of it.
  link?.start(() => inventory.moduleFound());
  await server.addDiscovery();
  // What it loads until here belongs to its start.
  loop.start();
  const thread = new ThreadWatch(() => inventory.pulse());
  manager.watch(() => thread.stuck());
  releaseProgramPages(log);
}

export async function runService(): Promise<void> {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`radio-control: ${errorMessage(error)}\n`);
    process.exit(isSingulateError(error, 'CONFIG') ? EXIT_CONFIG : 1);
  }
}
