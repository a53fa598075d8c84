/** Opens the radio module that the options ask for. */
import { errorMessage, SingulateError } from '../shared/errors.js';
import { loadAddon, type NativeRadio } from './addon/addon.js';
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
}

/** Throws a CONFIG error for a bad scenario or recording. */
export async function openRadio(options: RadioControlOptions): Promise<OpenedRadio> {
  const { Radio } = loadAddon();
  const paced = !options.fast;
  if (options.radio.kind === 'mercury') {
    const { path, baud, workBaud } = options.radio;
    const radio = open(() => new Radio({ module: 'mercury', path, baud, workBaud }));
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
