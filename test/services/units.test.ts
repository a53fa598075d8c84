import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { BEAT_LIMITS } from '../../src/cli/beat-watch.js';
import { MEMORY_ENVIRONMENT, NODE_ARGS } from '../../src/cli/service-process.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

for (const service of ['radio-control', 'reader-gateway']) {
  t.test(`the unit of ${service} runs node as the command does`, async (t) => {
    const file = join(PACKAGE_ROOT, `packaging/systemd/singulate-${service}.service`);
    const unit = readFileSync(file, 'utf8');
    const [, command = ''] = /^ExecStart=((?:.*\\\n)*.*)$/m.exec(unit) ?? [];
    const [, environment = ''] = /^Environment=(.*)$/m.exec(unit) ?? [];
    t.match(unit, `WatchdogSec=${BEAT_LIMITS.silentMs / 1000}\n`, 'as the command waits for beats');
    const words = command.split(/[\s\\]+/);
    const script = words.findIndex((word) => word.endsWith(`${service}.js`));
    t.strictSame(words.slice(1, script), NODE_ARGS);
    t.strictSame(
      environment.split(' '),
      Object.entries(MEMORY_ENVIRONMENT).map(([name, value]) => `${name}=${value}`),
    );
  });
}
