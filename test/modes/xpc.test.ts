import t from 'tap';
import { runMode, tagsOf } from './on-air.js';

t.test('XPC and the format uii of a tag whose PC says that it is no EPC', async (t) => {
  const { events } = await runMode(
    {
      type: 'CUSTOM',
      antennas: [1],
      query: { session: 'S0' },
      reportFilter: { duration: 0, type: 'RADIO_WIDE' },
      tagMetaData: ['PC', 'XPC', 'TAGURI'],
      // The toggle bit, and the AFI 17h: with a kill password XPC_W1 is not zero, and is sent.
      access: [{ type: 'WRITE', config: { membank: 'EPC', wordPointer: 1, data: '3117' } }],
    },
    {
      cycles: 2,
      tags: tagsOf(1, { killPassword: 1 }),
      field: {
        models: [
          {
            name: 'untraceable',
            epcWords: 8,
            userWords: 8,
            writeSensitivityDbm: -30,
            untraceable: true,
          },
        ],
      },
    },
  );
  const [before, after] = events.map(({ data }) => data);
  t.match(before, { format: 'epc', PC: /^30/, TAGURI: /^urn:epc:/ });
  t.notOk('XPC' in before, 'it is only there if the tag sent it');
  t.match(after, { format: 'uii', PC: /^3[37]17$/, XPC: /^[0-9a-f]{4}$/ });
  t.match(after.TAGURI, /^urn:epc:raw:\[.*xpc=x[0-9A-F]{4}\]:96\.x17\.x3034/);
});
