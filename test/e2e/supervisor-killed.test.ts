import t from 'tap';
import { killStarts } from './kills-at-start.js';

t.test('a supervisor killed at ten moments of its start leaves nothing running', (t) =>
  killStarts(t, 10),
);
