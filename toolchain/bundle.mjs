/**
 * Joins each service and the command to a few files, with the packages that they use: node reads,
 * compiles and keeps much less than with a file for each module. dist/src stays as it is, for tests
 * and for debugging. Names are kept, and the source maps lie beside, so a stack trace can be read.
 *
 * The files are CommonJS, each a script that src/bundle/load.ts can give to V8 with the code that V8
 * made of it at an earlier start. The bundler splits ES modules only, so they are made of these.
 */
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { checkedStart } from './node-lines.mjs';

/** As deep as dist/src/shared: package-info.ts finds the root of the package from both. */
const FOLDER = 'dist/bundle/lib';

/** Programs: NAME.js loads the loader, and that NAME-main.js. */
const PROGRAMS = {
  cli: 'dist/src/cli/main.js',
  'radio-control': 'dist/src/radio-control/main.js',
  'reader-gateway': 'dist/src/reader-gateway/main.js',
};
const LOADER = 'dist/src/bundle/load.js';
const mainOf = (program) => `${program}-main`;

/** Started by their URLs, beside the files that start them. */
const WORKERS = {
  'certificate-worker': 'dist/src/reader-gateway/rest/certificate-worker.js',
  'pfx-worker': 'dist/src/reader-gateway/certificates/pfx-worker.js',
};

/** Of CommonJS, what is asked for as in an ES module. */
const BANNER =
  "const bundleFolder = __dirname, bundleUrl = require('node:url').pathToFileURL(__filename).href;";

// Its file for CommonJS asks for others in a way that cannot be followed; this one has its names.
const ALIASES = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };

/** That node adds to a CommonJS package. */
const NO_NAMES = ['module.exports', '__esModule'];

const FORM = {
  platform: 'node',
  target: 'node20',
  charset: 'ascii',
  // Names stay; what node keeps of the source text while it runs is half of it.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 120,
  sourcesContent: false,
  logLevel: 'warning',
};

export async function bundle(root) {
  const { build, stop, transform } = await import('esbuild');
  const folder = join(root, FOLDER);
  const write = (name, text) => writeFile(join(folder, name), text);
  const toCommonJs = async (name, text, define = {}) => {
    // As of a program of node: a line for the shell.
    const { code, map } = await transform(text.replace(/^#!.*/, ''), {
      ...FORM,
      format: 'cjs',
      banner: BANNER,
      define: { 'import.meta.url': 'bundleUrl', ...define },
      supported: { 'dynamic-import': false },
      sourcemap: 'external',
      sourcefile: name,
    });
    await write(name, `${code}//# sourceMappingURL=${name}.map\n`);
    await write(`${name}.map`, map);
  };
  try {
    const modules = await joined(build, root);
    await mkdir(folder, { recursive: true });
    await write('package.json', '{ "type": "commonjs" }\n');
    const scripts = modules.filter(({ path }) => path.endsWith('.js'));
    const id = createHash('sha256');
    for (const { text } of scripts) id.update(text);
    await Promise.all(scripts.map(({ path, text }) => toCommonJs(basename(path), text)));
    const BUNDLE_ID = JSON.stringify(id.digest('hex').slice(0, 16));
    await toCommonJs('load.js', await readFile(join(root, LOADER), 'utf8'), { BUNDLE_ID });
    for (const { path, text } of modules) {
      if (path.endsWith('.txt')) await write(basename(path), text);
    }
    for (const program of Object.keys(PROGRAMS)) {
      const start = `require('./load.js').run('${mainOf(program)}.js');`;
      await write(`${program}.js`, `#!/usr/bin/env node\n${checkedStart(start)}`);
    }
    await chmod(join(folder, 'cli.js'), 0o755);
  } finally {
    // Its service would live as long as the command that comes after.
    await stop();
  }
}

/** @returns The files of all programs, what they share in files of its own: ES modules, and licences. */
async function joined(build, root) {
  const mains = Object.entries(PROGRAMS).map(([program, file]) => [mainOf(program), file]);
  const { outputFiles } = await build({
    ...FORM,
    absWorkingDir: root,
    entryPoints: { ...Object.fromEntries(mains), ...WORKERS },
    outdir: FOLDER,
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    // Inside the files: what is made of them has its own.
    sourcemap: 'inline',
    legalComments: 'linked',
    alias: ALIASES,
    plugins: [
      protoLoaderWhenNeeded(),
      compilerOfSchemas(),
      namesOfPackages(root),
      foldersOfPackages(root),
    ],
  });
  return outputFiles;
}

/**
 * `import('package')` gives the names that it gives in node. Of a CommonJS package the bundler alone
 * would give `default` and nothing else.
 */
function namesOfPackages(root) {
  const namespace = 'names of packages';
  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[a-z@]/ }, ({ path, kind, namespace: from }) => {
        if (kind !== 'dynamic-import' || from === namespace) return undefined;
        if (path.startsWith('node:') || path in ALIASES) return undefined;
        return { path, namespace };
      });
      onLoad({ filter: /.*/, namespace }, async ({ path }) => {
        const loaded = await import(path);
        const names = Object.keys(loaded).filter((name) => !NO_NAMES.includes(name));
        const contents = `export { ${names.join(', ')} } from ${JSON.stringify(path)};`;
        return { contents, resolveDir: root };
      });
    },
  };
}

/**
 * grpc-js has a second protobuf library for its Channelz, which we do not switch on: half of its code.
 * It is where it was installed, should anybody ask for it.
 */
function protoLoaderWhenNeeded() {
  const namespace = 'proto-loader when needed';
  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^@grpc\/proto-loader$/ }, ({ importer, path }) =>
        /[\\/]@grpc[\\/]grpc-js[\\/]/.test(importer) ? { path, namespace } : undefined,
      );
      onLoad({ filter: /.*/, namespace }, ({ path }) => ({
        contents: `const path = ${JSON.stringify(path)};
          exports.loadSync = (...given) => require(path).loadSync(...given);`,
      }));
    },
  };
}

/** The compiler of schemas is in the bundle, and still loaded by who needs it. */
function compilerOfSchemas() {
  return {
    name: 'compiler of schemas',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]api[\\/]ajv-when-needed\.js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        // The compiler above may have given it another name.
        const own = /const (require\w*) = createRequire\(import\.meta\.url\);/;
        const name = own.exec(text)?.[1];
        if (name === undefined) throw new Error(`${path}: no createRequire`);
        return { contents: text.replace(own, '').replaceAll(`${name}(`, 'require(') };
      });
    },
  };
}

/** Packages that read files beside themselves find them where they were installed. */
function foldersOfPackages(root) {
  return {
    name: 'folders of packages',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]node_modules[\\/].*\.c?js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (!text.includes('__dirname')) return undefined;
        const folder = JSON.stringify(relative(join(root, FOLDER), dirname(path)));
        // On the first line: the source map stays right.
        const known = `var __dirname = require("node:path").join(bundleFolder, ${folder});`;
        return { contents: `${known}${text}`, loader: 'js' };
      });
    },
  };
}
