/** GET /cloud/metrics: the counters in the text format of Prometheus (version 0.0.4). */
import type { Middleware } from 'koa';
import { counterToNumber } from '../../contract/time.js';
import type { Login } from '../auth/login.js';
import type { EndpointStatus } from '../endpoint-status.js';
import type { OperationContext } from '../operations/operation.js';
import type { StrangerCounts } from '../strangers/stranger-door.js';
import { doorLines } from './door-metrics.js';
import { family, sample } from './metric-text.js';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function metricsHandler(
  context: OperationContext,
  login: Pick<Login, 'refused'>,
  strangers: Readonly<StrangerCounts>,
): Middleware {
  return async (ctx) => {
    const status = await context.radio.recentStatus().catch(() => context.radio.lastStatus);
    const counters = status?.counters ?? {};
    const reads = ['reads', 'reported', 'filtered', 'dropped', 'idFiltered', 'tooWeak'] as const;
    const lines = [
      ...family('singulate_radio_connected', 'gauge', 'The radio service answers.', [
        sample('singulate_radio_connected', {}, context.radio.isConnected ? 1 : 0),
      ]),
      ...family('singulate_tag_reads', 'gauge', 'Of the running or of the last inventory.', [
        ...reads.map((result) =>
          sample('singulate_tag_reads', { result }, counterToNumber(counters[result])),
        ),
        sample('singulate_tag_reads', { result: 'missed' }, context.reading.missed),
      ]),
      ...family('singulate_log_lines_lost_total', 'counter', 'Of the log files of the gateway.', [
        sample('singulate_log_lines_lost_total', {}, context.logs.lost),
      ]),
      ...family(
        'singulate_state_file_faults',
        'gauge',
        'Files of the state folder that cannot be used; their parts have their defaults.',
        context.stateFaults().map(({ file }) => sample('singulate_state_file_faults', { file }, 1)),
      ),
      ...endpointLines(context.endpoints()),
      ...family('singulate_event_numbers_kept', 'gauge', 'Event numbers go on over a restart.', [
        sample('singulate_event_numbers_kept', {}, context.numbers.isKept ? 1 : 0),
      ]),
      ...certificateLines(context),
      ...gpioLedLines(context),
      ...strangerLines(strangers),
      ...healthLines(context),
      ...doorLines(login),
    ];
    ctx.type = CONTENT_TYPE;
    ctx.body = `${lines.join('\n')}\n`;
  };
}

function endpointLines(endpoints: readonly EndpointStatus[]): string[] {
  const labels = (one: EndpointStatus) => ({
    interface: one.interface,
    name: one.name,
    type: one.type,
  });
  const total = 'singulate_endpoint_events_total';
  const retained = 'singulate_endpoint_retained_events';
  const connected = 'singulate_endpoint_connected';
  return [
    ...family(
      total,
      'counter',
      'Events; of command connections responses.',
      endpoints.flatMap((one) =>
        (['sent', 'dropped', 'retried'] as const).map((result) =>
          sample(total, { ...labels(one), result }, one[result]),
        ),
      ),
    ),
    ...family(
      retained,
      'gauge',
      'Events that wait or are on the way.',
      endpoints.map((one) => sample(retained, labels(one), one.retained)),
    ),
    ...family(
      connected,
      'gauge',
      'The other side is there.',
      endpoints.map((one) => sample(connected, labels(one), one.state === 'connected' ? 1 : 0)),
    ),
  ];
}

function certificateLines({ certificateStore }: OperationContext): string[] {
  const name = 'singulate_certificate_not_after_seconds';
  const samples = certificateStore
    .ends()
    .map(({ type, name: label, end }) =>
      sample(name, { type, name: label }, Math.floor(end.getTime() / 1000)),
    );
  return family(name, 'gauge', 'End of the validity, seconds since 1970.', samples);
}

function gpioLedLines({ gpioLed }: OperationContext): string[] {
  const runs = 'singulate_trigger_events_total';
  const failures = 'singulate_output_failures_total';
  const state = 'singulate_output_state';
  return [
    ...family(
      runs,
      'counter',
      'Runs of the actions of a trigger, and events that were merged into one that waited.',
      [...gpioLed.triggers].flatMap(([trigger, counters]) => [
        sample(runs, { trigger, result: 'run' }, counters.runs),
        sample(runs, { trigger, result: 'merged' }, counters.merged),
      ]),
    ),
    ...family(
      failures,
      'counter',
      'Outputs and LEDs that could not be set.',
      gpioLed.outputs.map(({ name, failures: count }) => sample(failures, { output: name }, count)),
    ),
    ...family(
      state,
      'gauge',
      'The level of an output, the color that an LED was set to last.',
      gpioLed.outputs.flatMap(({ name, state: is }) =>
        is === undefined ? [] : [sample(state, { output: name, state: is }, 1)],
      ),
    ),
  ];
}

function strangerLines(strangers: Readonly<StrangerCounts>): string[] {
  const { waiting, taken, refused, usedMs } = strangers;
  const waits = 'singulate_rest_without_token_waiting';
  const requests = 'singulate_rest_without_token_total';
  const seconds = 'singulate_rest_without_token_seconds_total';
  return [
    ...family(requests, 'counter', 'Requests over REST without a valid token.', [
      sample(requests, { result: 'taken' }, taken),
      sample(requests, { result: 'refused' }, refused),
    ]),
    ...family(waits, 'gauge', 'Those that wait for their turn.', [sample(waits, {}, waiting)]),
    ...family(seconds, 'counter', 'Time of the event loop that they used, estimated.', [
      sample(seconds, {}, usedMs / 1000),
    ]),
  ];
}

function healthLines({ health }: OperationContext): string[] {
  if (health === undefined) return [];
  const turns = 'singulate_event_loop_long_turns_total';
  const longest = 'singulate_event_loop_longest_turn_seconds';
  const restarts = 'singulate_service_restarts_total';
  return [
    ...family(turns, 'counter', 'Turns of the event loop of the gateway above 250 ms.', [
      sample(turns, {}, health.loop.turns),
    ]),
    ...family(longest, 'gauge', 'The longest of them since the start; 0 = there was none.', [
      sample(longest, {}, health.loop.longestMs / 1000),
    ]),
    ...family(
      restarts,
      'counter',
      'Starts of a service by the singulate command after the first one.',
      health
        .restarts()
        .map(({ service, reason, count }) => sample(restarts, { service, reason }, count)),
    ),
  ];
}
