/** Bytes in the place of a message, and connections without a word. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import t from 'tap';
import { startRadioControl } from '../oem/radio-control.js';
import { refusal, socketClient, until } from './grpc.js';

t.test('a request that is no message is an error of the client', async (t) => {
  const service = await startRadioControl(t);
  const client = new Client(service.target, credentials.createInsecure());
  t.teardown(() => client.close());
  const call = (method: string, bytes: Buffer) =>
    new Promise<Partial<ServiceError>>((resolve) => {
      const path = `/singulate.radio.v1.Radio/${method}`;
      const send = (message: Buffer) => message;
      client.makeUnaryRequest(path, send, send, bytes, (error) => resolve(error ?? {}));
    });
  // Field 1 with a length that goes beyond the end; a group's end without its begin.
  for (const bytes of [Buffer.from([0x0a, 0x7f, 0x01]), Buffer.from([0x0c])]) {
    for (const method of ['StartInventory', 'GetStatus', 'SetOutput']) {
      const { code, details } = await call(method, bytes);
      t.equal(code, status.INVALID_ARGUMENT, `${method}: ${details}`);
      t.match(details, `the request of ${method} is not a message of its type`);
    }
  }
  t.equal(await refusal(socketClient(t, service.target).getStatus()), undefined);
});

t.test("connections without a word take nobody's place, and do not stay", async (t) => {
  const service = await startRadioControl(t, ['--grpc-max-clients', '1']);
  const silent: Socket[] = [];
  t.teardown(() => {
    for (const socket of silent) socket.destroy();
  });
  for (let i = 0; i < 400; i++) {
    const socket = connect(service.target.replace('unix:', ''));
    silent.push(socket);
    socket.on('error', () => {});
    socket.resume();
    await once(socket, 'connect');
  }
  t.equal(await refusal(socketClient(t, service.target).getStatus()), undefined);
  await until(() => silent.every(({ closed }) => closed), 'they are cut off');
});
