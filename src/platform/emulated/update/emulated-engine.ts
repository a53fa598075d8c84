/**
 * A device with two slots in the state folder, for machines that are no reader: what is installed,
 * and what its boot loader does when the device boots. The host is never touched.
 */
import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../../../shared/atomic-file.js';
import { errorMessage, SingulateError } from '../../../shared/errors.js';
import type { Logger } from '../../../shared/log.js';
import { VERSION } from '../../../shared/package-info.js';
import type { StateFaults } from '../../../shared/state-faults.js';
import { StateFile } from '../../../shared/state-file.js';
import { readStorage } from '../../storage.js';
import type {
  BundleInfo,
  EngineStatus,
  InstallProgress,
  Slot,
  UpdateEngine,
} from '../../update-engine.js';
import { checked } from '../checked.js';
import {
  BootEnv,
  boot,
  FACTORY_ENV,
  otherSlot,
  SLOTS,
  type SlotName,
  withSlot,
} from './boot-env.js';
import { type Bundle, loadTrusted, readBundle, readPayload } from './bundle.js';
import type { Manifest } from './manifest.js';
import { SlotFolder } from './slot-folder.js';

/** Bundles must say this in `compatible`. */
export const EMULATED_DEVICE = 'singulate-emulated';

export interface EmulatedOptions {
  /** Of the device: boot.json, slots/. */
  folder: string;
  /** PEM file: the certificates of those whose bundles are taken. */
  trusted: string;
  /** Boots of a version on trial. */
  maxBoots?: number;
  /** Of this boot of the device; '' = every start of the service is one. */
  bootId: string;
  /** Takes a boot.json, and slots, that cannot be used; left out: they are errors. */
  faults?: StateFaults | undefined;
  log: Logger;
}

export class EmulatedEngine implements UpdateEngine {
  readonly #options: EmulatedOptions;
  readonly #file: StateFile<BootEnv>;
  #env: BootEnv = FACTORY_ENV;
  #installing = false;
  #lastError = '';

  constructor(options: EmulatedOptions) {
    this.#options = options;
    this.#file = new StateFile(join(options.folder, 'boot.json'), (value) =>
      checked(BootEnv, value),
    );
  }

  async open(): Promise<void> {
    const { bootId, faults } = this.#options;
    const env = await (faults === undefined ? this.#file.load() : faults.load(this.#file));
    if (env !== undefined) this.#env = env;
    // One that cannot be used stays as it is; the slots may be whole all the same.
    else if (faults?.isUnread(this.#file.path) !== true) await this.#makeFactory();
    // A service that was restarted is still the one of this boot.
    if (bootId !== '' && bootId === this.#env.bootId) return;
    await this.#boot({ ...this.#env, bootId });
  }

  async slots(): Promise<Slot[]> {
    return Promise.all(SLOTS.map((name) => this.#slot(name)));
  }

  async status(): Promise<EngineStatus> {
    return { idle: !this.#installing, lastError: this.#lastError };
  }

  async check(path: string): Promise<BundleInfo> {
    return this.#withBundle(path, async (file, { manifest, payloads }) => {
      for (const payload of payloads) await readPayload(file, payload);
      return { version: manifest.version, compatible: manifest.compatible };
    });
  }

  async install(
    path: string,
    onProgress: (progress: InstallProgress) => void,
    signal: AbortSignal,
  ): Promise<string> {
    if (this.#installing) throw new SingulateError('STATE', 'an installation runs already');
    this.#installing = true;
    this.#lastError = '';
    try {
      return await this.#install(path, onProgress, signal);
    } catch (error) {
      this.#lastError = error instanceof Error ? error.message : String(error);
      throw error;
    } finally {
      this.#installing = false;
    }
  }

  async activate(name: string): Promise<void> {
    const slot = slotNamed(name);
    if (slot === this.#env.booted) return this.#keepBooted();
    if ((await this.#folder(slot).read()) === undefined) {
      throw new Error(`slot ${slot} has no whole version`);
    }
    const { maxBoots = 3 } = this.#options;
    await this.#save({ ...withSlot(this.#env, slot, 'trial', maxBoots), primary: slot });
  }

  async selfTest(): Promise<string> {
    const manifest = await this.#folder(this.#env.booted).read();
    return manifest?.emulated?.healthy === false ? 'the version plays that it is not healthy' : '';
  }

  async markGood(): Promise<void> {
    const { booted, primary, slots } = this.#env;
    if (slots[booted].state === 'good' && primary === booted) return;
    await this.#save({ ...withSlot(this.#env, booted, 'good'), primary: booted });
  }

  async revertSlot(): Promise<Slot | undefined> {
    const slot = await this.#slot(otherSlot(this.#env.booted));
    return slot.state === 'good' ? slot : undefined;
  }

  async rollBack(): Promise<void> {
    const { booted, slots } = this.#env;
    const other = otherSlot(booted);
    if (slots[other].state !== 'good') throw new Error(`slot ${other} does not boot either`);
    await this.#save({ ...withSlot(this.#env, booted, 'failed'), primary: other });
  }

  async applicationVersion(): Promise<string | undefined> {
    return (await this.#folder(this.#env.booted).read())?.version;
  }

  async #keepBooted(): Promise<void> {
    const { booted, slots } = this.#env;
    const other = otherSlot(booted);
    const env = slots[other].state === 'trial' ? withSlot(this.#env, other, 'failed') : this.#env;
    await this.#save({ ...env, primary: booted });
  }

  #folder(slot: SlotName): SlotFolder {
    return new SlotFolder(join(this.#options.folder, 'slots', slot));
  }

  async #slot(name: SlotName): Promise<Slot> {
    const { booted, primary, slots } = this.#env;
    const manifest = await this.#folder(name).read();
    return {
      name,
      booted: name === booted,
      primary: name === primary,
      // An image that is gone boots no more, whatever the boot loader remembers.
      state: manifest === undefined && slots[name].state === 'good' ? 'bad' : slots[name].state,
      version: manifest?.version ?? '',
    };
  }

  async #save(env: BootEnv): Promise<void> {
    await this.#options.faults?.setAside(this.#file.path);
    await this.#file.save(env);
    this.#options.faults?.remove(this.#file.path);
    this.#env = env;
  }

  /** Slot A with this version of the software; boot.json last. */
  async #makeFactory(): Promise<void> {
    const folder = this.#folder('A');
    await folder.clear();
    const image = Buffer.from(`Singulate ${VERSION} as it was delivered\n`);
    const sha256 = createHash('sha256').update(image).digest('hex');
    const payload = { part: 'os' as const, file: 'os.img', size: image.length, sha256 };
    await writeFileAtomic(folder.imagePath(payload.file), image);
    const version = VERSION;
    await folder.complete({ format: 1, compatible: EMULATED_DEVICE, version, payloads: [payload] });
    await this.#save(FACTORY_ENV);
  }

  async #boot(before: BootEnv): Promise<void> {
    const [a, b] = await Promise.all([this.#folder('A').read(), this.#folder('B').read()]);
    const versions: Record<SlotName, Manifest | undefined> = { A: a, B: b };
    const comesUp = (slot: SlotName) => {
      const version = versions[slot];
      return version !== undefined && version.emulated?.boots !== false;
    };
    const { faults } = this.#options;
    let env: BootEnv;
    try {
      env = boot(before, comesUp);
      if (faults?.isUnread(this.#file.path)) this.#env = env;
      else await this.#save(env);
    } catch (error) {
      if (faults === undefined) throw error;
      // A reader that its owner cannot reach any more helps nobody: it is as it was delivered.
      env = { ...before, booted: before.primary };
      this.#env = env;
      const file = this.#folder(env.booted).file;
      faults.add(file, `${errorMessage(error)}; it runs as it was delivered until it is updated`);
    }
    const version = versions[env.booted]?.version;
    this.#options.log.info({ slot: env.booted, version }, 'the emulated device has booted');
  }

  async #install(
    path: string,
    onProgress: (progress: InstallProgress) => void,
    signal: AbortSignal,
  ): Promise<SlotName> {
    return this.#withBundle(path, async (file, { manifest, payloads }) => {
      const target = otherSlot(this.#env.booted);
      const folder = this.#folder(target);
      // From here until it is activated, whatever happens, the slot does not boot.
      await this.#save({ ...withSlot(this.#env, target, 'bad'), primary: this.#env.booted });
      await folder.clear();
      await this.#needSpace(payloads.reduce((sum, { size }) => sum + size, 0));
      const progress = new PartsProgress(payloads);
      for (const payload of payloads) {
        await readPayload(file, payload, {
          to: folder.imagePath(payload.file),
          onBytes: (bytes) => onProgress(progress.add(payload.part, bytes)),
          signal,
        });
      }
      await folder.complete(manifest);
      this.#options.faults?.remove(folder.file);
      return target;
    });
  }

  async #needSpace(bytes: number): Promise<void> {
    await mkdir(this.#options.folder, { recursive: true });
    const { free } = await readStorage(this.#options.folder);
    if (free < bytes) {
      throw new Error(`the version needs ${bytes} bytes, and the device has ${free} free`);
    }
  }

  async #withBundle<T>(
    path: string,
    work: (file: Awaited<ReturnType<typeof open>>, bundle: Bundle) => Promise<T>,
  ): Promise<T> {
    const trusted = await loadTrusted(this.#options.trusted);
    const file = await open(path, 'r');
    try {
      const bundle = await readBundle(file, trusted);
      const { compatible } = bundle.manifest;
      if (compatible !== EMULATED_DEVICE) {
        throw new Error(`the bundle is for "${compatible}", and this is "${EMULATED_DEVICE}"`);
      }
      return await work(file, bundle);
    } finally {
      await file.close();
    }
  }
}

function slotNamed(name: string): SlotName {
  const found = SLOTS.find((slot) => slot === name);
  if (found === undefined) throw new Error(`there is no slot "${name}"`);
  return found;
}

/** Percent of each payload and of all of them. */
class PartsProgress {
  readonly #done = new Map<string, number>();

  constructor(private readonly payloads: Bundle['payloads']) {}

  add(part: string, bytes: number): InstallProgress {
    this.#done.set(part, (this.#done.get(part) ?? 0) + bytes);
    const sizes = this.payloads.reduce((sum, { size }) => sum + size, 0);
    const done = [...this.#done.values()].reduce((sum, some) => sum + some, 0);
    return {
      overall: percent(done, sizes),
      parts: Object.fromEntries(
        this.payloads.map(({ part: one, size }) => [one, percent(this.#done.get(one) ?? 0, size)]),
      ),
    };
  }
}

function percent(done: number, all: number): number {
  return all === 0 ? 100 : Math.floor((100 * done) / all);
}
