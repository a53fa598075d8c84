/** Regions as the interface speaks of them. Pure. */
import type { Region } from '../../contract/messages.js';
import { invalid, type Violation } from '../../shared/errors.js';
import type { ChosenRegion } from '../api/reader-settings.js';
import type { SetRegulatory } from '../api/region.js';
import { show } from '../api/validate.js';
import { type Country, countriesOf, findCountry } from './countries.js';

/** Each region has one set of rules, and its name is what they are in words. */
export function standardName(region: Pick<Region, 'description'> | undefined): string {
  return region?.description || 'UNDEFINED';
}

/** @param name Of a region, or of a country in which one region alone holds. @throws INVALID */
export function findRegion(name: string, regions: readonly Region[]): Region {
  const found = regions.find((one) => one.name === name);
  if (found !== undefined) return found;
  const country = findCountry(name, countriesOf(regions));
  if (country !== undefined) return regionOfCountry(country, regions);
  const allowed = regions.map((one) => one.name).join(', ');
  const message =
    regions.length === 0
      ? 'the region of this radio module cannot be chosen'
      : `${show(name)} is not one of ${allowed}, nor a country of theirs`;
  throw invalid([{ field: 'region', message }]);
}

function regionOfCountry({ name, regions: held }: Country, regions: readonly Region[]): Region {
  const [only, ...more] = regions.filter((one) => held.includes(one.name));
  if (only !== undefined && more.length === 0) return only;
  const message = `${name} has more than one region: choose one of ${held.join(', ')}`;
  throw invalid([{ field: 'region', message }]);
}

/** @throws INVALID naming every wrong field. */
export function chosenRegion(request: SetRegulatory, regions: readonly Region[]): ChosenRegion {
  const region = findRegion(request.region, regions);
  const problems: Violation[] = [];
  const { regulatoryStandard, lbtEnabled, channelData = [] } = request;
  const standard = standardName(region);
  if (regulatoryStandard !== undefined && regulatoryStandard !== standard) {
    const message = `${show(regulatoryStandard)} is not ${show(standard)}, the standard of ${region.name}`;
    problems.push({ field: 'regulatoryStandard', message });
  }
  if (lbtEnabled !== undefined && String(lbtEnabled) !== String(region.listens)) {
    const message = `${show(lbtEnabled)} is not ${region.listens}, as the rules of ${region.name} ask for`;
    problems.push({ field: 'lbtEnabled', message });
  }
  const channels = [...new Set(channelData)];
  channelData.forEach((khz, index) => {
    if (region.channelsKhz.includes(khz)) return;
    const message = `${khz} is not one of the channels of ${region.name}: ${region.channelsKhz.join(', ')}`;
    problems.push({ field: `channelData[${index}]`, message });
  });
  const all = region.channelsKhz.length;
  if (region.hopping && channels.length > 0 && channels.length < all) {
    const message = `has ${channels.length} of the ${all} channels; where hopping is the rule all are used`;
    problems.push({ field: 'channelData', message });
  }
  if (problems.length > 0) throw invalid(problems);
  return { region: region.name, channels: channels.length === all ? [] : channels };
}
