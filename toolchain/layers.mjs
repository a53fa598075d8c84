/**
 * Checks that imports and includes run one way, as toolchain/layers.json says. Exits with 1
 * and one line for each import that goes against it. `node toolchain/layers.mjs [ROOT]`.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const { rooms, files } = JSON.parse(readFileSync(join(here, 'layers.json'), 'utf8'));
const root = resolve(process.argv[2] ?? join(here, '..'));

const SOURCE = /\.(ts|mts|cpp|cc|h|hpp)$/;
const TS_IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g;
const CPP_INCLUDE = /^\s*#\s*include\s+"([^"]+)"/gm;

const within = (path, folder) => path === folder || path.startsWith(`${folder}/`);
const roomOf = (path) => Object.keys(rooms).find((room) => within(path, room));

function sources(folder) {
  if (statSync(join(root, folder), { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sources(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });
}

/** What a file imports: { path } inside the project or { name } of a package. */
function imports(file) {
  const text = readFileSync(join(root, file), 'utf8');
  if (/\.m?ts$/.test(file)) {
    return [...text.matchAll(TS_IMPORT)].map(([, target]) =>
      target.startsWith('.')
        ? { path: relative(root, resolve(root, dirname(file), target)) }
        : {
            name: target
              .split('/')
              .slice(0, target.startsWith('@') ? 2 : 1)
              .join('/'),
          },
    );
  }
  // Includes are written from native/, or beside the including file.
  return [...text.matchAll(CPP_INCLUDE)].map(([, target]) => {
    const fromNative = join('native', target);
    const exists = statSync(join(root, fromNative), { throwIfNoEntry: false }) !== undefined;
    return { path: exists ? fromNative : join(dirname(file), target) };
  });
}

function faults(file) {
  const room = roomOf(file);
  if (room === undefined) return [`${file}: lies in no room of toolchain/layers.json`];
  const { may, never = [] } = rooms[room];
  return imports(file).flatMap(({ path, name }) => {
    if (name !== undefined) {
      return never.includes(name) ? [`${file}: ${room} must never import ${name}`] : [];
    }
    const owner = Object.keys(files).find((folder) => within(path, folder));
    if (owner && !files[owner].onlyFrom.some((folder) => within(file, folder))) {
      return [`${file}: only ${files[owner].onlyFrom.join(', ')} may import ${owner}`];
    }
    const target = roomOf(path);
    if (target === room || (target !== undefined && may.includes(target))) return [];
    return [`${file}: ${room} must not import ${path} (allowed: ${may.join(', ') || 'nothing'})`];
  });
}

const found = [...sources('native'), ...sources('src')]
  .filter((file) => !file.startsWith('native/third_party/') && !file.includes('/generated/'))
  .flatMap(faults);
for (const fault of found) console.error(fault);
process.exitCode = found.length > 0 ? 1 : 0;
