/**
 * A Debian that is booted by its own systemd, beside this machine's: namespaces and a control
 * group of its own, no network but its loopback. As root.
 */
import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { run, SetupError } from '../steps.mjs';

const INIT = join(dirname(fileURLToPath(import.meta.url)), 'container-init.sh');
const NAMESPACES = ['--mount', '--uts', '--ipc', '--net', '--cgroup'];
const BOOT_MS = 90_000;

export class Container {
  #unshare;
  #cgroup;
  #ended;
  #said = '';

  /** Boots it; resolves when its systemd takes orders. */
  static async boot(root) {
    const container = new Container();
    await container.#boot(root);
    return container;
  }

  /** Of its systemd, as this machine numbers it. */
  pid = 0;

  async #boot(root) {
    this.#cgroup = await newCgroup();
    // The shell moves itself into the group, then becomes unshare.
    const enter = 'echo $$ > "$1/cgroup.procs"; shift; exec "$@"';
    const unshare = ['unshare', '--pid', ...NAMESPACES, '--fork', '--kill-child=SIGKILL'];
    this.#unshare = spawn(
      '/bin/sh',
      ['-c', enter, 'sh', this.#cgroup, ...unshare, 'sh', INIT, root],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    for (const stream of [this.#unshare.stdout, this.#unshare.stderr]) {
      stream.on('data', (chunk) => {
        this.#said = (this.#said + chunk).slice(-4000);
      });
    }
    this.#ended = new Promise((resolve) => this.#unshare.on('close', resolve));
    const deadline = Date.now() + BOOT_MS;
    for (;;) {
      if (this.#unshare.exitCode !== null) {
        throw new SetupError(`Debian's systemd does not boot here: ${this.#said}`);
      }
      this.pid = this.pid || this.#child();
      if (this.pid !== 0) {
        const { output } = await this.run('systemctl', 'is-system-running');
        if (/^(running|degraded)\s*$/m.test(output)) return;
      }
      if (Date.now() > deadline) {
        await this.close();
        throw new SetupError(`Debian's systemd did not come up in ${BOOT_MS} ms: ${this.#said}`);
      }
      await sleep(200);
    }
  }

  #child() {
    const { pid } = this.#unshare;
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
      return Number(children.trim().split(' ')[0] ?? 0);
    } catch {
      return 0;
    }
  }

  /** Runs a command in it. */
  run(command, ...args) {
    const into = ['--target', String(this.pid), '--pid', ...NAMESPACES, '--root', '--wd'];
    const env = {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      LC_ALL: 'C.UTF-8',
      DEBIAN_FRONTEND: 'noninteractive',
    };
    return run('nsenter', [...into, command, ...args], { env, timeout: 300_000 });
  }

  /** As run(), for a command that must succeed. @returns What it prints. */
  async must(command, ...args) {
    const { code, output } = await this.run(command, ...args);
    if (code !== 0) {
      throw new SetupError(
        `in the container: ${command} ${args.join(' ')} gave ${code}: ${output}`,
      );
    }
    return output;
  }

  async close() {
    this.#unshare.kill('SIGKILL');
    await this.#ended;
    for (let i = 0; i < 50 && !removeCgroup(this.#cgroup); i++) await sleep(100);
  }
}

/** A group of its own in cgroup v2, wherever that is mounted here. */
async function newCgroup() {
  const mounted = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, , type]) => type === 'cgroup2')?.[1];
  const top = mounted ?? mkdtempSync(join(tmpdir(), 'singulate-cgroup-'));
  if (mounted === undefined) {
    const { code, output } = await run('mount', ['-t', 'cgroup2', 'cgroup2', top]);
    if (code !== 0) throw new SetupError(`no cgroup v2 here: ${output}`);
  }
  const group = join(top, `singulate-packages-${process.pid}`);
  mkdirSync(group);
  // Fails early if nobody may use it.
  writeFileSync(join(group, 'cgroup.max.descendants'), '1000');
  return group;
}

/** @returns false while processes are in it. */
function removeCgroup(group) {
  try {
    for (const entry of readdirSync(group, { withFileTypes: true })) {
      if (entry.isDirectory() && !removeCgroup(join(group, entry.name))) return false;
    }
    rmdirSync(group);
    return true;
  } catch {
    return false;
  }
}
