/**
 * The radio-control process. Exit code 2 with one line on standard error: a wrong option,
 * scenario, recording, socket or port. With an IPC channel it says when it is ready and
 * when an inventory ends, and exits when the channel closes: no orphan keeps a radio on.
 */
import { EXIT_CONFIG, errorMessage, isSingulateError } from '../shared/errors.js';
import { createLogger, logTheEnd } from '../shared/log.js';
import { LogFiles, logLimits, packetLogLimits } from '../shared/log-files.js';
import { GrpcServer } from './grpc/server.js';
import { Inventory, type InventoryEnd } from './inventory.js';
import { openLines } from './lines/open-lines.js';
import { ModuleLines } from './module/module-lines.js';
import { ModuleLink } from './module/module-link.js';
import { ModuleRegions } from './module/module-regions.js';
import { openRadio } from './open-radio.js';
import { parseOptions } from './options.js';
import { PacketLog } from './packet-log/packet-log.js';
import { Regions } from './regions.js';

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  const { logDir, logFormat } = options;
  const files =
    logDir === undefined
      ? undefined
      : new LogFiles(logDir, 'radio_control', logLimits(options.logMegabytes));
  const log = createLogger('radio_control', { format: logFormat, files });
  if (files !== undefined) logTheEnd(log, files);
  const tell = (message: object) => {
    if (process.connected) process.send?.(message);
  };

  const { radio, site, simulated, line, pins } = await openRadio(options);
  const capabilities = radio.capabilities();
  const link =
    line === undefined ? undefined : new ModuleLink(radio, line, log, (pins?.inputs ?? 0) > 0);
  const onEnd = (end: InventoryEnd) => tell({ type: 'inventory-ended', ...end });
  const inventory = new Inventory(radio, log, onEnd, link);
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
  });
  const packetLog = new PacketLog(radio, logDir, packetLogLimits(options.packetLogMegabytes));
  const server = await GrpcServer.listen(
    { inventory, regions, lines, logging: { log, packetLog } },
    {
      socket: options.socket,
      ...(options.grpcPort === undefined ? {} : { tcpPort: options.grpcPort }),
    },
  );

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    inventory.stop();
    link?.close();
    lines.close();
    await server.close();
    await Promise.all([packetLog.close(), files?.close()]);
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);

  log.info({ module: capabilities.module, model: capabilities.model }, 'radio-control is ready');
  tell({ type: 'ready' });
  // Never before clients can see what becomes of it.
  link?.start(() => inventory.moduleFound());
  await server.addDiscovery();
}

main().catch((error) => {
  process.stderr.write(`radio-control: ${errorMessage(error)}\n`);
  process.exit(isSingulateError(error, 'CONFIG') ? EXIT_CONFIG : 1);
});
