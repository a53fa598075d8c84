/** The files of a package, as they will lie on the reader. */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fetchBrought } from '../node-lines.mjs';
import { step } from '../steps.mjs';
import { ARCHITECTURES, HOST } from './architectures.mjs';
import { copyrightText } from './copyright.mjs';
import { copyPackages } from './modules.mjs';
import { sbomText } from './sbom.mjs';

export const PROGRAM = 'usr/lib/singulate';
/** Starts user applications. */
export const LAUNCHER = 'singulate-launch';
/** What runs the services. */
export const NODE = 'bin/node';
const DOCUMENTS = 'usr/share/doc/singulate';

const COMMAND = 'usr/bin/singulate';

const SYSTEM_FILES = {
  'systemd/singulate-radio-control.service':
    'usr/lib/systemd/system/singulate-radio-control.service',
  'systemd/singulate-reader-gateway.service':
    'usr/lib/systemd/system/singulate-reader-gateway.service',
  'system/sysusers.conf': 'usr/lib/sysusers.d/singulate.conf',
  'system/tmpfiles.conf': 'usr/lib/tmpfiles.d/singulate.conf',
  'system/udev.rules': 'usr/lib/udev/rules.d/60-singulate.rules',
  'system/polkit.rules': 'usr/share/polkit-1/rules.d/50-singulate.rules',
  'etc/radio-control.jsonc': 'etc/singulate/radio-control.jsonc',
  'etc/reader-gateway.jsonc': 'etc/singulate/reader-gateway.jsonc',
};

/** @param root A checkout that is built. @param to Is emptied first. */
export async function stage(root, to, architecture) {
  const { node, preset, tools, prebuild } = ARCHITECTURES[architecture];
  rmSync(to, { recursive: true, force: true });
  const program = join(to, PROGRAM);
  // Not what V8 has kept of it on this machine.
  copyTree(join(root, 'dist/bundle/lib'), join(program, 'dist/bundle/lib'), (name) =>
    /\.(js|txt)$|^package\.json$/.test(name),
  );
  // What the services read while they run lies among the sources.
  copyTree(join(root, 'src'), join(program, 'src'), (name) => !/\.ts$|\.js$|^\.stamp$/.test(name));
  copyTree(join(root, 'src/reader-gateway/documents/pages'), at(program, 'pages'), () => true);
  copyTree(join(root, 'proto'), join(program, 'proto'), (name) => name.endsWith('.proto'));
  copyTree(join(root, 'docs/examples'), join(program, 'docs/examples'), () => true);
  copyTree(join(root, 'docs'), join(to, DOCUMENTS), (name) => name.endsWith('.md'), ['examples']);
  copyPackages(root, program, { prebuild });
  writeFileSync(join(program, 'package.json'), programManifest(root));

  const built = join(root, 'out', architecture === HOST ? 'host' : preset);
  const strip = (from, name) =>
    step(`stripping ${name} for ${architecture}`, `${tools}strip`, [
      '--strip-unneeded',
      '-o',
      join(program, name),
      join(from, name),
    ]);
  for (const name of ['singulate.node', LAUNCHER]) await strip(built, name);
  mkdirSync(join(program, dirname(NODE)));
  const brought = await fetchBrought(node, root);
  if (brought === undefined) symlinkSync('/usr/bin/node', join(program, NODE));
  else {
    await strip(brought, NODE);
    copy(join(brought, 'LICENSE'), join(to, DOCUMENTS, 'LICENSE.nodejs'));
  }

  for (const [from, path] of Object.entries(SYSTEM_FILES)) {
    copy(join(root, 'packaging', from), join(to, path));
  }
  copy(join(root, 'LICENSE'), join(to, DOCUMENTS, 'LICENSE'));
  write(join(to, DOCUMENTS, 'README.md'), readFileSync(join(root, 'README.md')));
  write(join(to, DOCUMENTS, 'SECURITY.md'), readFileSync(join(root, 'SECURITY.md')));
  write(join(to, DOCUMENTS, 'copyright'), copyrightText(root));
  write(join(to, DOCUMENTS, 'sbom.cdx.json'), sbomText(root));
  write(
    join(to, 'usr/share/man/man1/singulate.1.gz'),
    // Without a time in it: the same bytes every time.
    gzipSync(readFileSync(join(root, 'packaging/man/singulate.1')), { level: 9 }),
  );
  write(
    join(to, COMMAND),
    `#!/bin/sh\nexec /${PROGRAM}/${NODE} /${PROGRAM}/dist/bundle/lib/cli.js "$@"\n`,
  );
  symlinkSync('../../../lib/singulate/docs/examples', join(to, DOCUMENTS, 'examples'));
  setModes(to);
}

function at(program, folder) {
  return join(program, 'src/reader-gateway/documents', folder);
}

/** As much of package.json as Node.js and the services look at. */
function programManifest(root) {
  const { name, version, description, license, type, engines } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const kept = { name, version, description, license, private: true, type, engines };
  return `${JSON.stringify(kept, null, 2)}\n`;
}

function copyTree(from, to, isWanted, leftOut = []) {
  for (const entry of readdirSync(from).sort()) {
    if (leftOut.includes(entry)) continue;
    if (statSync(join(from, entry)).isDirectory()) {
      copyTree(join(from, entry), join(to, entry), isWanted);
    } else if (isWanted(entry)) copy(join(from, entry), join(to, entry));
  }
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

function write(to, content) {
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, content);
}

/** Whatever the umask of the builder: 0755 for folders and programs, 0644 for the rest. */
function setModes(path) {
  chmodSync(path, 0o755);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) setModes(child);
    else if (entry.isFile()) chmodSync(child, isProgram(child) ? 0o755 : 0o644);
  }
}

/** Whether it is for one kind of processor. @param path From the root of the package. */
export function isNative(path) {
  return path.endsWith('.node') || [LAUNCHER, NODE].some((name) => path.endsWith(`/${name}`));
}

function isProgram(path) {
  return [`/${COMMAND}`, `/${LAUNCHER}`, `/${NODE}`].some((program) => path.endsWith(program));
}
