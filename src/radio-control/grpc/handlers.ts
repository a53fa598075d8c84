/** What the service singulate.radio.v1.Radio does at each call. */
import {
  Metadata,
  type ServerWritableStream,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import {
  AccessResult,
  type AccessTagRequest,
  type AcquireControlRequest,
  type ChangePlanRequest,
  type ExplainPlanRequest,
  type ExplainTagRequest,
  type LinesUpdateInput,
  type PacketsInput,
  type RadioEventsInput,
  type ReadBatch,
  type ReleaseControlRequest,
  type RenewControlRequest,
  type SetInputRequest,
  type SetLogLevelRequest,
  type SetOutputRequest,
  type SetPacketLogRequest,
  type SetRegionRequest,
  type StartInventoryRequest,
  type StopInventoryRequest,
  type StreamPacketsRequest,
  type StreamReadsRequest,
  type ValidatePlanRequest,
  type WatchEventsRequest,
  type WatchLinesRequest,
} from '../../contract/messages.js';
import { type EncodedReadBatch, radioService } from '../../contract/service.js';
import { counterToNumber } from '../../contract/time.js';
import { invalid, isSingulateError, SingulateError } from '../../shared/errors.js';
import { VERSION } from '../../shared/package-info.js';
import type { TagAccess } from '../access/tag-access.js';
import type { Control, Lease } from '../control/control.js';
import type { EventLog } from '../events/event-log.js';
import type { Inventory } from '../inventory.js';
import type { Lines } from '../lines/lines.js';
import type { PacketFeed } from '../packet-log/packet-feed.js';
import { PacketStream } from '../packet-log/packet-stream.js';
import type { RegionControl } from '../regions.js';
import type { StreamTransport } from '../reports/read-stream.js';
import { serveStream, unary } from './answers.js';
import { callerOf } from './caller.js';
import { explainPlan, explainTag } from './explain.js';
import { loggedCalls } from './logged-calls.js';
import { type Logging, setLogLevel, setPacketLog } from './logging.js';
import { withMalformed } from './malformed.js';
import { type Role, reaches } from './roles.js';
import { type Connections, statisticsMessage } from './statistics.js';
import { subscribeOptions } from './stream-request.js';

export const radioServiceDefinition = withMalformed(radioService as unknown as ServiceDefinition);

const MAX_OWNER_LENGTH = 64;
const { DONE } = AccessResult.Status;
const NO_BYTES = new Uint8Array();

/** What the calls work on. */
export interface RadioParts {
  inventory: Inventory;
  regions: RegionControl;
  lines: Lines;
  logging: Logging;
  control: Control;
  events: EventLog;
  packets: PacketFeed;
  tagAccess: TagAccess;
}

export function radioHandlers(
  parts: RadioParts,
  connections: () => Connections,
): UntypedServiceImplementation {
  const { inventory, regions, lines, logging, control, events, packets, tagAccess } = parts;

  return loggedCalls(logging.log, {
    getCapabilities: unary(() => capabilitiesMessage(parts)),

    getStatus: unary(() => inventory.status()),

    getStatistics: unary(() => statisticsMessage(inventory, control, connections())),

    acquireControl: unary(({ owner, ttlMs, takeover }: AcquireControlRequest) => {
      const { takenFrom, ...lease } = control.acquire(owner, ttlMs, takeover);
      return { ...leaseMessage(lease), takenFrom };
    }),

    renewControl: unary(({ leaseId }: RenewControlRequest) => leaseMessage(control.renew(leaseId))),

    releaseControl: unary(({ leaseId }: ReleaseControlRequest) => {
      control.release(leaseId);
      return {};
    }),

    validatePlan: unary(({ plan }: ValidatePlanRequest) => ({
      violations: inventory
        .violations(plan ?? {})
        .map(({ field, message }) => ({ field, description: message })),
    })),

    explainPlan: unary((request: ExplainPlanRequest) => explainPlan(inventory, request)),

    startInventory: unary(async ({ plan, owner, leaseId }: StartInventoryRequest) => {
      if (owner.length > MAX_OWNER_LENGTH) {
        const message = `${owner.length} characters; at most ${MAX_OWNER_LENGTH}`;
        throw invalid([{ field: 'owner', message }]);
      }
      control.check(leaseId);
      const inventoryId = await tagAccess.between(() => inventory.start(plan ?? {}, owner));
      return { inventoryId };
    }),

    changePlan: unary(({ plan, inventoryId, leaseId }: ChangePlanRequest) => {
      control.check(leaseId);
      return { plan: inventory.change(plan ?? {}, inventoryId) };
    }),

    stopInventory: unary(async ({ inventoryId, leaseId }: StopInventoryRequest) => {
      control.check(leaseId);
      return { counters: await inventory.stop(inventoryId) };
    }),

    streamReads: (call: ServerWritableStream<StreamReadsRequest, ReadBatch | EncodedReadBatch>) => {
      serveStream(call, () => {
        const { paced } = inventory.capabilities;
        const options = subscribeOptions(call.request, paced);
        if (options.blocks && paced)
          mustReach(callerOf(call).role, 'controller', 'when_slow BLOCK');
        // Headers at once: a client of an idle stream sees that it is connected.
        call.sendMetadata(new Metadata());
        return inventory.hub.subscribe(readTransport(call, events), options);
      });
    },

    explainTag: unary(({ epc }: ExplainTagRequest) => explainTag(inventory, epc)),

    accessTag: unary(async (request: AccessTagRequest, signal) => {
      const owner = control.check(request.leaseId);
      const tell = (epc: Uint8Array, done: boolean) =>
        events.add({ tagAccessed: { epc, owner, done } });
      try {
        const answer = await tagAccess.access(request, signal);
        const isDone = answer.results?.every(({ status: result }) => (result ?? 0) === DONE);
        tell(answer.epc ?? NO_BYTES, isDone === true);
        return answer;
      } catch (error) {
        if (isSingulateError(error, 'NOT_FOUND')) tell(request.tag?.epc ?? NO_BYTES, false);
        throw error;
      }
    }),

    watchEvents: (call: ServerWritableStream<WatchEventsRequest, RadioEventsInput>) => {
      const { afterSequence, logId } = call.request;
      const after =
        afterSequence === null || afterSequence === undefined
          ? undefined
          : counterToNumber(afterSequence);
      serveStream(call, () =>
        events.watch({ send: (message) => call.write(message) }, after, logId),
      );
    },

    setInput: unary(({ port, high, leaseId }: SetInputRequest) => {
      control.check(leaseId);
      lines.setInput(port, high);
      return {};
    }),

    getLines: unary(() => lines.list()),

    setOutput: unary(({ port, high, leaseId }: SetOutputRequest) => {
      control.check(leaseId);
      lines.setOutput(port, high);
      return {};
    }),

    watchLines: (call: ServerWritableStream<WatchLinesRequest, LinesUpdateInput>) => {
      serveStream(call, () => lines.watch({ send: (update) => call.write(update) }));
    },

    listRegions: unary(() => regions.list()),

    setRegion: unary(async ({ region, channelsKhz, leaseId }: SetRegionRequest) => {
      control.check(leaseId);
      await tagAccess.between(() => regions.set(region, channelsKhz));
      events.add({ regionChanged: { region } });
      return {};
    }),

    setLogLevel: unary(({ level }: SetLogLevelRequest) => setLogLevel(logging, level)),

    setPacketLog: unary(({ on }: SetPacketLogRequest) => setPacketLog(logging, on)),

    streamPackets: (call: ServerWritableStream<StreamPacketsRequest, PacketsInput>) => {
      serveStream(call, () => {
        const stream = new PacketStream(packets, { send: (message) => call.write(message) });
        call.sendMetadata(new Metadata());
        return stream;
      });
    },
  });
}

/** Of what needs more than its call does. @throws STATE, which is told as PERMISSION_DENIED */
function mustReach(role: Role, needed: Role, what: string): void {
  if (reaches(role, needed)) return;
  const message = `${what} needs the role ${needed}; this client has ${role}`;
  const info = { reason: 'ROLE', metadata: { needed, role } };
  throw new SingulateError('STATE', message, [], undefined, info);
}

function leaseMessage({ leaseId, expiresMs, ttlMs }: Lease): object {
  return { leaseId, ttlMs, expiresNs: expiresMs * 1e6 };
}

function readTransport(
  call: ServerWritableStream<StreamReadsRequest, ReadBatch | EncodedReadBatch>,
  events: EventLog,
): StreamTransport {
  return {
    send: (batch) => call.write(batch),
    end: (why, reason) => {
      const { clientName } = call.request;
      if (why === 'cut off') events.add({ clientCutOff: { clientName, reason } });
      const code = why === 'cut off' ? status.RESOURCE_EXHAUSTED : status.UNAVAILABLE;
      call.emit('error', { code, details: reason });
    },
  };
}

function capabilitiesMessage({ inventory, regions: { site }, lines }: RadioParts): object {
  const { capabilities } = inventory;
  return {
    module: capabilities.module,
    model: capabilities.model,
    firmware: capabilities.firmware,
    antennas: capabilities.antennas,
    minTransmitPowerCdbm: capabilities.minTransmitPowerCdbm,
    maxTransmitPowerCdbm: capabilities.maxTransmitPowerCdbm,
    linkProfiles: capabilities.linkProfiles,
    sequencesAntennas: capabilities.sequencesAntennas,
    serviceVersion: VERSION,
    beams: capabilities.beams,
    hasSelects: capabilities.hasSelects,
    hasAccess: capabilities.hasAccess,
    hasRssiLimit: capabilities.hasRssiLimit,
    region: site?.region ?? '',
    maxEirpCdbm: Math.round((site?.maxEirpDbm ?? 0) * 100),
    readerModel: site?.readerModel ?? '',
    channelWidthKhz: site?.channelWidthKhz ?? 0,
    inputs: lines.inputCount,
    outputs: lines.outputCount,
    features: capabilities.features,
    linkProfileDetails: capabilities.linkProfileDetails,
  };
}
