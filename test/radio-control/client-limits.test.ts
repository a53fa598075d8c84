import t from 'tap';
import { Clients, DEFAULT_LIMITS } from '../../src/radio-control/grpc/client-limits.js';

const pump = { via: 'tls', name: 'pump' } as const;

t.test('calls come back with time, up to a second of them', (t) => {
  let now = 0;
  const clients = new Clients({ ...DEFAULT_LIMITS, maxCallsPerSecond: 10 }, () => now);
  const use = clients.connect(pump);
  if (use === undefined) throw new Error('it was refused');
  const granted = () => {
    let calls = 0;
    while (clients.takeCall(use)) calls += 1;
    return calls;
  };
  t.equal(granted(), 10);
  now += 250;
  t.equal(granted(), 2);
  now += 60_000;
  t.equal(granted(), 10);
  t.end();
});

t.test('connections under one name share what they may, and names end with them', (t) => {
  const clients = new Clients({ ...DEFAULT_LIMITS, maxConnectionsOfClient: 2 });
  const first = clients.connect(pump);
  const second = clients.connect(pump);
  if (first === undefined) throw new Error('it was refused');
  t.equal(second, first);
  t.equal(clients.connect(pump), undefined);
  t.ok(clients.connect({ via: 'socket', name: 'pump' }), 'a name counts at its door');
  clients.refuse('connectionsOfClient');
  t.match(clients.snapshot(), {
    ...{ clients: 2, connections: 3, streams: 0 },
    refused: { connectionsOfClient: 1, role: 0 },
  });
  clients.disconnect(pump, first);
  clients.disconnect(pump, first);
  t.match(clients.snapshot(), { clients: 1, connections: 1 });
  t.end();
});
