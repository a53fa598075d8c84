/** The region of a radio module that keeps the rules of regions itself. */
import type { ListRegionsResponseInput } from '../../contract/messages.js';
import { errorMessage, SingulateError } from '../../shared/errors.js';
import type { NativeRadio } from '../addon/addon.js';
import {
  allChannels,
  chosenChannels,
  type RegionControl,
  regionMessage,
  regionOf,
  siteOf,
} from '../regions.js';
import { loadRegion } from '../scenario/regions.js';
import type { Site } from '../scenario/virtual-field.js';

/** Numbers of the Mercury protocol for our regions. */
const NUMBERS: Readonly<Record<string, number>> = {
  fcc: 0x01,
  india: 0x04,
  japan: 0x05,
  china: 0x06,
  'etsi-lower': 0x08,
  korea: 0x09,
  australia: 0x0b,
  'new-zealand': 0x0c,
  'etsi-upper': 0x1e,
};

type Radio = Pick<NativeRadio, 'region' | 'setRegion'>;

export class ModuleRegions implements RegionControl {
  /** Which channels were chosen; undefined: all. */
  #chosen: number[] | undefined;

  constructor(
    private readonly radio: Radio,
    private readonly link: { readonly away: string },
  ) {}

  get site(): Site | undefined {
    const name = this.#present;
    return name === undefined ? undefined : siteOf(name, loadRegion(name), undefined);
  }

  list(): ListRegionsResponseInput {
    const present = this.#present;
    return {
      regions: this.#names.map((name) => regionMessage(name, loadRegion(name))),
      region: present ?? '',
      channelsKhz: this.#chosen ?? (present === undefined ? [] : allChannels(loadRegion(present))),
    };
  }

  async set(name: string, channelsKhz: readonly number[]): Promise<void> {
    const { away } = this.link;
    if (away !== '') {
      throw new SingulateError('UNAVAILABLE', `the radio module is not connected: ${away}`);
    }
    const region = regionOf(name, this.#names);
    const chosen = channelsKhz.length === 0 ? [] : [...chosenChannels(region, channelsKhz)];
    try {
      await this.radio.setRegion(NUMBERS[name] as number, chosen);
    } catch (error) {
      const { code } = error as { code?: string };
      const isState = code === 'ERR_ALREADY_STARTED' || code === 'ERR_NOT_SUPPORTED';
      throw new SingulateError(isState ? 'STATE' : 'UNAVAILABLE', errorMessage(error));
    }
    this.#chosen = chosen.length === 0 ? undefined : chosen.sort((a, b) => a - b);
  }

  /** Those that the module has as well. */
  get #names(): string[] {
    const supported = this.radio.region()?.supported ?? [];
    return Object.keys(NUMBERS)
      .filter((name) => supported.includes(NUMBERS[name] as number))
      .sort();
  }

  get #present(): string | undefined {
    const number = this.radio.region()?.present;
    return Object.keys(NUMBERS).find((name) => NUMBERS[name] === number);
  }
}
