/** Who was kept waiting or turned away at the doors with TLS and at the login, for the metrics. */
import { allDoorCounts } from '../../shared/arrivals/door-counts.js';
import type { Login } from '../auth/login.js';
import { family, sample } from './metric-text.js';

export function doorLines({ refused: logins }: Pick<Login, 'refused'>): string[] {
  const refused = 'singulate_connections_refused_total';
  const handshakes = 'singulate_tls_handshakes_total';
  const login = 'singulate_logins_refused_total';
  const doors = [...allDoorCounts()];
  return [
    ...family(
      refused,
      'counter',
      'Connections closed before a request: too many of a client, no place, replaced, late, no TLS.',
      doors.flatMap(([door, counts]) =>
        Object.entries(counts.refused).map(([reason, count]) =>
          sample(refused, { door, reason }, count),
        ),
      ),
    ),
    ...family(
      handshakes,
      'counter',
      'TLS handshakes that were begun; of those held until the processor had time for them.',
      doors.flatMap(([door, { handshakes: counts }]) =>
        Object.entries(counts).map(([state, count]) => sample(handshakes, { door, state }, count)),
      ),
    ),
    ...family(
      login,
      'counter',
      'Logins that were not looked at: too many failures of the address, too many at a time.',
      Object.entries(logins).map(([reason, count]) => sample(login, { reason }, count)),
    ),
  ];
}
