/** The time of an event. */
import { Type } from './schema.js';

export const EVENT_TIME_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}[+-][0-9]{4}$';

export const EventTime = (
  description = 'ISO 8601 with milliseconds and an offset without a colon',
) => Type.String({ pattern: EVENT_TIME_PATTERN, description });
