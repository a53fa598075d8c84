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
import { loadRegion, regionNames } from '../scenario/regions.js';
import type { Site } from '../scenario/virtual-field.js';

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
      await this.radio.setRegion(this.#numbers.get(name) as number, chosen);
    } catch (error) {
      const { code } = error as { code?: string };
      const isState = code === 'ERR_ALREADY_STARTED' || code === 'ERR_NOT_SUPPORTED';
      throw new SingulateError(isState ? 'STATE' : 'UNAVAILABLE', errorMessage(error));
    }
    this.#chosen = chosen.length === 0 ? undefined : chosen.sort((a, b) => a - b);
  }

  /** Its numbers, by those names of its driver that are ours as well. */
  get #numbers(): Map<string, number> {
    const ours = new Set(regionNames());
    const supported = this.radio.region()?.supported ?? [];
    return new Map(
      supported.filter(({ name }) => ours.has(name)).map(({ name, number }) => [name, number]),
    );
  }

  get #names(): string[] {
    return [...this.#numbers.keys()].sort();
  }

  get #present(): string | undefined {
    const name = this.radio.region()?.name;
    return regionNames().find((one) => one === name);
  }
}
