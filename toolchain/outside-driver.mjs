/**
 * A driver outside the tree, as a firmware builder has it: the template under another name, in a
 * folder of its own, and what an addon with it must do.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.mjs';
import { SetupError } from './steps.mjs';

const NAME = 'acme';

/** @returns the folder for SINGULATE_DRIVER_DIR. */
export function copyTemplate(parent) {
  const folder = join(parent, NAME);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(parent, { recursive: true });
  cpSync(join(ROOT, 'native/template'), folder, { recursive: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('mymodule', NAME));
  }
  for (const file of ['mymodule_radio.h', 'mymodule_radio.cpp', 'test/mymodule_radio_test.cpp']) {
    const from = join(folder, file);
    cpSync(from, join(folder, file.replace('mymodule', NAME)));
    rmSync(from);
  }
  return folder;
}

/** Throws if the addon has no such driver, or it does not do what the template does. */
export async function checkOutsideDriver({ Radio }, addon) {
  const fail = (what) => {
    throw new SetupError(`${addon}: the driver ${NAME} from outside the tree ${what}`);
  };
  const line = { module: NAME, path: '/no-such-line', settings: {} };
  const radio = new Radio(line);
  const opened = await radio.open().then(
    () => 'opens a line that is not there',
    (error) => (error.code === 'ERR_RADIO' ? undefined : `fails with ${error.message}`),
  );
  if (opened !== undefined) fail(opened);
  if (!radio.link()?.fault.includes('/no-such-line')) fail('does not say why');
  radio.close();
  try {
    new Radio({ ...line, settings: { speed: '9' } });
  } catch (error) {
    if (error.violations?.[0]?.field === 'settings.speed') return;
    throw error;
  }
  fail('takes a setting that it does not have');
}
