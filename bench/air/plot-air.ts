/** The picture of `bench -- air`: rate over ceiling by link profile, a panel for each population. */
import type { AirRow, Policy } from './measure-air.js';

const POLICIES: { policy: Policy; color: string; name: string }[] = [
  { policy: 'adaptive', color: '#0b6e4f', name: 'adaptive, population unknown' },
  { policy: 'known-population', color: '#8d99ae', name: 'whole frames, population known' },
  { policy: 'q-algorithm', color: '#d1495b', name: 'plain Q algorithm' },
];

const PANEL = { width: 900, height: 200, left: 70, top: 60, gap: 50 };
/** The range of the ratio that a panel shows. */
const LOW = 0.5;
const HIGH = 1.05;

export function plotAir(rows: readonly AirRow[]): string {
  const populations = [...new Set(rows.map((row) => row.tags))];
  const height = PANEL.top + populations.length * (PANEL.height + PANEL.gap) + 60;
  const width = PANEL.left + PANEL.width + 30;
  const panels = populations.map((tags, i) =>
    panel(
      rows.filter((row) => row.tags === tags),
      tags,
      PANEL.top + i * (PANEL.height + PANEL.gap),
    ),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    legend(),
    ...panels,
    '</svg>',
    '',
  ].join('\n');
}

function legend(): string {
  return POLICIES.map(({ color, name }, i) => {
    const x = PANEL.left + i * 240;
    return `<circle cx="${x}" cy="20" r="5" fill="${color}"/><text x="${x + 10}" y="24">${name}</text>`;
  }).join('\n');
}

function panel(rows: readonly AirRow[], tags: number, top: number): string {
  const profiles = [...new Set(rows.map((row) => row.profile))];
  const step = PANEL.width / profiles.length;
  const y = (ratio: number) =>
    top + PANEL.height * (1 - (Math.max(LOW, ratio) - LOW) / (HIGH - LOW));
  const lines = [0.5, 0.6, 0.7, 0.8, 0.9, 1].map(
    (ratio) =>
      `<line x1="${PANEL.left}" x2="${PANEL.left + PANEL.width}" y1="${y(ratio)}" y2="${y(ratio)}" stroke="${ratio === 1 ? '#333' : '#ddd'}"/>` +
      `<text x="${PANEL.left - 8}" y="${y(ratio) + 4}" text-anchor="end">${ratio.toFixed(1)}</text>`,
  );
  const marks = profiles.flatMap((profile, i) => {
    const x = PANEL.left + (i + 0.5) * step;
    const label = `<text x="${x}" y="${top + PANEL.height + 16}" text-anchor="middle" font-size="10">${profile}</text>`;
    const dots = POLICIES.flatMap(({ policy, color }) =>
      rows
        .filter((row) => row.profile === profile && row.policy === policy)
        .map(
          (row) =>
            `<circle cx="${x}" cy="${y(row.over_ceiling).toFixed(1)}" r="4" fill="${color}"><title>${profile}, ${policy}: ${row.tags_per_second.toFixed(1)} tags/s, ${row.over_ceiling.toFixed(3)} of the ceiling</title></circle>`,
        ),
    );
    return [label, ...dots];
  });
  const title = `<text x="${PANEL.left}" y="${top - 8}" font-weight="bold">${tags.toLocaleString('en')} tags: rate over the ceiling of the link</text>`;
  return [title, ...lines, ...marks].join('\n');
}
