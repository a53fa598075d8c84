/** What a schema cannot say of the GPIO-LED part of the configuration. Pure. */
import type { Violation } from '../../shared/errors.js';
import { type Action, type GpioLed, TRIGGERS } from '../api/gpio-led.js';
import { joinPath, show } from '../api/validate.js';

/** What this reader has. */
export interface Board {
  gpis: number;
  gpos: number;
  /** Of each LED the colours that it can show. */
  leds: readonly { readonly colors: readonly string[] }[];
}

/** A contact or a light cannot follow what is shorter. */
const MIN_PHASE_MS = 10;

/** @param field Path of the part in messages. */
export function gpioLedProblems(part: GpioLed, board: Board, field: string): Violation[] {
  const { gpis, gpos, leds } = board;
  const problems: Violation[] = [];
  const check = (path: string, message: string | undefined) => {
    if (message !== undefined) problems.push({ field: path, message });
  };
  const numbers = (key: 'GPODefaults' | 'LEDDefaults' | 'GPIDebounce', count: number) => {
    for (const number of Object.keys(part[key] ?? {})) {
      const path = joinPath(joinPath(field, key), number);
      check(path, noSuch(number, key.slice(0, 3) as Kind, count));
    }
  };
  numbers('GPODefaults', gpos);
  numbers('LEDDefaults', leds.length);
  numbers('GPIDebounce', gpis);
  for (const [led, color] of Object.entries(part.LEDDefaults ?? {})) {
    check(joinPath(joinPath(field, 'LEDDefaults'), led), noColor(color, leds[Number(led) - 1]));
  }
  for (const trigger of TRIGGERS) {
    const actions = part[trigger] ?? [];
    const path = joinPath(field, trigger);
    const input = /^GPI_(\d)/.exec(trigger)?.[1];
    if (input !== undefined && actions.length > 0) check(path, noSuch(input, 'GPI', gpis));
    actions.forEach((action, index) => {
      for (const [key, message] of actionProblems(action, board)) {
        check(`${path}[${index}].${key}`, message);
      }
    });
  }
  return problems;
}

function actionProblems(action: Action, { gpos, leds }: Board): [string, string | undefined][] {
  const { blink } = action;
  return [
    ...(action.type === 'GPO'
      ? ([['pin', noSuch(action.pin, 'GPO', gpos)]] as [string, string | undefined][])
      : ([
          ['led', noSuch(action.led, 'LED', leds.length)],
          ['color', noColor(action.color, leds[action.led - 1])],
          ['postActionColor', noColor(action.postActionColor, leds[action.led - 1])],
        ] as [string, string | undefined][])),
    ['blink.ON', tooShort(blink?.ON)],
    ['blink.OFF', tooShort(blink?.OFF)],
    ['blink', blink?.ON === 0 && blink.OFF === 0 ? 'ON and OFF must not both be 0' : undefined],
  ];
}

type Kind = 'GPI' | 'GPO' | 'LED';
const WORDS: Record<Kind, string> = { GPI: 'inputs', GPO: 'outputs', LED: 'LEDs' };

function noSuch(number: number | string, kind: Kind, count: number): string | undefined {
  if (/^[1-9]$/.test(String(number)) && Number(number) <= count) return undefined;
  if (count === 0) return `this reader has no ${WORDS[kind]}`;
  return `${show(Number(number))} is not one of the ${WORDS[kind]} of this reader, 1 to ${count}`;
}

function noColor(
  color: string | undefined,
  led: { readonly colors: readonly string[] } | undefined,
): string | undefined {
  if (color === undefined || led === undefined || led.colors.includes(color)) return undefined;
  return `${show(color)} is not one of ${led.colors.join(', ')}, which this LED can show`;
}

function tooShort(ms: number | undefined): string | undefined {
  if (ms === undefined || ms === 0 || ms >= MIN_PHASE_MS) return undefined;
  return `${ms} is neither 0 nor at least ${MIN_PHASE_MS}`;
}
