/** What the reader is and how it does; its configuration. */
import { createServer } from 'node:net';
import { listen, postTo } from '../../gateway/connection-tests.js';
import { FileServer } from '../../gateway/updates.js';
import type { Group } from '../operation-case.js';

export const facts: Group = async ({ t, reader }) => {
  const update = await FileServer.start(t, Buffer.alloc(1000));
  update.holdAfter = 10;
  const silent = await listen(t, createServer());
  const slow = { type: 'mqtt', options: { endpoint: `127.0.0.1:${silent}`, publishTopic: ['a'] } };
  return {
    getVersion: { success: {} },
    getStatus: {
      success: {},
      others: {
        202: {
          before: () => reader.call('PUT', 'os', { url: update.url, authenticationType: 'NONE' }),
        },
      },
    },
    getReaderCapabilities: { success: {} },
    getConfig: { success: {} },
    setConfig: { success: { xml: '<a/>' } },
    testConnection: {
      success: postTo('http://127.0.0.1:9/'),
      others: {
        429: {
          code: 11,
          before: async () => {
            for (let i = 0; i < 20; i++) void reader.call('POST', 'testConnection', slow);
          },
        },
      },
    },
  };
};
