/** Countries, and the regions of the radio that hold in them. Pure. */
import type { Region } from '../../contract/messages.js';

export interface Country {
  /** ISO 3166: two capital letters. */
  country: string;
  /** In English; the code where there is no name for it. */
  name: string;
  /** Names of the regions that hold there; at least one. */
  regions: string[];
}

type Named = Pick<Region, 'name' | 'countries'>;

/** @returns Every country of the regions once, in the order of their names. */
export function countriesOf(regions: readonly Named[]): Country[] {
  const found = new Map<string, string[]>();
  for (const { name, countries } of regions) {
    for (const code of countries) found.set(code, [...(found.get(code) ?? []), name]);
  }
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  return [...found]
    .map(([country, of]) => ({ country, name: names.of(country) ?? country, regions: of }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** @param text Code or name of the country, in any case. */
export function findCountry(text: string, countries: readonly Country[]): Country | undefined {
  const wanted = text.toLowerCase();
  return countries.find(
    ({ country, name }) => country.toLowerCase() === wanted || name.toLowerCase() === wanted,
  );
}
