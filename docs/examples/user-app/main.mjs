// A user application: counts tags, tells each new one, and takes commands. Node.js alone, no packages.
// Pack it:  tar -czf dock-door.tar.gz -C docs/examples/user-app .      (see docs/user-applications.md)
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

// The working folder is the application's own, and is kept when a new version is installed.
const FILE = 'tags.json';
const seen = new Set(load());

const socket = connect(process.env.SINGULATE_APP_SOCKET);
const say = (message) => socket.write(`${JSON.stringify(message)}\n`);

const COMMANDS = {
  count: () => String(seen.size),
  reset: () => {
    seen.clear();
    save();
    return 'ok';
  },
};

socket.on('connect', () => say({ type: 'SUBSCRIBE' }));
createInterface({ input: socket }).on('line', (line) => take(JSON.parse(line)));
socket.on('error', (error) => console.error(error.message));
// Without the reader there is nothing to do; the reader starts the application again.
socket.on('close', () => process.exit(1));
process.on('SIGTERM', () => process.exit(0));

function take(message) {
  if (message.type === 'COMMAND') {
    const run = Object.hasOwn(COMMANDS, message.command) ? COMMANDS[message.command] : undefined;
    const known = Object.keys(COMMANDS).join(', ');
    say({ id: message.id, response: run ? run() : `unknown command; there are: ${known}` });
  } else if (message.type === 'ERROR') {
    console.error(message.message);
  } else if (message.type === 'OVERFLOW') {
    console.error(`${message.data.lost} events came faster than this application takes them`);
  } else if (message.data?.idHex !== undefined && !seen.has(message.data.idHex)) {
    const { idHex, antenna } = message.data;
    seen.add(idHex);
    save();
    say({ type: 'EVENT', data: { newTag: idHex, antenna, count: seen.size } });
  }
}

function load() {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'));
  } catch {
    return [];
  }
}

// Beside the old file, then over it: a power cut leaves the one or the other.
function save() {
  writeFileSync(`${FILE}.new`, JSON.stringify([...seen]));
  renameSync(`${FILE}.new`, FILE);
}
