/** What the service singulate.radio.v1.Radio does at each call. */
import {
  Metadata,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type {
  ChangePlanRequest,
  ExplainPlanRequest,
  ExplainTagRequest,
  LinesUpdateInput,
  ReadBatch,
  SetInputRequest,
  SetLogLevelRequest,
  SetOutputRequest,
  SetPacketLogRequest,
  SetRegionRequest,
  StartInventoryRequest,
  StreamReadsRequest,
  WatchLinesRequest,
} from '../../contract/messages.js';
import { type EncodedReadBatch, radioService } from '../../contract/service.js';
import { type ErrorCode, errorMessage, isSingulateError } from '../../shared/errors.js';
import { VERSION } from '../../shared/package-info.js';
import { DEFAULT_LATENCY_MS, type Inventory } from '../inventory.js';
import type { Lines } from '../lines/lines.js';
import type { RegionControl } from '../regions.js';
import { explainPlan, explainTag } from './explain.js';
import { type Logging, setLogLevel, setPacketLog } from './logging.js';

export const radioServiceDefinition = radioService as unknown as ServiceDefinition;

const MAX_LATENCY_MS = 1000;
const MAX_OWNER_LENGTH = 64;

const STATUS: Record<ErrorCode, status> = {
  INVALID: status.INVALID_ARGUMENT,
  STATE: status.FAILED_PRECONDITION,
  TOO_MANY: status.RESOURCE_EXHAUSTED,
  NOT_FOUND: status.NOT_FOUND,
  UNAVAILABLE: status.UNAVAILABLE,
  UNAUTHENTICATED: status.UNAUTHENTICATED,
  TOO_MANY_LOGINS: status.RESOURCE_EXHAUSTED,
  CONFIG: status.FAILED_PRECONDITION,
  INTERNAL: status.INTERNAL,
};

function toGrpcError(error: unknown): { code: status; details: string } {
  const code = isSingulateError(error) ? STATUS[error.code] : status.INTERNAL;
  return { code, details: errorMessage(error) };
}

function invalidArgument(details: string): { code: status; details: string } {
  return { code: status.INVALID_ARGUMENT, details };
}

type Done = (error: object | null, value?: object) => void;

/** What the calls work on. */
export interface RadioParts {
  inventory: Inventory;
  regions: RegionControl;
  lines: Lines;
  logging: Logging;
}

export function radioHandlers(parts: RadioParts): UntypedServiceImplementation {
  const { inventory, regions, lines, logging } = parts;
  const unary =
    <Req>(answer: (request: Req) => object) =>
    (call: ServerUnaryCall<Req, object>, done: Done) => {
      try {
        done(null, answer(call.request));
      } catch (error) {
        done(toGrpcError(error));
      }
    };

  return {
    getCapabilities: unary(() => capabilitiesMessage(parts)),

    listRegions: unary(() => regions.list()),

    setRegion: unary(({ region, channelsKhz }: SetRegionRequest) => {
      regions.set(region, channelsKhz);
      return {};
    }),

    getStatus: unary(() => inventory.status()),

    startInventory: (call: ServerUnaryCall<StartInventoryRequest, object>, done: Done) => {
      const { plan, owner } = call.request;
      if (owner.length > MAX_OWNER_LENGTH) {
        done(invalidArgument(`owner: ${owner.length} characters; at most ${MAX_OWNER_LENGTH}`));
        return;
      }
      unary(() => ({ inventoryId: inventory.start(plan ?? {}, owner) }))(call, done);
    },

    changePlan: unary(({ plan, inventoryId }: ChangePlanRequest) => ({
      plan: inventory.change(plan ?? {}, inventoryId),
    })),

    explainPlan: unary((request: ExplainPlanRequest) => explainPlan(inventory, request)),

    explainTag: unary(({ epc }: ExplainTagRequest) => explainTag(inventory, epc)),

    setInput: unary(({ port, high }: SetInputRequest) => {
      lines.setInput(port, high);
      return {};
    }),

    getLines: unary(() => lines.list()),

    setOutput: unary(({ port, high }: SetOutputRequest) => {
      lines.setOutput(port, high);
      return {};
    }),

    watchLines: (call: ServerWritableStream<WatchLinesRequest, LinesUpdateInput>) => {
      serveStream(call, lines.watch({ send: (update) => call.write(update) }));
    },

    setLogLevel: unary(({ level }: SetLogLevelRequest) => setLogLevel(logging, level)),

    setPacketLog: unary(({ on }: SetPacketLogRequest) => setPacketLog(logging, on)),

    stopInventory: unary(() => ({ counters: inventory.stop() })),

    streamReads: (call: ServerWritableStream<StreamReadsRequest, ReadBatch | EncodedReadBatch>) => {
      const latency = call.request.maxLatencyMs || DEFAULT_LATENCY_MS;
      if (latency > MAX_LATENCY_MS) {
        call.emit(
          'error',
          invalidArgument(`max_latency_ms: ${latency} given; allowed: 0..${MAX_LATENCY_MS}`),
        );
        return;
      }
      // Headers at once: a client of an idle stream sees that it is connected.
      call.sendMetadata(new Metadata());
      serveStream(call, inventory.hub.subscribe({ send: (batch) => call.write(batch) }, latency));
    },
  };
}

/** Lets a subscription live as long as its call. */
function serveStream<Req, Res>(
  call: ServerWritableStream<Req, Res>,
  subscription: { resume(): void; close(): void },
): void {
  call.on('drain', () => subscription.resume());
  call.on('cancelled', () => {
    subscription.close();
    call.end();
  });
  // A connection that breaks while we write: 'cancelled' follows and ends the subscription.
  call.on('error', () => subscription.close());
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
  };
}
