/** The text format of Prometheus (version 0.0.4). */

export function family(name: string, type: 'counter' | 'gauge', help: string, samples: string[]) {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples];
}

/** One line. */
export function sample(name: string, labels: Record<string, string>, value: number): string {
  const texts = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${texts.length === 0 ? '' : `{${texts.join(',')}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
