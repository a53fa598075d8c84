/** docs/directionality.md names each parameter with the default that holds. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { AdvancedConfig, BasicConfig } from '../../src/reader-gateway/api/directionality.js';

const page = readFileSync('docs/directionality.md', 'utf8');

t.test('parameters and defaults', async (t) => {
  const rows = new Map<string, string>();
  for (const line of page.split('\n')) {
    const [, name, , standard] = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    if (name !== undefined && standard !== undefined) rows.set(name, standard);
  }
  for (const schema of [BasicConfig, AdvancedConfig]) {
    for (const [name, property] of Object.entries(schema.properties)) {
      const { default: value } = property as { default?: unknown };
      if (value === undefined) {
        t.ok(rows.has(name), name);
        continue;
      }
      t.equal(rows.get(name), typeof value === 'string' ? value : JSON.stringify(value), name);
    }
  }
});

t.test('the examples are JSON, one per event', async (t) => {
  const blocks = [...page.matchAll(/```json\n(.*?)\n```/gs)].map(([, text]) => text ?? '');
  const events = blocks.map((text) => JSON.parse(text) as { type: string; data: object });
  t.match(events, [
    { data: { event: 'NEW' } },
    { data: { event: 'TRANSITION' } },
    { data: { event: 'UPDATE' } },
    { data: { event: 'TIMED_OUT' } },
    { type: 'RAW_DIRECTIONALITY' },
  ]);
});
