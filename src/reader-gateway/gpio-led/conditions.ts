/** Whether an action is to be performed. */
import type { Condition, Conditions } from '../api/gpio-led.js';

export interface Facts {
  cloudConnected: boolean;
  radioOngoing: boolean;
}

export function holds(conditions: Conditions | undefined, facts: Facts): boolean {
  if (conditions === undefined) return true;
  const one = (condition: Condition) => isTrue(condition, facts);
  if (Array.isArray(conditions)) return conditions.every(one);
  const { operator, operands } = conditions;
  return operator === 'or' ? operands.some(one) : operands.every(one);
}

function isTrue(condition: Condition, { cloudConnected, radioOngoing }: Facts): boolean {
  switch (condition) {
    case 'IS_CLOUD_CONNECTED':
      return cloudConnected;
    case '~IS_CLOUD_CONNECTED':
      return !cloudConnected;
    case 'IS_RADIO_ONGOING':
      return radioOngoing;
    case '~IS_RADIO_ONGOING':
      return !radioOngoing;
  }
}
