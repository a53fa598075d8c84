import t from 'tap';
import { serviceWithClient } from './service.js';

t.test('one service', async (t) => {
  const { client } = await serviceWithClient(t);

  t.test('a plan that can run has no violations, and starts nothing', async (t) => {
    const { violations } = await client.validatePlan({ plan: { antennas: [{ port: 1 }] } });
    t.strictSame(violations, []);
    t.equal((await client.getStatus()).inventoryId, '');
  });

  t.test('every fault of a plan is named at once', async (t) => {
    const plan = {
      antennas: [{ port: 9, transmitPowerCdbm: 9999 }],
      linkProfile: 'warp',
      minRssiCdbm: 5,
    };
    const { violations } = await client.validatePlan({ plan });
    t.strictSame(violations.map(({ field }) => field).sort(), [
      'antennas[0].port',
      'antennas[0].transmit_power_cdbm',
      'link_profile',
      'min_rssi_cdbm',
    ]);
    for (const { description } of violations) t.match(description, /allowed/);
  });

  t.test('faults of what the radio does not see are found by themselves as well', async (t) => {
    const { violations } = await client.validatePlan({
      plan: { idFilter: { match: 1, value: 'x' } },
    });
    t.strictSame(
      violations.map(({ field }) => field),
      ['id_filter.value'],
    );
  });
});
