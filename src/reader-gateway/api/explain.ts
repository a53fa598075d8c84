/** What a mode would do (POST /cloud/mode). Beyond the interface: names and units are our own. */
import { type Static, Type } from './schema.js';

export const ExplainedAntenna = Type.Object({
  antenna: Type.Integer({ description: 'Port, or beam on an array-type reader' }),
  port: Type.Integer(),
  beam: Type.Integer({ description: '0 = the antenna as a whole' }),
  powerDbm: Type.Number({ description: 'At the port' }),
  session: Type.String(),
  target: Type.String(),
  sel: Type.String(),
  tagPopulation: Type.Integer(),
  dwell: Type.String(),
  selects: Type.Integer({ description: 'Select commands in front of each round' }),
  access: Type.Array(Type.String(), { description: 'Operations on each tag, in order' }),
  tags: Type.Integer({ description: 'In the field, that the prediction is for' }),
  roundMs: Type.Number({ description: 'A round that reads all of them' }),
  selectsMs: Type.Number({ description: 'Of that: Selects and the delay after them' }),
  accessMsPerTag: Type.Number(),
  visitMs: Type.Number({ description: 'On the antenna, carrier switching included' }),
  readsPerVisit: Type.Number(),
  share: Type.Number({ description: 'Of the time of a cycle, 0..1' }),
  tagsPerSecond: Type.Number({ description: 'While on the antenna' }),
});

export const ExplainedMode = Type.Object(
  {
    type: Type.String(),
    linkProfile: Type.String({ description: 'That it begins with; the figures are for it' }),
    linkProfileCandidates: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of AUTO_DETECT: the radio takes the one that reads best at present',
      }),
    ),
    reportFilter: Type.String(),
    antennas: Type.Array(ExplainedAntenna),
    cycleMs: Type.Number(),
    tagsPerSecond: Type.Number({ description: 'Over a whole cycle' }),
    ceilingTagsPerSecond: Type.Number({ description: 'The most that the link allows' }),
    ignored: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Fields without effect, and why',
      }),
    ),
  },
  { description: 'A mode as the radio would run it' },
);
export type ExplainedMode = Static<typeof ExplainedMode>;
