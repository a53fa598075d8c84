/**
 * What a lane was proved on. Its inputs are files of the repository, so anybody can compute the same
 * hash at the commit that toolchain/proved.json names: `npm run test:full -- --check`.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build.mjs';
import { run } from '../steps.mjs';
import { COMMON_INPUTS, NO_INPUTS } from './table.mjs';

const PROVED = join(ROOT, 'toolchain/proved.json');
/** The machine's own packages change too. */
const LONGEST_DAYS = 30;
const DAY_MS = 86_400_000;
const NODE_MAJOR = Number(process.versions.node.split('.')[0]);

/** @returns What git prints, or undefined when it cannot. */
async function git(...args) {
  const { code, output } = await run('git', args, { cwd: ROOT });
  return code === 0 ? output : undefined;
}

/** @returns `{commit, tree}` of what is checked out; undefined if files differ from it. */
export async function contentHere() {
  const status = await git('status', '--porcelain', '--', '.', ...NO_INPUTS.map((p) => `:!${p}`));
  if (status !== '') return undefined;
  const commit = (await git('rev-parse', 'HEAD'))?.trim();
  const files = await git('ls-tree', '-r', 'HEAD');
  return { commit, tree: hashOf(files.split('\n'), () => true) };
}

function hashOf(lines, isInput) {
  const hash = createHash('sha256');
  for (const line of lines) {
    const path = line.slice(line.indexOf('\t') + 1);
    if (line !== '' && !NO_INPUTS.includes(path) && isInput(path)) hash.update(`${line}\n`);
  }
  return hash.digest('hex');
}

/** @returns The hash over a lane's inputs at a commit; undefined if the commit is not here. */
export async function inputsOf({ inputs }, commit) {
  const files = await git('ls-tree', '-r', '--full-tree', commit);
  if (files === undefined) return undefined;
  const paths = [...COMMON_INPUTS, ...inputs];
  const isInput = (path) => paths.some((input) => path === input || path.startsWith(`${input}/`));
  return hashOf(files.split('\n'), isInput);
}

export function readProofs() {
  return JSON.parse(readFileSync(PROVED, 'utf8'));
}

/** @returns Why a lane need not run on this commit: its proof; undefined: it must. */
export async function proofOf(lane, commit, proofs = readProofs(), now = Date.now()) {
  const proof = proofs[lane.name];
  if (proof === undefined || proof.node !== NODE_MAJOR) return undefined;
  if (now - Date.parse(proof.date) > LONGEST_DAYS * DAY_MS) return undefined;
  return proof.inputs === (await inputsOf(lane, commit)) ? proof : undefined;
}

/** Writes down what passed on a commit: whole, or bounded as in CI. */
export async function record(lane, commit, { passed, cpuSeconds, whole }) {
  const date = new Date().toISOString().slice(0, 10);
  const inputs = await inputsOf(lane, commit);
  // Read and written without a pause: lanes end beside each other.
  const proofs = readProofs();
  proofs[lane.name] = { commit, date, node: NODE_MAJOR, whole, passed, cpuSeconds, inputs };
  const sorted = Object.fromEntries(Object.entries(proofs).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(PROVED, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** @returns What of the record is not true: its hash is not that of the commit that it names. */
export async function wrongProofs(lanes) {
  const wrong = [];
  for (const [name, proof] of Object.entries(readProofs())) {
    const lane = lanes.find((each) => each.name === name);
    if (lane === undefined) {
      wrong.push(`${name}: there is no such lane`);
      continue;
    }
    const inputs = await inputsOf(lane, proof.commit);
    if (inputs === undefined) wrong.push(`${name}: commit ${proof.commit} is not in this clone`);
    else if (inputs !== proof.inputs) wrong.push(`${name}: other inputs at ${proof.commit}`);
  }
  return wrong;
}
