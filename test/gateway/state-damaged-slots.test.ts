/** Slots of the emulated device that cannot be used, and what its boot loader remembers, keep nobody out. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { TestReader, temporaryFolder, until } from './reader.js';
import { FileServer, makeBundle, trustSigner } from './updates.js';

const CONTENTS: Record<string, string> = {
  empty: '',
  'half a file': '{"format":',
  null: 'null',
  'a file of a newer version': '{"formatVersion": 99, "format": 2}',
};

for (const [what, content] of Object.entries(CONTENTS)) {
  for (const file of ['boot.json', 'slots/A/slot.json']) {
    t.test(`${file}: ${what}`, async (t) => {
      const stateDir = temporaryFolder(t);
      const path = join(stateDir, 'update', 'device', file);
      const first = await TestReader.start(t, { stateDir });
      await first.gateway.stop();
      writeFileSync(path, content);
      const reader = await TestReader.start(t, {
        stateDir,
        bootId: 'another boot',
        radio: first.radio,
      });
      t.teardown(() => reader.gateway.stop());
      t.equal((await reader.call('GET', 'status')).status, 200);
      const name = file.replace(/^.*\//, '');
      const fault = `singulate_state_file_faults{file="${name}"} 1`;
      t.match((await reader.call('GET', 'metrics')).text, fault);
      t.equal(readFileSync(path, 'utf8'), content, 'it is as it was');
      if (what !== 'half a file') return;

      trustSigner(stateDir);
      const server = await FileServer.start(t, makeBundle({ version: '2.0.0' }));
      const update = { url: server.url, authenticationType: 'NONE' };
      t.match(await reader.call('PUT', 'os', update), { status: 200 });
      const version = async () => (await reader.call('GET', 'version')).text.includes('2.0.0');
      await until('the update boots', version);
      const asides = readdirSync(join(stateDir, 'update', 'device')).filter((each) =>
        each.includes('damaged'),
      );
      t.equal(asides.length, file === 'boot.json' ? 1 : 0, 'what is replaced stays beside it');
    });
  }
}
