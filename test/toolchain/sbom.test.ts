/** The bill of materials of a release says what is in it, and nothing else. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { PACKAGE_ROOT as ROOT } from '../../src/shared/package-info.js';

interface Entry {
  version: string;
  license?: string;
  dev?: boolean;
  /** To a workspace, whose own entry lies under its folder. */
  link?: boolean;
}

const { sbomText } = (await import(`${ROOT}/toolchain/packages/sbom.mjs`)) as {
  sbomText(root: string): string;
};
const { BROUGHT } = (await import(`${ROOT}/toolchain/node-lines.mjs`)) as {
  BROUGHT: { version: string };
};
const text = sbomText(ROOT);
const bom = JSON.parse(text);
const { packages } = JSON.parse(readFileSync(`${ROOT}/package-lock.json`, 'utf8')) as {
  packages: Record<string, Entry>;
};
const { version } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
const inProduction = Object.entries(packages).filter(
  ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
);
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 13);

t.test(
  'every package of the lock file that is no tool is in it, with version and licence',
  async (t) => {
    t.ok(inProduction.length > 50);
    for (const [path, entry] of inProduction) {
      const found = bom.components.find(
        (each: Entry & { name: string }) =>
          each.name === nameOf(path) && each.version === entry.version,
      );
      const [licence] = found?.licenses ?? [];
      const said = licence?.expression ?? licence?.license.id;
      t.equal(said, entry.license?.replace(/^\((.*)\)$/, '$1') ?? 'no licence', path);
      t.match(found.hashes?.[0], { alg: 'SHA-512', content: /^[0-9a-f]{128}$/ }, path);
    }
  },
);

t.test('tools of developers are not in it', async (t) => {
  const names = new Set(inProduction.map(([path]) => nameOf(path)));
  const others = bom.components.filter(({ name }: { name: string }) => !names.has(name));
  t.match(others, [
    { name: 'singulate.node', version, licenses: [{ license: { id: 'Apache-2.0' } }] },
    { name: 'Node.js', type: 'platform', version: BROUGHT.version },
  ]);
});

t.test('whatever needs another one is in it, and nothing is there without need', async (t) => {
  const refs: string[] = bom.components.map((each: Record<string, string>) => each['bom-ref']);
  t.equal(new Set(refs).size, refs.length, 'each once');
  const needed = new Set<string>();
  for (const { ref, dependsOn } of bom.dependencies) {
    if (ref !== bom.metadata.component['bom-ref']) t.ok(refs.includes(ref), ref);
    for (const need of dependsOn) needed.add(need);
  }
  for (const ref of refs) t.ok(needed.has(ref), `${ref} is needed`);
  for (const ref of needed) t.ok(refs.includes(ref), `${ref} is there`);
});

t.test('the same sources give the same bytes, without a time or a folder in them', async (t) => {
  t.equal(sbomText(ROOT), text);
  t.notOk(text.includes(ROOT));
  t.notMatch(text, /timestamp|20\d\d-\d\d-\d\dT/);
  t.match(
    bom.serialNumber,
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});
