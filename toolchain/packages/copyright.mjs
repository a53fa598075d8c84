/** Debian's copyright file: whose work is in a package, and where its licence is. */
import { productionPackages } from './modules.mjs';

export function copyrightText(root) {
  const bundled = productionPackages(root).map(
    ({ path, version, license }) => `  ${path} ${version}: ${license}`,
  );
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Singulate

Files: *
Copyright: the authors of Singulate
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0, and everywhere in
 LICENSE beside this file.

Files: usr/lib/singulate/bin/node
Copyright: the contributors of Node.js
License: MIT and others
 Where the package brings it, LICENSE.nodejs beside this file has the licences of Node.js and of all that is in it.

Files: usr/lib/singulate/node_modules/*
Copyright: their authors, as their folders say
License: various
 The licence of each package lies in its folder, where its authors gave one with it:
${bundled.map((line) => ` ${line.trim()}`).join('\n')}
`;
}
