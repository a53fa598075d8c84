/** `singulate io`: inputs, outputs and radio of the running reader, as they change. */
import { writeSync } from 'node:fs';
import type { GivenOptions } from '../command-line.js';
import { Screen } from '../live/screen.js';
import { IoWatch } from './io-watch.js';
import { lineText } from './line-text.js';
import { renderIo } from './render-io.js';
import { noReader, runningReader } from './running-reader.js';

/** A table is drawn at most this often. */
const REDRAW_MS = 100;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Goes on until it is told to end. @returns the exit code. @throws CONFIG */
export async function watchIo(options: GivenOptions): Promise<number> {
  const { stateDir, radio } = await runningReader(options);
  const show = process.stdout.isTTY ? asTable(stateDir) : asLines(stateDir);
  const watch = new IoWatch(radio, show.handlers);
  show.begin(watch);
  await new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
    // Nobody reads any more, as in `singulate io | head`.
    process.stdout.once('error', () => resolve());
  });
  watch.close();
  radio.close();
  show.end();
  return 0;
}

interface Shown {
  handlers: ConstructorParameters<typeof IoWatch>[1];
  begin(watch: IoWatch): void;
  end(): void;
}

/** One line for each thing that happens, for pipes and files. */
function asLines(stateDir: string): Shown {
  const say = (text: string) => process.stdout.write(`${new Date().toISOString()} ${text}\n`);
  return {
    handlers: {
      onLine: (line) => say(lineText(line)),
      onRadio: (state) => say(state === 'not connected' ? noReader(stateDir) : `radio ${state}`),
      onFault: (fault) => say(fault === '' ? 'inputs and outputs are back' : fault),
    },
    begin: () => {},
    end: () => {},
  };
}

function asTable(stateDir: string): Shown {
  const screen = new Screen((text) => {
    try {
      writeSync(1, text);
    } catch {
      // A terminal that is gone or too slow: the next frame draws everything again.
    }
  });
  let watch: IoWatch | undefined;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    timer = undefined;
    if (watch === undefined) return;
    const { columns = 80, rows = 24 } = process.stdout;
    const { radio, fault, lines } = watch;
    const canvas = { columns, rows: rows - 1, colour: !process.env.NO_COLOR };
    screen.draw(renderIo({ stateDir, radio, fault, lines }, canvas));
  };
  const changed = () => {
    timer ??= setTimeout(draw, REDRAW_MS);
  };
  const resized = () => {
    screen.clear([]);
    draw();
  };
  return {
    handlers: { onLine: changed, onRadio: changed, onFault: changed },
    begin: (one) => {
      watch = one;
      process.stdout.on('resize', resized);
      draw();
    },
    end: () => {
      clearTimeout(timer);
      process.stdout.off('resize', resized);
      draw();
      screen.restore();
    },
  };
}
