/** How the two services are called. */
import { join } from 'node:path';
import { isVirtual } from '../radio-control/module/radio-option.js';
import { LOG_FOLDER } from '../shared/log-files.js';
import { serviceScript } from '../shared/package-info.js';
import { grpcArgs } from './grpc-settings.js';
import type { ServiceSpec } from './service.js';
import type { Settings } from './settings.js';
import { radioSocket } from './state-dir.js';

/** @param bootId One for each run of the supervisor: a service that comes back knows its run. */
export function serviceSpecs(settings: Settings, bootId: string): ServiceSpec[] {
  return [
    {
      name: 'radio-control',
      script: serviceScript('radio-control'),
      args: () => radioControlArgs(settings),
    },
    {
      name: 'reader-gateway',
      script: serviceScript('reader-gateway'),
      // It starts reading by itself until it was ready once; then it goes on as it was.
      args: (wasReady) => gatewayArgs(settings, bootId, settings.autostart && !wasReady),
      receivesRestarts: true,
    },
  ];
}

function radioControlArgs(settings: Settings): string[] {
  const { grpc, radio, replay, scenario, gpio, fast, seed } = settings;
  const field = replay === undefined ? ['--scenario', scenario] : ['--replay', replay];
  return [
    '--socket',
    radioSocket(settings.stateDir),
    '--log-dir',
    join(settings.stateDir, LOG_FOLDER),
    ...grpcArgs(grpc),
    ...(isVirtual(radio) ? field : []),
    '--radio',
    radio,
    ...(gpio === undefined ? [] : ['--gpio', gpio]),
    ...(fast ? ['--fast'] : []),
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    ...logArgs(settings),
  ];
}

function gatewayArgs(settings: Settings, bootId: string, autostart: boolean): string[] {
  const { stateDir, restPort, mqttPort, platform, updateCert } = settings;
  const { trustLocalPrograms, refuseLocalFetches, certificateFolders } = settings;
  return [
    '--state-dir',
    stateDir,
    '--rest-port',
    String(restPort),
    '--radio',
    `unix:${radioSocket(stateDir)}`,
    '--local-broker',
    `mqtt://127.0.0.1:${mqttPort}`,
    '--boot-id',
    bootId,
    ...(autostart ? ['--autostart'] : []),
    ...(trustLocalPrograms ? ['--trust-local-programs'] : []),
    ...(refuseLocalFetches ? ['--refuse-local-fetches'] : []),
    ...(certificateFolders === undefined ? [] : ['--certificate-folders', certificateFolders]),
    '--platform',
    platform,
    ...(updateCert === undefined ? [] : ['--update-cert', updateCert]),
    ...logArgs(settings),
  ];
}

function logArgs({ logFormat, logMegabytes }: Settings): string[] {
  return ['--log-format', logFormat, '--log-mb', String(logMegabytes)];
}
