/** A broker that breaks its connections off 200 times and is killed 200 times, with QoS 0, 1 and 2. */
import t from 'tap';
import { LONG } from '../delivery/killing.js';
import { brokerSurvives } from '../delivery/mortal-ends.js';

t.test('every event arrives or is reported lost, as far as the QoS allows', (t) =>
  brokerSurvives(t, LONG),
);
