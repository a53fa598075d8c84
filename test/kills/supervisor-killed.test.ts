import t from 'tap';
import { killsOf } from '../delivery/killing.js';
import { killStarts } from '../e2e/kills-at-start.js';

t.test('a supervisor killed at fifty moments of its start leaves nothing running', (t) =>
  killStarts(t, killsOf(50)),
);
