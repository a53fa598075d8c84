/** The process of the endpoints is killed and stopped while 3,000 events a second flow. */
import t from 'tap';
import { restartedEndpoints } from './restarted-endpoints.js';
import { Receivers, survivesRestarts } from './restarts.js';

t.test('every number arrives or is reported lost, and stands for one event', async (t) => {
  const receivers = await Receivers.start(t, 'ws');
  await survivesRestarts(t, restartedEndpoints(t, receivers), receivers, 8);
});
