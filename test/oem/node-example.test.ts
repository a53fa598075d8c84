import { join } from 'node:path';
import t from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { expectTags, startRadioControl } from './radio-control.js';

t.test('the Node.js example starts an inventory and prints tags', async (t) => {
  const radio = await startRadioControl(t);
  const example = join(PACKAGE_ROOT, 'docs/examples/oem-client.mjs');
  await expectTags(t, process.execPath, [example, radio.target]);
});
