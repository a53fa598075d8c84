/**
 * Joins each service and the command to a few files, with the packages that they use: node reads,
 * compiles and keeps much less than with a file for each module. dist/src stays as it is, for tests
 * and for debugging. Names are kept, and the source maps lie beside, so a stack trace can be read.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** As deep as dist/src/shared: package-info.ts finds the root of the package from both. */
const FOLDER = 'dist/bundle/lib';

const ENTRIES = {
  cli: 'dist/src/cli/main.js',
  'radio-control': 'dist/src/radio-control/main.js',
  'reader-gateway': 'dist/src/reader-gateway/main.js',
  // Started by their URLs, beside the files that start them.
  'certificate-worker': 'dist/src/reader-gateway/rest/certificate-worker.js',
  'pfx-worker': 'dist/src/reader-gateway/certificates/pfx-worker.js',
};

// What CommonJS packages expect to be there, in files that are ES modules.
const BANNER = `import { createRequire as bundleCreateRequire } from 'node:module';
import { dirname as bundleDirname } from 'node:path';
import { fileURLToPath as bundleFileURLToPath } from 'node:url';
const require = bundleCreateRequire(import.meta.url);
const bundleFolder = bundleDirname(bundleFileURLToPath(import.meta.url));`;

// Its file for CommonJS asks for others in a way that cannot be followed; this one has its names.
const ALIASES = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };

/** That node adds to a CommonJS package. */
const NO_NAMES = ['module.exports', '__esModule'];

export async function bundle(root) {
  const { build, stop } = await import('esbuild');
  try {
    await build({
      absWorkingDir: root,
      entryPoints: ENTRIES,
      outdir: FOLDER,
      bundle: true,
      splitting: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      // Names stay; what node keeps of the source text while it runs is half of it.
      minifyWhitespace: true,
      minifySyntax: true,
      lineLimit: 120,
      sourcemap: true,
      sourcesContent: false,
      legalComments: 'linked',
      alias: ALIASES,
      logLevel: 'warning',
      banner: { js: BANNER },
      plugins: [
        protoLoaderWhenNeeded(),
        compilerOfSchemas(),
        namesOfPackages(root),
        foldersOfPackages(root),
      ],
    });
  } finally {
    // Its service would live as long as the command that comes after.
    await stop();
  }
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
