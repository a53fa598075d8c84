/** Two hundred times: the process of the endpoints is killed and stopped while events flow. */
import t from 'tap';
import { killsOf } from '../delivery/killing.js';
import { restartedEndpoints } from '../delivery/restarted-endpoints.js';
import { Receivers, survivesRestarts } from '../delivery/restarts.js';

t.test('every number arrives or is reported lost, and stands for one event', async (t) => {
  const receivers = await Receivers.start(t, 'ws');
  await survivesRestarts(t, restartedEndpoints(t, receivers), receivers, killsOf(200));
});
