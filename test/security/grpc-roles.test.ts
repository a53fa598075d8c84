import { status } from '@grpc/grpc-js';
import t from 'tap';
import type { RadioClient } from '../../src/contract/client.js';
import { radioService } from '../../src/contract/service.js';
import { METHOD_ROLES } from '../../src/radio-control/grpc/roles.js';
import { refusal, secureRadio } from './grpc.js';

t.test('every method of the service has a row in the table of roles', async (t) => {
  for (const { path } of Object.values(radioService)) {
    const method = path.slice(path.lastIndexOf('/') + 1);
    t.ok(METHOD_ROLES[method], method);
  }
});

/** One of each kind: to look, to steer, to set up. */
const CALLS: Record<string, (client: RadioClient) => Promise<unknown>> = {
  GetStatus: (client) => client.getStatus(),
  ListRegions: (client) => client.listRegions(),
  StopInventory: (client) => client.stopInventory(),
  SetInput: (client) => client.setInput({ port: 1, high: false }),
  SetLogLevel: (client) => client.setLogLevel({ level: 5 }),
};

const ALLOWED = {
  observer: ['GetStatus', 'ListRegions'],
  controller: ['GetStatus', 'ListRegions', 'StopInventory', 'SetInput'],
  admin: Object.keys(CALLS),
};

t.test('each role may do what its row says, and is told which role it lacks', async (t) => {
  const radio = await secureRadio(t);
  for (const [role, allowed] of Object.entries(ALLOWED)) {
    const client = radio.client({ name: `the ${role}`, units: ['Berlin', role] });
    for (const [method, call] of Object.entries(CALLS)) {
      const refused = await refusal(call(client));
      if (allowed.includes(method)) {
        t.not(refused?.code, status.PERMISSION_DENIED, `${role} may ${method}`);
      } else {
        t.strictSame(refused, {
          code: status.PERMISSION_DENIED,
          details: `${method} needs the role ${METHOD_ROLES[method]}; the ${role} has the role ${role}`,
        });
      }
    }
  }
});

t.test('an observer sees reads over TLS', async (t) => {
  const radio = await secureRadio(t);
  const reads = radio.client({ name: 'eye', units: ['observer'] }).streamReads();
  reads.on('error', () => {});
  t.teardown(() => reads.cancel());
  await new Promise((resolve) => reads.once('metadata', resolve));
  await radio.client({ name: 'hand', units: ['controller'] }).startInventory({ plan: {} });
  const batch = await new Promise<{ reads: unknown[] }>((resolve) => reads.once('data', resolve));
  t.ok(batch.reads.length > 0);
});

t.test('a certificate without exactly one role gets a clear answer on every call', async (t) => {
  const radio = await secureRadio(t);
  const text = 'the client certificate must name one role as its organizational unit (OU): ';
  const roles = 'observer, controller, admin; it has ';
  const cases: [string[], string][] = [
    [[], 'none'],
    [['Root'], '"Root"'],
    [['observer', 'admin'], '"observer", "admin"'],
  ];
  for (const [units, given] of cases) {
    const client = radio.client({ name: 'somebody', units });
    const answer = { code: status.PERMISSION_DENIED, details: `${text}${roles}${given}` };
    t.strictSame(await refusal(client.getStatus()), answer);
    t.strictSame(await refusal(client.stopInventory()), answer);
  }
});
