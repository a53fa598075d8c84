/** The floor: bare Koa that answers with a body that is ready, and takes JSON. argv: folder with key.pem and cert.pem. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bodyParser } from '@koa/bodyparser';
import Koa from 'koa';
import { SERVER_TLS } from '../../src/shared/server-tls.js';

const folder = process.argv[2] as string;
const read = (name: string) => readFileSync(join(folder, name));
let body: object = {};
const app = new Koa();
app.use(bodyParser());
app.use((ctx) => {
  ctx.body = ctx.method === 'GET' ? body : '';
});
const server = createServer(
  { ...SERVER_TLS, key: read('key.pem'), cert: read('cert.pem') },
  app.callback(),
);
process.on('message', (message: object) => {
  body = message;
  process.send?.('taken');
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
