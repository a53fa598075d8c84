import t from 'tap';
import { killStarts } from './kills-at-start.js';

t.test('a supervisor killed at six moments of its start leaves nothing running', (t) =>
  killStarts(t, 6),
);
