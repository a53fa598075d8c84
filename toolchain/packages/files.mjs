/** Which files a system has, and which of them a package brought. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * apt's, dpkg's and systemd's own: logs, caches, and what is written at every change of packages.
 * And the users, which stay.
 */
const OF_OTHERS = [
  /^(dev|proc|sys|run|tmp|mnt|root)(\/|$)/,
  /^var\/(cache|backups|tmp)(\/|$)/,
  /^var\/log\/(apt|dpkg\.log|alternatives\.log|journal)/,
  /^var\/lib\/(apt|dpkg|systemd|dbus|polkit-1|private)(\/|$)/,
  /^etc\/(passwd|group|shadow|gshadow|subuid|subgid)-?$/,
  /^etc\/(\.pwd\.lock|\.updated|ld\.so\.cache|machine-id|resolv\.conf)$/,
  /^var\/\.updated$/,
  // Other packages have alternatives; this one has none.
  /^etc\/alternatives\//,
];

/** Paths in `root`, without a slash at their beginning. */
export function filesIn(root, folder = '') {
  const paths = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (OF_OTHERS.some((pattern) => pattern.test(path))) continue;
    if (entry.isSymbolicLink() && /^\/etc\/alternatives\//.test(readlinkSync(join(root, path)))) {
      continue;
    }
    paths.push(path);
    if (entry.isDirectory()) paths.push(...filesIn(root, path));
  }
  return paths;
}

/** Paths of `after` that were not there `before`, and that no other installed package brought. */
export function newPaths(root, before, after) {
  const known = new Set(before);
  const lists = join(root, 'var/lib/dpkg/info');
  for (const name of readdirSync(lists)) {
    if (!name.endsWith('.list') || name.startsWith('singulate.')) continue;
    for (const path of readFileSync(join(lists, name), 'utf8').split('\n')) {
      const inside = path.slice(1);
      known.add(inside);
      // Debian has merged these folders; lists of packages may still name them apart.
      known.add(inside.replace(/^(bin|sbin|lib|lib64)\//, 'usr/$1/'));
    }
  }
  return after.filter((path) => !known.has(path)).sort();
}
