/** A headless Chromium, driven over its debugging protocol. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { WebSocket } from 'ws';
import { temporaryFolder, until } from '../gateway/reader.js';

/** Starts take long on a busy machine. */
const START_MS = 60_000;
const ANSWER_MS = 60_000;

// biome-ignore lint/suspicious/noExplicitAny: as the protocol has it
type Message = any;

export class Page {
  /** Addresses of all that was asked for. */
  readonly requests: string[] = [];
  /** What the page complained of: errors, and what its policy refused. */
  readonly complaints: string[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#take(JSON.parse(data.toString())));
  }

  /** An empty page of a new browser, which ends with the test. */
  static async open(t: Test): Promise<Page> {
    const folder = temporaryFolder(t);
    const browser = spawn(
      '/usr/bin/chromium',
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        // The certificate of the reader is its own.
        '--ignore-certificate-errors',
        '--remote-debugging-port=0',
        `--user-data-dir=${folder}`,
        'about:blank',
      ],
      { stdio: 'ignore' },
    );
    const ended = new Promise((resolve) => browser.on('close', resolve));
    t.teardown(async () => {
      browser.kill('SIGKILL');
      await ended;
    });
    const file = join(folder, 'DevToolsActivePort');
    const line = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0] : undefined);
    await until('the browser listens', () => line(), START_MS);
    const pages = (await (await fetch(`http://127.0.0.1:${line()}/json/list`)).json()) as Message[];
    const { webSocketDebuggerUrl } = pages.find(({ type }) => type === 'page');
    const socket = new WebSocket(webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.on('open', resolve);
      socket.on('error', reject);
    });
    const page = new Page(socket);
    for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await page.#ask(`${domain}.enable`);
    return page;
  }

  async go(url: string): Promise<void> {
    await this.#ask('Page.navigate', { url });
  }

  /** What an expression is in the page. */
  async read(expression: string): Promise<Message> {
    const { result, exceptionDetails } = await this.#ask('Runtime.evaluate', {
      expression,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception.description);
    return result.value;
  }

  /** Waits until an expression is true in the page. */
  async shows(what: string, expression: string): Promise<void> {
    const end = Date.now() + ANSWER_MS;
    // Between two pages there is nothing to read.
    while (!(await this.read(expression).catch(() => false))) {
      if (Date.now() > end) throw new Error(`not within ${ANSWER_MS} ms: ${what}`);
      await sleep(50);
    }
  }

  #ask(method: string, params: object = {}): Promise<Message> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) =>
        error === undefined ? resolve(result) : reject(new Error(error.message)),
      );
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #take(message: Message): void {
    const { id, method, params } = message;
    if (id !== undefined) {
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    } else if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
    else if (method === 'Log.entryAdded') {
      if (params.entry.level === 'error') this.complaints.push(params.entry.text);
    } else if (method === 'Runtime.exceptionThrown') {
      this.complaints.push(params.exceptionDetails.exception?.description ?? 'an exception');
    } else if (method === 'Runtime.consoleAPICalled' && params.type === 'error') {
      this.complaints.push(JSON.stringify(params.args));
    }
  }
}
