/** The gRPC service definition of singulate.radio.v1.Radio, for grpc-js servers and clients. */
import type { MethodDefinition } from '@grpc/grpc-js';
import {
  Capabilities,
  type CapabilitiesInput,
  ChangePlanRequest,
  type ChangePlanRequestInput,
  ChangePlanResponse,
  ExplainPlanRequest,
  type ExplainPlanRequestInput,
  ExplainTagRequest,
  type ExplainTagRequestInput,
  GetCapabilitiesRequest,
  GetLinesRequest,
  GetStatusRequest,
  Lines,
  type LinesInput,
  LinesUpdate,
  type LinesUpdateInput,
  ListRegionsRequest,
  ListRegionsResponse,
  type ListRegionsResponseInput,
  PlanExplanation,
  type PlanExplanationInput,
  RadioStatus,
  type RadioStatusInput,
  ReadBatch,
  type ReadBatchInput,
  SetInputRequest,
  type SetInputRequestInput,
  SetInputResponse,
  SetLogLevelRequest,
  type SetLogLevelRequestInput,
  SetLogLevelResponse,
  SetOutputRequest,
  type SetOutputRequestInput,
  SetOutputResponse,
  SetPacketLogRequest,
  type SetPacketLogRequestInput,
  SetPacketLogResponse,
  SetRegionRequest,
  type SetRegionRequestInput,
  SetRegionResponse,
  StartInventoryRequest,
  type StartInventoryRequestInput,
  StartInventoryResponse,
  StopInventoryRequest,
  StopInventoryResponse,
  StreamReadsRequest,
  type StreamReadsRequestInput,
  TagExplanation,
  type TagExplanationInput,
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

const streamReads = method<StreamReadsRequestInput, StreamReadsRequest, ReadBatchInput, ReadBatch>(
  'StreamReads',
  StreamReadsRequest,
  ReadBatch,
  true,
);

export const radioService = {
  getCapabilities: method<object, GetCapabilitiesRequest, CapabilitiesInput, Capabilities>(
    'GetCapabilities',
    GetCapabilitiesRequest,
    Capabilities,
  ),
  getStatus: method<object, GetStatusRequest, RadioStatusInput, RadioStatus>(
    'GetStatus',
    GetStatusRequest,
    RadioStatus,
  ),
  startInventory: method<
    StartInventoryRequestInput,
    StartInventoryRequest,
    { inventoryId?: string },
    StartInventoryResponse
  >('StartInventory', StartInventoryRequest, StartInventoryResponse),
  changePlan: method<
    ChangePlanRequestInput,
    ChangePlanRequest,
    { plan?: number },
    ChangePlanResponse
  >('ChangePlan', ChangePlanRequest, ChangePlanResponse),
  explainPlan: method<
    ExplainPlanRequestInput,
    ExplainPlanRequest,
    PlanExplanationInput,
    PlanExplanation
  >('ExplainPlan', ExplainPlanRequest, PlanExplanation),
  explainTag: method<
    ExplainTagRequestInput,
    ExplainTagRequest,
    TagExplanationInput,
    TagExplanation
  >('ExplainTag', ExplainTagRequest, TagExplanation),
  setInput: method<SetInputRequestInput, SetInputRequest, object, SetInputResponse>(
    'SetInput',
    SetInputRequest,
    SetInputResponse,
  ),
  getLines: method<object, object, LinesInput, Lines>('GetLines', GetLinesRequest, Lines),
  setOutput: method<SetOutputRequestInput, SetOutputRequest, object, SetOutputResponse>(
    'SetOutput',
    SetOutputRequest,
    SetOutputResponse,
  ),
  watchLines: method<object, WatchLinesRequest, LinesUpdateInput, LinesUpdate>(
    'WatchLines',
    WatchLinesRequest,
    LinesUpdate,
    true,
  ),
  listRegions: method<object, object, ListRegionsResponseInput, ListRegionsResponse>(
    'ListRegions',
    ListRegionsRequest,
    ListRegionsResponse,
  ),
  setRegion: method<SetRegionRequestInput, SetRegionRequest, object, SetRegionResponse>(
    'SetRegion',
    SetRegionRequest,
    SetRegionResponse,
  ),
  setLogLevel: method<SetLogLevelRequestInput, SetLogLevelRequest, object, SetLogLevelResponse>(
    'SetLogLevel',
    SetLogLevelRequest,
    SetLogLevelResponse,
  ),
  setPacketLog: method<SetPacketLogRequestInput, SetPacketLogRequest, object, SetPacketLogResponse>(
    'SetPacketLog',
    SetPacketLogRequest,
    SetPacketLogResponse,
  ),
  stopInventory: method<
    object,
    StopInventoryRequest,
    StopInventoryResponse | object,
    StopInventoryResponse
  >('StopInventory', StopInventoryRequest, StopInventoryResponse),
  streamReads: {
    ...streamReads,
    responseSerialize: (message: ReadBatchInput | EncodedReadBatch) =>
      Buffer.isBuffer(message) ? message : streamReads.responseSerialize(message),
  },
};
