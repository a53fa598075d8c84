/** The gRPC service definition of singulate.radio.v1.Radio, for grpc-js servers and clients. */
import type { MethodDefinition } from '@grpc/grpc-js';
import {
  AccessTagRequest,
  AccessTagResponse,
  AcquireControlRequest,
  Capabilities,
  ChangePlanRequest,
  ChangePlanResponse,
  ControlLease,
  ExplainPlanRequest,
  ExplainTagRequest,
  GetCapabilitiesRequest,
  GetLinesRequest,
  GetStatisticsRequest,
  GetStatusRequest,
  Lines,
  LinesUpdate,
  ListRegionsRequest,
  ListRegionsResponse,
  Packets,
  PlanExplanation,
  RadioEvents,
  RadioStatus,
  ReadBatch,
  type ReadBatchInput,
  ReleaseControlRequest,
  ReleaseControlResponse,
  RenewControlRequest,
  SetInputRequest,
  SetInputResponse,
  SetLogLevelRequest,
  SetLogLevelResponse,
  SetOutputRequest,
  SetOutputResponse,
  SetPacketLogRequest,
  SetPacketLogResponse,
  SetRegionRequest,
  SetRegionResponse,
  StartInventoryRequest,
  StartInventoryResponse,
  Statistics,
  StopInventoryRequest,
  StopInventoryResponse,
  StreamPacketsRequest,
  StreamReadsRequest,
  TagExplanation,
  ValidatePlanRequest,
  ValidatePlanResponse,
  WatchEventsRequest,
  WatchLinesRequest,
} from './messages.js';

export const SERVICE_NAME = 'singulate.radio.v1.Radio';

interface Codec<In, Out> {
  encode(message: In): { finish(): Uint8Array };
  decode(bytes: Uint8Array): Out;
}

// finish() gives a fresh Uint8Array; a Buffer over the same memory costs no copy.
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function method<ReqIn, Req, ResIn, Res>(
  name: string,
  request: Codec<ReqIn, Req>,
  response: Codec<ResIn, Res>,
  responseStream = false,
): MethodDefinition<ReqIn | Req, ResIn | Res> {
  return {
    path: `/${SERVICE_NAME}/${name}`,
    requestStream: false,
    responseStream,
    requestSerialize: (message) => toBuffer(request.encode(message as ReqIn).finish()),
    requestDeserialize: (bytes) => request.decode(bytes),
    responseSerialize: (message) => toBuffer(response.encode(message as ResIn).finish()),
    responseDeserialize: (bytes) => response.decode(bytes),
  };
}

/**
 * A ReadBatch that is already encoded. radio-control encodes the reads of a batch
 * once and sends the same bytes to every subscriber.
 */
export type EncodedReadBatch = Buffer;

const streamReads = method('StreamReads', StreamReadsRequest, ReadBatch, true);

export const radioService = {
  getCapabilities: method('GetCapabilities', GetCapabilitiesRequest, Capabilities),
  getStatus: method('GetStatus', GetStatusRequest, RadioStatus),
  getStatistics: method('GetStatistics', GetStatisticsRequest, Statistics),
  acquireControl: method('AcquireControl', AcquireControlRequest, ControlLease),
  renewControl: method('RenewControl', RenewControlRequest, ControlLease),
  releaseControl: method('ReleaseControl', ReleaseControlRequest, ReleaseControlResponse),
  validatePlan: method('ValidatePlan', ValidatePlanRequest, ValidatePlanResponse),
  explainPlan: method('ExplainPlan', ExplainPlanRequest, PlanExplanation),
  startInventory: method('StartInventory', StartInventoryRequest, StartInventoryResponse),
  changePlan: method('ChangePlan', ChangePlanRequest, ChangePlanResponse),
  stopInventory: method('StopInventory', StopInventoryRequest, StopInventoryResponse),
  streamReads: {
    ...streamReads,
    responseSerialize: (message: ReadBatchInput | EncodedReadBatch) =>
      Buffer.isBuffer(message) ? message : streamReads.responseSerialize(message),
  },
  explainTag: method('ExplainTag', ExplainTagRequest, TagExplanation),
  accessTag: method('AccessTag', AccessTagRequest, AccessTagResponse),
  watchEvents: method('WatchEvents', WatchEventsRequest, RadioEvents, true),
  setInput: method('SetInput', SetInputRequest, SetInputResponse),
  getLines: method('GetLines', GetLinesRequest, Lines),
  setOutput: method('SetOutput', SetOutputRequest, SetOutputResponse),
  watchLines: method('WatchLines', WatchLinesRequest, LinesUpdate, true),
  listRegions: method('ListRegions', ListRegionsRequest, ListRegionsResponse),
  setRegion: method('SetRegion', SetRegionRequest, SetRegionResponse),
  setLogLevel: method('SetLogLevel', SetLogLevelRequest, SetLogLevelResponse),
  setPacketLog: method('SetPacketLog', SetPacketLogRequest, SetPacketLogResponse),
  streamPackets: method('StreamPackets', StreamPacketsRequest, Packets, true),
};
