/** antennas: the ports of the antenna cycle. */
import type { OperatingMode } from '../api/mode.js';
import type { Problems } from './problems.js';
import type { RadioFacts } from './radio-facts.js';

/** @returns The ports in the order of the cycle; all ports of the radio by default. */
export function compileAntennas(
  mode: OperatingMode,
  radio: RadioFacts,
  problems: Problems,
): readonly number[] {
  const { antennas } = mode;
  if (antennas === undefined) return radio.antennas;
  antennas.forEach((port, index) => {
    if (!radio.antennas.includes(port)) {
      const ports = radio.antennas.join(', ');
      problems.add(`antennas[${index}]`, `${port} is not one of the radio's antennas ${ports}`);
    } else if (antennas.indexOf(port) !== index) {
      problems.add(`antennas[${index}]`, `${port} is listed twice`);
    }
  });
  return antennas;
}
