/**
 * The bill of materials of a release, as CycloneDX 1.5 in JSON: the program, its native core, and every
 * npm package that the lock file has for those who run it. The same lock file gives the same bytes: no
 * time is in it, and its serial number comes from its content.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROUGHT } from '../node-lines.mjs';
import { lockedPackages } from './locked.mjs';

const PREFIX = 'node_modules/';
/** Read by compilers alone. */
const TYPES = /(^|\/)node_modules\/@types\/[^/]+$/;
/** What the native core has of npm: headers that are compiled into it. */
const CORE_NEEDS = 'node_modules/node-addon-api';

/** @returns The text of the file. */
export function sbomText(root) {
  const { name, version, description, license } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const paths = lockedPackages(root).map(({ path }) => path);
  const program = { ...about('application', name, version, license), description };
  const core = { ...about('library', 'singulate.node', version, license), scope: 'required' };
  core.description = 'The native core: air protocol, radio modules, inventory loop';
  const node = nodeJs();
  // A version may lie in several places of node_modules; it is one component.
  const components = new Map(
    paths.map((path) => [refOf(path, packages), component(path, packages)]),
  );
  const dependencies = new Map([
    [program['bom-ref'], new Set([core['bom-ref'], node['bom-ref'], ...needsOf('', packages)])],
    [core['bom-ref'], new Set([refOf(CORE_NEEDS, packages)])],
    [node['bom-ref'], new Set()],
  ]);
  for (const path of paths) {
    const ref = refOf(path, packages);
    const known = dependencies.get(ref) ?? [];
    dependencies.set(ref, new Set([...known, ...needsOf(path, packages)]));
  }
  const content = {
    version: 1,
    metadata: { component: program },
    components: [core, node, ...components.values()],
    dependencies: [...dependencies].map(([ref, needs]) => ({ ref, dependsOn: [...needs].sort() })),
  };
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: serialNumber(JSON.stringify(content)),
  };
  return `${JSON.stringify({ ...head, ...content }, null, 1)}\n`;
}

/** What runs it, where the packages bring it. */
function nodeJs() {
  const { version, programs } = BROUGHT;
  const hashes = Object.values(programs).map((content) => ({ alg: 'SHA-256', content }));
  const purl = `pkg:github/nodejs/node@v${version}`;
  return {
    ...about('platform', 'Node.js', version, 'MIT'),
    'bom-ref': purl,
    scope: 'optional',
    purl,
    hashes,
  };
}

function about(type, name, version, license) {
  return { 'bom-ref': `${name}@${version}`, type, name, version, licenses: licenses(license) };
}

function nameOf(path) {
  return path.slice(path.lastIndexOf(PREFIX) + PREFIX.length);
}

function refOf(path, packages) {
  const { version } = packages[path];
  // As the specification of package URLs writes scopes.
  return `pkg:npm/${nameOf(path).replace('@', '%40')}@${version}`;
}

function component(path, packages) {
  const { version, license, optional, integrity } = packages[path];
  const purl = refOf(path, packages);
  return {
    ...about('library', nameOf(path), version, license),
    'bom-ref': purl,
    scope: TYPES.test(path) ? 'excluded' : optional ? 'optional' : 'required',
    purl,
    ...(integrity === undefined ? {} : { hashes: [hash(integrity)] }),
  };
}

function licenses(license) {
  if (license === undefined) return [];
  const text = license.replace(/^\((.*)\)$/, '$1');
  return / (OR|AND|WITH) /.test(text) ? [{ expression: text }] : [{ license: { id: text } }];
}

/** @param integrity As the lock file has it, of the packed package. */
function hash(integrity) {
  const [algorithm, base64] = integrity.split(' ')[0].split('-');
  const alg = algorithm.replace(/^sha(\d+)$/, (_, bits) =>
    bits === '1' ? 'SHA-1' : `SHA-${bits}`,
  );
  return { alg, content: Buffer.from(base64, 'base64').toString('hex') };
}

/** What a package needs, as Node.js finds it: in its own folder, then in those above. */
function needsOf(path, packages) {
  const { dependencies = {}, optionalDependencies = {} } = packages[path];
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => found(name, path, packages))
    .filter((at) => at !== undefined)
    .map((at) => refOf(at, packages));
}

function found(name, from, packages) {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf(`/${PREFIX}`)))
  ) {
    const path = folder === '' ? `${PREFIX}${name}` : `${folder}/${PREFIX}${name}`;
    if (path in packages) return packages[path].dev ? undefined : path;
    if (folder === '') return undefined;
  }
}

/** A UUID of the content (version 8: of the maker's own kind). */
function serialNumber(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = '89ab'[Number.parseInt(hex[16], 16) % 4];
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return `urn:uuid:${[...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')}`;
}
