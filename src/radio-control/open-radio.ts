/** Opens the radio module that the options ask for. */
import { errorMessage, SingulateError } from '../shared/errors.js';
import { loadAddon, type NativeRadio } from './addon/addon.js';
import { hasPins } from './module/radio-option.js';
import type { RadioControlOptions } from './options.js';
import type { Site, VirtualField } from './scenario/virtual-field.js';

export interface OpenedRadio {
  radio: NativeRadio;
  /** Undefined: nothing is known of it. */
  site: Site | undefined;
  /** Of a simulated radio: what it was opened with, and how to open it again with something else. */
  simulated?: { field: VirtualField; open(field: VirtualField): NativeRadio };
  /** Path of the serial line of a module that is yet to be connected to. */
  line?: string;
  /** How many of its pins are inputs and outputs of the reader; undefined: none. */
  pins?: { inputs: number; outputs: number };
}

/** Throws a CONFIG error for a bad scenario or recording. */
export async function openRadio(options: RadioControlOptions): Promise<OpenedRadio> {
  const { Radio } = loadAddon();
  const paced = !options.fast;
  if (options.radio.kind === 'mercury') {
    const { kind, ...module } = options.radio;
    const radio = open(() => new Radio({ ...module, module: kind }));
    const { path, inputPins, outputPins } = module;
    const opened = { radio, site: undefined, line: path };
    if (!hasPins(options.radio)) return opened;
    return { ...opened, pins: { inputs: inputPins.length, outputs: outputPins.length } };
  }
  if (options.radio.kind === 'driver') {
    const { name, path, settings } = options.radio;
    const radio = open(() => new Radio({ module: name, path, settings }));
    return { radio, site: undefined, line: path };
  }
  if (options.replay !== undefined) {
    const { loadRecording } = await import('./replay/load-recording.js');
    const { records, model } = await loadRecording(options.replay);
    const radio = open(() => new Radio({ module: 'replay', paced, records, model }));
    return { radio, site: undefined };
  }
  const { loadScenario } = await import('./scenario/load-scenario.js');
  const field = await loadScenario(options.scenario);
  const seed = options.seed ?? field.seed;
  const { imitate } = options.radio;
  const openField = (one: VirtualField) =>
    open(
      () =>
        new Radio({
          ...one,
          ...(imitate === undefined ? {} : { imitate }),
          module: 'virtual',
          paced,
          seed,
        }),
    );
  return {
    radio: openField(field),
    site: field.site,
    simulated: { field: { ...field, seed }, open: openField },
  };
}

function open(create: () => NativeRadio): NativeRadio {
  try {
    return create();
  } catch (error) {
    throw new SingulateError('CONFIG', `the radio module cannot be opened: ${errorMessage(error)}`);
  }
}
