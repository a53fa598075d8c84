/** `singulate start`: checks everything, starts the broker and the services, shows what they do. */
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { finishFirst } from '../shared/end-with-starter.js';
import { startBroker } from './broker.js';
import { ensureBrokerPassword } from './broker-login.js';
import type { GivenOptions } from './command-line.js';
import { seedDemoMode } from './demo-mode.js';
import { checkOpenFiles } from './open-files.js';
import { checkPorts } from './ports.js';
import type { Counters, Presentation } from './presentation.js';
import { RadioWatch } from './radio-watch.js';
import type { ServiceMessage } from './service.js';
import { serviceSpecs } from './service-specs.js';
import { resolveSettings, type Settings } from './settings.js';
import { prepareStateDir, radioSocket } from './state-dir.js';
import { takeLock } from './state-lock.js';
import { Supervisor } from './supervisor.js';
import type { Login } from './welcome.js';

/** The radio is watched at the latest this long after the first service is ready. */
const WATCH_ANYWAY_MS = 2000;
const SEEN_PASSWORD =
  '--password can be seen by every program on this machine; SINGULATE_PASSWORD in the environment cannot';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** @returns the exit code. Throws CONFIG for a wrong setting. */
export async function start(options: GivenOptions): Promise<number> {
  checkOpenFiles();
  const isTerminal = process.stdout.isTTY === true;
  const settings = await resolveSettings(options, { env: process.env, isTerminal });
  prepareStateDir(settings.stateDir);
  const releaseLock = takeLock(settings.stateDir);
  process.on('exit', releaseLock);
  await checkPorts([
    { option: '--rest-port', port: settings.restPort },
    { option: '--mqtt-port', port: settings.mqttPort, host: '127.0.0.1' },
    ...(settings.grpc.listen === undefined ? [] : [settings.grpc.listen]),
  ]);
  if (options.password !== undefined) {
    process.stderr.write(`singulate: ${SEEN_PASSWORD}\n`);
  }
  const login = await makeLogin(settings);
  if (settings.autostart) await seedDemoMode(settings.stateDir);
  const broker = await startBroker(settings.mqttPort, {
    password: await ensureBrokerPassword(settings.stateDir),
    openTagEvents: settings.openTagEvents,
  });
  const presentation = present(settings, login, isTerminal);
  process.on('exit', () => rmSync(radioSocket(settings.stateDir), { force: true }));
  const code = await supervise(settings, presentation);
  await broker.close();
  return code;
}

async function makeLogin({ stateDir, password }: Settings): Promise<Login> {
  // The gateway checks what is there; loading the code that makes it takes a tenth of a second.
  if (password === undefined && existsSync(join(stateDir, 'auth.json'))) return { user: 'admin' };
  const { ensureLogin } = await import('../reader-gateway/auth/login-store.js');
  return ensureLogin(stateDir, password);
}

async function present(settings: Settings, login: Login, live: boolean): Promise<Presentation> {
  const presentation = live ? await liveView(settings, login) : await logLines(settings, login);
  process.on('exit', () => presentation.end());
  return presentation;
}

async function liveView(settings: Settings, login: Login): Promise<Presentation> {
  const [{ LiveView }, { radioSource, welcomeLines }, { VERSION }] = await Promise.all([
    import('./live/live-view.js'),
    import('./welcome.js'),
    import('../shared/package-info.js'),
  ]);
  const above = welcomeLines(settings, login, VERSION, process.cwd());
  return new LiveView({ stateDir: settings.stateDir, above, source: radioSource(settings) });
}

async function logLines(settings: Settings, login: Login): Promise<Presentation> {
  const [{ LogLines }, { openLogger }] = await Promise.all([
    import('./log-lines.js'),
    import('../shared/log.js'),
  ]);
  const log = await openLogger('singulate', { format: settings.logFormat });
  return new LogLines(log, settings, login);
}

/** The services start at once, as they take longest; what they say waits for the presentation. */
async function supervise(settings: Settings, loading: Promise<Presentation>): Promise<number> {
  const show = (what: (presentation: Presentation) => void) => void loading.then(what);
  let watch: Promise<Watching> | undefined;
  let events = false;
  const supervisor: Supervisor = new Supervisor(serviceSpecs(settings, randomUUID()), {
    onLine: (service, stream, line) => show((on) => on.serviceLine(service, stream, line)),
    onRestart: (service, how, delayMs) => show((on) => on.restart(service, how, delayMs)),
    onStopping: (why) => show((on) => on.stopping(why)),
    onMessage: (service, message) => {
      show((on) => on.serviceMessage(service, message));
      if (message.type === 'ready') {
        // Loading gRPC here as well while the services do would make the first tag come later.
        const all = supervisor.services.every(({ state }) => state === 'ready');
        const look = () => {
          watch ??= loading.then((presentation) => watchRadio(settings, presentation));
        };
        if (all) look();
        else setTimeout(look, WATCH_ANYWAY_MS).unref();
      }
      if (message.type === 'first-tag-event' && !events) {
        events = true;
        // The clock of performance runs from the start of this process.
        const ms = Math.round(performance.now());
        show((on) => on.firstTagEvent(ms));
      }
      const counters = service.name === 'radio-control' ? endOfReplay(message) : undefined;
      if (counters !== undefined) show((on) => on.replayFinished(counters));
    },
  });
  // Nobody reads the log any more, as in `singulate | head`: that is an end like any other.
  process.stdout.on('error', () => supervisor.signal('SIGPIPE'));
  for (const signal of SIGNALS) process.on(signal, () => supervisor.signal(signal));
  const finished = supervisor.run();
  finishFirst(() => {
    supervisor.signal('SIGHUP');
    return finished;
  });
  show((on) => on.begin(supervisor.services));
  const code = await finished;
  // All that they said has been shown by then.
  await loading;
  (await watch)?.close();
  return code;
}

interface Watching {
  close(): void;
}

async function watchRadio(settings: Settings, presentation: Presentation): Promise<Watching> {
  const watch = await RadioWatch.open(
    `unix:${radioSocket(settings.stateDir)}`,
    presentation.reads?.bind(presentation),
  );
  const look = async () => presentation.figures(await watch.figures());
  // The first look is where the rate of the second one counts from.
  if (presentation.reads !== undefined) await look();
  else await watch.figures();
  const timer = setInterval(() => void look(), presentation.figuresEveryMs);
  return {
    close: () => {
      clearInterval(timer);
      watch.close();
    },
  };
}

/** @returns the counters if the message says that a recording has come to its end. */
function endOfReplay(message: ServiceMessage): Counters | undefined {
  const ended =
    message.type === 'recording-ended' ||
    (message.type === 'inventory-ended' && message.reason === 'end of recording');
  if (!ended) return undefined;
  const counters = (message.counters ?? {}) as Record<string, unknown>;
  const count = (name: string) => Number(counters[name] ?? 0);
  return {
    reads: count('reads'),
    reported: count('reported'),
    filtered: count('filtered'),
    dropped: count('dropped'),
  };
}
