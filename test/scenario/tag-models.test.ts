import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { findFaults } from '../../src/radio-control/scenario/check-schema.js';
import { loadScenario } from '../../src/radio-control/scenario/load-scenario.js';
import { lockBits } from '../../src/radio-control/scenario/lock-states.js';
import { TagModel } from '../../src/radio-control/scenario/tag-model-schema.js';
import { tagModels, tidOf } from '../../src/radio-control/scenario/tag-models.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');

/** Mask designers, 9 bits (GS1). */
const MAKERS = { Impinj: 0x001, NXP: 0x006, Alien: 0x003 };

t.test('chips have the form of one, room for an EPC, and write with more power', async (t) => {
  for (const model of tagModels().values()) {
    t.strictSame(findFaults(TagModel, model), [], model.name);
    t.ok(model.writeSensitivityDbm > model.readSensitivityDbm, `${model.name}: sensitivity`);
  }
});

t.test('a TID prefix names the maker, and says whether an XTID header follows', async (t) => {
  for (const { name, maker, tidPrefix, xtid } of tagModels().values()) {
    // E2h, then X, S and F, 9 bits of mask designer and 12 of model number.
    const bits = Number.parseInt(tidPrefix.slice(2), 16);
    t.equal((bits >> 23) & 1, xtid ? 1 : 0, `${name}: X bit`);
    t.equal((bits >> 12) & 0x1ff, MAKERS[maker], `${name}: mask designer`);
  }
});

t.test('data sheet figures of the reference', async (t) => {
  const figures = (name: string) => {
    const model = tagModels().get(name);
    return [model?.readSensitivityDbm, model?.writeSensitivityDbm, model?.writeUsPerWord];
  };
  t.strictSame(figures('monza-r6'), [-22.1, -18.8, 800]);
  t.strictSame(figures('monza-r6-p'), [-22.1, -17.3, 800]);
  t.strictSame(figures('monza-5')?.slice(0, 2), [-20, -16]);
  t.strictSame(figures('monza-4qt'), [-19.5, -16.7, 2500]);
});

t.test('a TID is the prefix of the chip, the XTID header and a serial number', async (t) => {
  const chip = (name: string) => tagModels().get(name) as never;
  t.equal(hex(tidOf(chip('monza-r6'), 0x123456789abc)), 'e28011602000123456789abc');
  t.equal(hex(tidOf(chip('higgs-3'), 1)), 'e20034120000000000000001');
});

t.test('tags of a chip get its sensitivity, memory, passwords, locks and a TID each', async (t) => {
  const file = join(t.testdir({}), 'chips.json');
  const tags = {
    epc: 'urn:epc:tag:giai-96:0.9521141.{serial}',
    ...{ count: 50, at: [0, 0, 0], model: 'monza-4qt', user: '12345678' },
    ...{ killPassword: '00000001', accessPassword: 'CAFEBABE', locks: { user: 'secured' } },
  };
  const antennas = [{ port: 1, position: [0, 0, 1] }];
  writeFileSync(
    file,
    JSON.stringify({ antennas, groups: [{ position: [0, 0, 0], tags: [tags] }] }),
  );
  const field = await loadScenario(file);
  const made = field.groups.flatMap((group) => group.tags);
  t.equal(new Set(made.map(({ tid }) => hex(tid))).size, 50, 'no TID twice');
  for (const tag of made) {
    t.ok(Math.abs(tag.sensitivityDbm + 19.5) <= 1);
    t.equal(field.models?.[tag.model ?? 0]?.name, 'monza-4qt');
    t.equal(hex(tag.user), '12345678');
    t.strictSame([tag.killPassword, tag.accessPassword], [1, 0xcafebabe]);
    // TID never, USER secured.
    t.equal(tag.lock, 0b00_00_00_11_10);
  }
});

t.test('lock states stand in the order of a Lock payload', async (t) => {
  t.equal(lockBits({ kill: 'never', tid: 'open' }), 0b11_00_00_00_00);
  t.equal(lockBits({ access: 'open-for-ever', epc: 'secured', tid: 'open' }), 0b00_01_10_00_00);
});

t.test('the page lists every chip with all its data', async (t) => {
  const page = readFileSync(join(PACKAGE_ROOT, 'docs/scenarios.md'), 'utf8');
  for (const model of tagModels().values()) {
    const can = [
      model.blockWrite ? 'block write' : '',
      model.blockPermalock ? 'block permalock' : '',
      model.untraceable ? 'untraceable' : '',
    ].filter((text) => text !== '');
    const cells = [
      `\`${model.name}\``,
      model.maker,
      `${model.readSensitivityDbm} / ${model.writeSensitivityDbm}`,
      model.writeUsPerWord / 1000,
      model.epcWords,
      model.userWords,
      can.join(', '),
      model.tidPrefix,
      model.confidence,
    ];
    t.ok(page.includes(`\n| ${cells.join(' | ')} |\n`), model.name);
  }
});
