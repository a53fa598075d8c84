import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Server, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import t from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import type { RadioStatusInput } from '../../src/contract/messages.js';
import { radioService } from '../../src/contract/service.js';
import { type Caller, callerOf } from '../../src/radio-control/grpc/caller.js';
import { Clients, DEFAULT_LIMITS } from '../../src/radio-control/grpc/client-limits.js';
import { Connections } from '../../src/radio-control/grpc/connections.js';
import { shortFolder, until } from '../security/grpc.js';

t.test('handlers can ask who calls, and the counts follow the client', async (t) => {
  const server = new Server();
  const callers: Caller[] = [];
  server.addService(
    { getStatus: radioService.getStatus },
    {
      getStatus: (
        call: ServerUnaryCall<object, RadioStatusInput>,
        done: sendUnaryData<RadioStatusInput>,
      ) => {
        callers.push(callerOf(call));
        done(null, {});
      },
    },
  );
  const clients = new Clients(DEFAULT_LIMITS);
  const connections = new Connections(server, clients);
  const caller = { via: 'tls', name: 'pump', role: 'controller' } as const;
  const path = join(shortFolder(t), 'a.sock');
  const door = createServer((socket: Socket) => connections.admit(socket, caller)).listen(path);
  await once(door, 'listening');
  const client = new RadioClient(`unix:${path}`);
  await client.getStatus();
  t.strictSame(callers, [caller]);
  t.match(clients.snapshot(), { clients: 1, connections: 1 });
  connections.closeAll();
  client.close();
  server.forceShutdown();
  door.close();
  await until(() => clients.snapshot().connections === 0, 'the connection is over');
  t.match(clients.snapshot(), { clients: 0, connections: 0 });
});
