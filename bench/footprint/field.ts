/** The reads of the bench: a field on the simulated radio that gives about 1,300 of them a second. */

/** What a reader of this kind is built for. */
export const READS_PER_SECOND = 1300;

/** Beyond this the figures are those of another rate, and the bench fails. */
export const RATE_TOLERANCE = 0.1;

/** Tags close to one antenna, each at its place: the rate comes from the link and their number. */
export const FIELD = {
  description: 'Forty tags on a table in front of one antenna',
  seed: 1,
  region: 'fcc',
  antennas: [{ port: 1, position: [0, 0, 1], gainDbi: 6 }],
  groups: [
    {
      position: [0, 0, 0],
      tags: [
        {
          epc: 'urn:epc:tag:sgtin-96:1.9521141.012345.{serial}',
          count: 40,
          box: { center: [0, 0, 0], size: [0.6, 0.6, 0] },
        },
      ],
    },
  ],
};

/** The field's plan for clients of the radio service alone: about 1,400 reads a second. */
export const PLAN = {
  linkProfile: 'FM0-640',
  antennas: [{ port: 1, query: { target: 2, tagPopulation: 40 } }],
};

/** Every read becomes a tag event. */
export const MODE = {
  type: 'CUSTOM',
  environment: 'LOW_INTERFERENCE',
  reportFilter: { duration: 0, type: 'RADIO_WIDE' },
  tagMetaData: ['ANTENNA', 'RSSI', 'SEEN_COUNT'],
  query: { session: 'S0', target: 'A', tagPopulation: 40 },
};
