/** The inputs and outputs that this reader has. */
import type { LineInput } from '../../contract/messages.js';
import type { Logger } from '../../shared/log.js';
import { modelOf } from '../../shared/reader-model/find-model.js';
import { loadAddon, type NativeCapabilities } from '../addon/addon.js';
import type { Site, VirtualField } from '../scenario/virtual-field.js';
import { GpioLines } from './gpio-lines.js';
import type { GpioChipSpec } from './gpio-option.js';
import { type InputLoop, type LineHardware, Lines } from './lines.js';

export interface LinesSettings {
  gpio: readonly GpioChipSpec[];
  /** Pins of the radio module. */
  pins: LineHardware | undefined;
  capabilities: NativeCapabilities;
  site: Site | undefined;
  /** Of a simulated radio. */
  field: VirtualField | undefined;
  loop: InputLoop;
  log: Logger;
  /** Told of each change of a level. */
  onChange(line: LineInput): void;
}

/** @throws CONFIG if a line of --gpio cannot be had. */
export function openLines({
  gpio,
  pins,
  capabilities,
  site,
  field,
  loop,
  log,
  onChange,
}: LinesSettings): Lines {
  const { antennas, beams } = capabilities;
  const { gpis, gpos } = modelOf({ readerModel: site?.readerModel ?? '', antennas, beams });
  return new Lines({
    inputs: gpis,
    outputs: gpos,
    loop,
    onChange,
    scripted: (field?.inputs ?? []).map(({ port }) => port),
    hardware: gpio.length === 0 ? pins : openGpio(gpio, log),
  });
}

function openGpio(gpio: readonly GpioChipSpec[], log: Logger): GpioLines {
  const { GpioChip } = loadAddon();
  return new GpioLines(gpio, (options, onReadable) => new GpioChip(options, onReadable), log);
}
