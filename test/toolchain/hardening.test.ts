/** The flags that make an error in native code hard to use are really in what is built. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

function run(command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: PACKAGE_ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const check = (...args: string[]) => run(process.execPath, 'toolchain/elf.mjs', ...args);

t.test('the native core and its programs are hardened', async (t) => {
  const result = check('host', 'out/host/singulate.node', 'out/host/singulate-launch');
  t.strictSame(result, { status: 0, stdout: '', stderr: '' });
});

t.test('each fault of a file is named', async (t) => {
  const source =
    '#include <cstring>\nextern "C" void f(char* to, char* from) { strcpy(to, from); }\n';
  const folder = t.testdir({
    'f.cpp': `${source}int main(int n, char** v) { f(v[0], v[n - 1]); }\n`,
  });
  const build = (...args: string[]) => {
    const plain = [
      '-fno-stack-protector',
      '-U_FORTIFY_SOURCE',
      '-Wl,-z,execstack,-z,norelro,-z,lazy',
    ];
    t.equal(run('c++', ...plain, ...args, join(folder, 'f.cpp')).status, 0);
  };
  const program = join(folder, 'program');
  build('-no-pie', '-o', program);
  const ofAll = [
    'no RELRO',
    'RELRO is not full',
    'its stack is executable',
    'no stack protector',
    'no call of a function that FORTIFY checks',
  ];
  const lines = (path: string, faults: string[]) => faults.map((fault) => `${path}: ${fault}`);
  t.strictSame(
    check('host', program).stdout.trim().split('\n').sort(),
    lines(program, [...ofAll, 'it is not position independent']).sort(),
  );

  const addon = join(folder, 'some.node');
  build('-shared', '-fPIC', '-Wl,-rpath,/opt/lib', '-o', addon);
  const { status, stdout } = check('host', addon);
  t.equal(status, 1);
  t.strictSame(
    stdout.trim().split('\n').sort(),
    lines(addon, [
      ...ofAll,
      'it looks for libraries in folders of its own',
      'it does not export napi_register_module_v1, node_api_module_get_api_version_v1',
      'it exports 2 names more, such as f',
    ]).sort(),
  );
});

t.test('a file for another machine is no file for this target', async (t) => {
  const { status, stdout } = check('armv7', 'out/host/singulate.node');
  t.equal(status, 1);
  t.match(stdout, /Machine is .*, not ARM\n/);
  t.match(stdout, /Tag_ABI_VFP_args is nothing, not VFP registers\n/);
});

t.test('builds with sanitizers and for fuzzing have none of it', async (t) => {
  const cache = readFileSync(join(PACKAGE_ROOT, 'out/host/CMakeCache.txt'), 'utf8');
  const generator = /^CMAKE_GENERATOR:INTERNAL=(.*)$/m.exec(cache)?.[1] as string;
  for (const option of ['SINGULATE_SANITIZE=thread', 'SINGULATE_FUZZ=ON']) {
    const folder = t.testdir();
    const { status, stderr } = run(
      'cmake',
      '-G',
      generator,
      '-S',
      '.',
      '-B',
      folder,
      `-D${option}`,
    );
    t.equal(status, 0, stderr);
    const commands = readFileSync(join(folder, 'compile_commands.json'), 'utf8');
    t.match(commands, /-fsanitize=/);
    t.notMatch(commands, /FORTIFY|stack-protector|stack-clash/);
  }
});

t.test('the flags are asked for with a compiler that there is', async (t) => {
  const flags = (...args: string[]) => run(process.execPath, 'toolchain/hardening.mjs', ...args);
  t.match(flags('compile', 'c++').stdout, /^-fstack-protector-strong$/m);
  t.strictSame(flags('link', 'c++').stdout.trim().split('\n'), [
    '-Wl,-z,relro',
    '-Wl,-z,now',
    '-Wl,-z,noexecstack',
  ]);
  const missing = flags('compile', 'no-such-compiler');
  t.equal(missing.status, 1);
  t.match(missing.stderr, /no compiler at "no-such-compiler"/);
  t.match(flags('all').stderr, /the first argument is compile or link/);
});
