/**
 * The NTP server, by chrony (4.0 or later): a file of our own in its folder of sources, which it
 * reads again when it is told to.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { errorMessage, SingulateError } from '../../shared/errors.js';
import type { NtpAdapter } from '../adapters.js';
import type { NtpFigures } from '../ntp-watch.js';
import { readOwnFile, writeOwnFile } from './own-file.js';

const run = promisify(execFile);

export interface ChronyOptions {
  /** A `sourcedir` of chrony.conf. */
  file: string;
  command: string;
  timeoutMs: number;
}
const DEFAULTS: ChronyOptions = {
  file: '/etc/chrony/sources.d/singulate.sources',
  command: 'chronyc',
  timeoutMs: 2000,
};

/** A line of `chronyc -c sources`. */
interface Source {
  name: string;
  isSelected: boolean;
  /** Octal digits. */
  reach: number;
  /** Seconds that this clock is ahead of the source. */
  aheadS: number;
}

export class Chrony implements NtpAdapter {
  readonly #options: ChronyOptions;

  constructor(options: Partial<ChronyOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
  }

  async read(): Promise<string> {
    const text = (await readOwnFile(this.#options.file)) ?? '';
    return /^server (\S+)/m.exec(text)?.[1] ?? '';
  }

  async set(server: string): Promise<void> {
    const { file } = this.#options;
    const before = await readOwnFile(file);
    const mark = '# Written by Singulate: the NTP server of the reader.';
    await writeOwnFile(file, `${mark}\nserver ${server} iburst prefer\n`);
    try {
      await this.#ask('reload', 'sources');
      // It says that it has done so also where its configuration does not name the folder.
      const sources = await this.#sources();
      if (!sources.some(({ name }) => name.toLowerCase() === server.toLowerCase())) {
        throw new SingulateError('UNAVAILABLE', `chrony does not read ${file} (sourcedir)`);
      }
    } catch (error) {
      await writeOwnFile(file, before);
      await this.#ask('reload', 'sources').catch(() => {
        // Away: it finds the file as it was when it comes back.
      });
      throw error;
    }
  }

  async figures(): Promise<NtpFigures | undefined> {
    const [sources, server] = await Promise.all([this.#sources(), this.read()]);
    const source =
      sources.find(({ isSelected }) => isSelected) ?? sources.find(({ name }) => name === server);
    // The offset of a source that does not answer any more is an old one.
    if (source === undefined || source.reach === 0) return { offset: 0, reach: 0 };
    const offset = Math.round(-source.aheadS * 1e6) / 1000;
    // Not the negative zero.
    return { offset: offset === 0 ? 0 : offset, reach: source.reach };
  }

  /** Those whose name is not resolved yet as well, by the names that they were given. */
  async #sources(): Promise<Source[]> {
    const text = await this.#ask('-c', '-N', 'sources', '-a');
    return text
      .split('\n')
      .map((line) => line.split(','))
      .filter((fields) => fields.length >= 8)
      .map(([, state, name = '', , , reach, , ahead]) => ({
        name,
        isSelected: state === '*',
        reach: Number(reach),
        aheadS: Number(ahead),
      }));
  }

  async #ask(...args: string[]): Promise<string> {
    const { command, timeoutMs } = this.#options;
    try {
      return (await run(command, args, { timeout: timeoutMs })).stdout;
    } catch (error) {
      const {
        stdout = '',
        stderr = '',
        killed,
      } = error as {
        stdout?: string;
        stderr?: string;
        killed?: boolean;
      };
      const said = killed ? 'no answer in time' : `${stdout} ${stderr}`.trim();
      const reason = said === '' ? errorMessage(error) : said;
      throw new SingulateError('UNAVAILABLE', `chrony: ${reason.replaceAll('\n', ' ')}`);
    }
  }
}
