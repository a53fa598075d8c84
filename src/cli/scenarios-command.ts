/** `singulate scenarios`: what there is to simulate. */
import { readFile } from 'node:fs/promises';
import { scenarioFile, scenarioNames } from '../radio-control/scenario/library.js';
import type { Output } from './output.js';

export async function printScenarios(schema: boolean, { stdout }: Output): Promise<void> {
  stdout.write(schema ? await schemaText() : await listText());
}

async function schemaText(): Promise<string> {
  const { scenarioJsonSchema } = await import('../radio-control/scenario/schema.js');
  return `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`;
}

async function listText(): Promise<string> {
  const names = scenarioNames();
  const width = Math.max(...names.map((name) => name.length));
  const lines = await Promise.all(
    names.map(async (name) => {
      const { description } = JSON.parse(await readFile(scenarioFile(name), 'utf8'));
      return `${name.padEnd(width)}  ${description}`;
    }),
  );
  return `${lines.join('\n')}\n`;
}
