/** User applications. */
import { until } from '../../gateway/reader.js';
import { answering, appPackage, FileServer } from '../../gateway/user-apps.js';
import type { Group, Provocation } from '../operation-case.js';

/** Commands that one application may have to answer. */
const COMMANDS = 16;

export const applications: Group = async ({ t, reader }) => {
  const server = new FileServer();
  await server.start(t);
  server.files.set('a.tar.gz', appPackage('echo', answering('(text) => text')));
  server.files.set('b.tar.gz', appPackage('silent', answering('() => undefined')));
  const named = { appname: 'echo' };
  const retry = { policy: { retries: 0, wait: { min: 0, max: 1 } } };
  const request = {
    url: server.url,
    filename: 'a.tar.gz',
    authenticationType: 'NONE',
    timeouts: { read: 10 },
    retry,
  };
  const installed = () => reader.call('PUT', 'apps/install', request);
  const running = async (name: string, filename: string) => {
    await reader.call('PUT', 'apps/install', { ...request, filename });
    await reader.call('PUT', `apps/${name}/start`);
    const isConnected = () =>
      reader.gateway.apps.list().find(({ appname }) => appname === name)?.connected;
    await until(`${name} has opened its socket`, isConnected, 30_000);
  };
  let first: Promise<unknown> = Promise.resolve();
  const nothing = { appname: 'nothing' };
  const notThere: Record<number, Provocation> = { 404: { code: 5, request: nothing } };
  return {
    listUserApps: { success: {} },
    installUserApp: {
      success: request,
      others: {
        429: {
          code: 11,
          before: async () => {
            server.answer = () => {};
            const before = server.requests.length;
            first = installed();
            await until('the first asks the server', () => server.requests.length > before);
          },
          after: async () => {
            server.answer = (incoming, response) => server.serve(incoming, response);
            for (const { socket } of server.requests) socket.destroy();
            await first;
          },
        },
        // Nobody is there.
        500: {
          code: 4,
          request: { ...request, url: 'http://127.0.0.1:9' },
        },
      },
    },
    uninstallUserApp: { success: named, before: installed, others: notThere },
    startUserApp: { success: named, before: installed, others: notThere },
    stopUserApp: { success: named, before: installed, others: notThere },
    setUserAppAutostart: {
      success: { ...named, autostart: false },
      before: installed,
      others: { 404: { code: 5, request: { ...nothing, autostart: false } } },
    },
    sendToUserApp: {
      success: { ...named, userapp: 'echo', command: 'x' },
      before: () => running('echo', 'a.tar.gz'),
      others: {
        400: { code: 3, before: () => reader.call('PUT', 'apps/echo/stop') },
        404: { code: 5, request: { ...nothing, userapp: 'nothing', command: 'x' } },
        429: {
          code: 11,
          request: { appname: 'silent', userapp: 'silent', command: 'x' },
          before: async () => {
            await running('silent', 'b.tar.gz');
            for (let i = 0; i < COMMANDS; i++)
              void reader.gateway.apps.send('silent', 'x').catch(() => {});
          },
          after: () => reader.call('PUT', 'apps/silent/uninstall'),
        },
      },
    },
  };
};
