/** The units of the packages bound what a service takes of the machine, as the page says. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const BOUNDED = ['MemoryMax', 'TasksMax', 'CPUQuota', 'CPUWeight', 'LimitNOFILE', 'OOMScoreAdjust'];
const SERVICES = ['radio-control', 'reader-gateway'];

const pathOf = (service: string) =>
  join(PACKAGE_ROOT, 'packaging/systemd', `singulate-${service}.service`);
const page = readFileSync(join(PACKAGE_ROOT, 'docs/packages.md'), 'utf8');

SERVICES.forEach((service, column) => {
  t.test(service, async (t) => {
    const unit = readFileSync(pathOf(service), 'utf8');
    for (const name of BOUNDED) {
      const value = new RegExp(`^${name}=(\\S+)$`, 'm').exec(unit)?.[1];
      const cells = new RegExp(`^\\| \`${name}\`[^|]*\\|([^|]+)\\|([^|]+)\\|$`, 'm').exec(page);
      const said = /^-?[\d]+[M%]?/.exec(cells?.[column + 1]?.trim() ?? '')?.[0];
      t.ok(value, `${name} is set`);
      t.equal(said, value, `${name} is what the page says`);
    }
  });
});

t.test('systemd understands them', async (t) => {
  const { error, stderr } = spawnSync('systemd-analyze', ['verify', ...SERVICES.map(pathOf)], {
    encoding: 'utf8',
  });
  // It is not everywhere; the packages' own test has it.
  if (error !== undefined) return t.comment('systemd-analyze is not here');
  // Programs, users and newer settings are another machine's.
  const own = stderr.split('\n').filter((line) => /singulate-.*\.service:\d+:/.test(line));
  const wrong = own.filter(
    (line) => !/Unknown key( name)? 'Restart(Steps|MaxDelaySec)'/.test(line),
  );
  t.same(wrong, []);
});
