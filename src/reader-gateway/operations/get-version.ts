import { VERSION } from '../../shared/package-info.js';
import { NoPayload } from '../api/empty.js';
import { Version } from '../api/version.js';
import type { Operation } from './operation.js';

export const getVersion: Operation = {
  name: 'getVersion',
  summary: 'Versions of the software of the reader',
  method: 'GET',
  path: '/cloud/version',
  mqttCommand: 'get_version',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: Version,
  async run({ radio, machine, update }): Promise<Version> {
    const [capabilities, application = VERSION, revert] = await Promise.all([
      radio.capabilities().catch(() => undefined),
      update.applicationVersion(),
      update.revertVersion(),
    ]);
    return {
      readerApplication: application,
      radioFirmware: capabilities?.firmware ?? '',
      radioControlApplication: capabilities?.serviceVersion ?? '',
      cloudAgentApplication: VERSION,
      readerOS: machine.os,
      readerHardware: machine.hardware,
      readerBootLoader: '',
      readerFileSystem: '',
      radioApi: 'singulate.radio.v1',
      availableOsUpgrades: {},
      model: machine.model,
      serialNumber: machine.serialNumber,
      revertBackFirmware: {
        readerApplication: revert,
        readerBootLoader: '',
        readerFileSystem: '',
        readerOS: '',
      },
    };
  },
};
