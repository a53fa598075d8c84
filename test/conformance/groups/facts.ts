/** What the reader is and how it does. */
import { postTo } from '../../gateway/connection-tests.js';
import { until } from '../../gateway/reader.js';
import { FileServer } from '../../gateway/updates.js';
import type { Group } from '../operation-case.js';
import { SilentServer } from '../silent-server.js';

export const facts: Group = async ({ t, reader }) => {
  const update = await FileServer.start(t, Buffer.alloc(1000));
  update.holdAfter = 10;
  const { update: updater } = reader.gateway.context;
  const retry = { policy: { retries: 0 } };
  const silent = await SilentServer.start(t);
  const endpoint = `127.0.0.1:${silent.port}`;
  const slow = { type: 'mqtt', options: { endpoint, publishTopic: ['a'] } };
  return {
    getVersion: { success: {} },
    getStatus: {
      success: {},
      others: {
        202: {
          before: () =>
            reader.call('PUT', 'os', { url: update.url, authenticationType: 'NONE', retry }),
          after: async () => {
            update.failures = Array.from({ length: 10 }, () => ({ status: 404 }));
            update.breakOff();
            await until('the update failed', () => updater.status === undefined);
            update.failures = [];
          },
        },
      },
    },
    getReaderCapabilities: { success: {} },
    passThrough: { success: { component: 'RC', payload: 'status' }, needs: ['radio'] },
    testConnection: {
      success: postTo('http://127.0.0.1:9/'),
      others: {
        429: {
          code: 11,
          before: async () => {
            const test = () => reader.call('POST', 'testConnection', slow);
            silent.hold(Array.from({ length: 3 }, test));
            await until('they are under way', () => silent.connections >= 2);
          },
          after: () => silent.release(),
        },
      },
    },
  };
};
