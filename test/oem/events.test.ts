import t from 'tap';
import { ControlChanged } from '../../src/contract/messages.js';
import { until } from '../gateway/reader.js';
import { collect, serviceWithClient } from './service.js';

t.test('a client that watches sees what happens to the radio, in its order', async (t) => {
  const { client } = await serviceWithClient(t);
  const watched = collect(t, client.watchEvents());
  await until('the first message', () => watched.messages.length > 0);
  t.equal(watched.messages[0]?.events.length, 0);
  t.not(watched.messages[0]?.logId, '');

  const { leaseId } = await client.acquireControl({ owner: 'cell' });
  const { inventoryId } = await client.startInventory({ plan: {}, owner: 'cell', leaseId });
  const { plan } = await client.changePlan({ plan: { linkProfile: 'M4-250' }, leaseId });
  await client.setOutput({ port: 1, high: true, leaseId });
  await client.stopInventory({ leaseId });
  await client.setRegion({ region: 'etsi-lower', leaseId });
  await client.releaseControl(leaseId);

  const events = () => watched.messages.flatMap((message) => message.events);
  await until('all events', () => events().length >= 7);
  const names = events().map(({ event }) => event);
  t.strictSame(names, [
    'controlChanged',
    'inventoryStarted',
    'planChanged',
    'lineChanged',
    'inventoryEnded',
    'regionChanged',
    'controlChanged',
  ]);
  const [acquired, started, changed, line, ended, region, released] = events();
  t.equal(acquired?.controlChanged?.owner, 'cell');
  t.equal(started?.inventoryStarted?.inventoryId, inventoryId);
  t.equal(changed?.planChanged?.plan, plan);
  t.match(line?.lineChanged?.line, { port: 1, high: true });
  t.match(ended?.inventoryEnded, { inventoryId, reason: 'stopped' });
  t.equal(region?.regionChanged?.region, 'etsi-lower');
  t.match(released?.controlChanged, { why: ControlChanged.Why.RELEASED, previousOwner: 'cell' });
  t.strictSame(
    events().map(({ sequence }) => Number(sequence)),
    [1, 2, 3, 4, 5, 6, 7],
  );
});

t.test('a client that was away goes on after the event that it saw last', async (t) => {
  const { client } = await serviceWithClient(t);
  for (const high of [true, false, true]) await client.setOutput({ port: 1, high });
  const all = collect(t, client.watchEvents({ afterSequence: 0 }));
  await until('all events', () => all.messages.length > 0);
  const [{ logId = '', events = [] } = {}] = all.messages;
  t.equal(events.length, 3);
  const rest = collect(t, client.watchEvents({ afterSequence: 2, logId }));
  await until('the rest', () => rest.messages.length > 0);
  t.strictSame(
    rest.messages[0]?.events.map(({ sequence }) => Number(sequence)),
    [3],
  );
  const other = collect(t, client.watchEvents({ afterSequence: 99, logId: 'of another service' }));
  await until('the oldest', () => other.messages.length > 0);
  t.equal(Number(other.messages[0]?.events[0]?.sequence), 1);
});

t.test('a link profile that the service chose is told, and stands in the status', async (t) => {
  const { client } = await serviceWithClient(t);
  const watched = collect(t, client.watchEvents());
  const plan = { linkProfile: 'M8-160', linkProfileCandidates: ['FM0-640', 'M8-160'] };
  t.match(await client.explainPlan({ plan }), plan);
  const { inventoryId } = await client.startInventory({ plan });
  const chosen = () =>
    watched.messages.flatMap(({ events }) => events).find((one) => one.linkProfileChanged);
  await until('another link profile', () => chosen() !== undefined);
  t.match(chosen()?.linkProfileChanged, {
    inventoryId,
    linkProfile: 'FM0-640',
    previous: 'M8-160',
  });
  const { linkProfile, counters } = await client.getStatus();
  t.equal(linkProfile, 'FM0-640');
  t.ok(Number(counters?.linkChecks) >= 1 && Number(counters?.linkChanges) >= 1);
  t.ok(Number(counters?.linkCheckNs) > 0);
  await client.stopInventory({});
  const wrong = { plan: { linkProfileCandidates: ['M4-250', 'X', 'M4-250'] } };
  const { violations } = await client.validatePlan(wrong);
  t.same(
    violations.map(({ field }) => field),
    ['link_profile_candidates[1]', 'link_profile_candidates[2]'],
  );
});
