import { GetCountries, SupportedCountries } from '../api/region.js';
import { countriesOf } from '../system/countries.js';
import { findRegion } from '../system/regions.js';
import type { Operation } from './operation.js';

export const getSupportedCountries: Operation = {
  name: 'getSupportedCountryList',
  summary: 'Countries by the regions that hold in them: of one region, or of all',
  method: 'GET',
  path: '/cloud/supportedCountryList',
  mqttCommand: 'get_supported_country_list',
  channel: 'management',
  requestSchema: GetCountries,
  responseSchema: SupportedCountries,
  async run({ radio }, request): Promise<SupportedCountries> {
    const { regions } = await radio.regions();
    const { region } = request as GetCountries;
    const wanted = region === undefined ? undefined : findRegion(region, regions).name;
    const countries = countriesOf(regions).filter(
      (country) => wanted === undefined || country.regions.includes(wanted),
    );
    return { SupportedCountries: countries };
  },
};
