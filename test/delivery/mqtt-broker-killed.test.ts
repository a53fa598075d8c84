/** A broker that breaks its connections off, or is killed, while events flow with QoS 0, 1 and 2. */
import t from 'tap';
import { SHORT } from './killing.js';
import { brokerSurvives } from './mortal-ends.js';

t.test('every event arrives or is reported lost, as far as the QoS allows', (t) =>
  brokerSurvives(t, SHORT),
);
