/** The first message of a TLS client, to be sent again and again: it costs who sends it nothing. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';

export async function clientHello(): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [hello] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return hello;
}
