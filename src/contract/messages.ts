/**
 * The messages of proto/singulate/radio/v1/radio.proto, by their short names.
 * The code behind them is generated from the proto file by the build.
 */
import { singulate } from './generated/radio_v1.js';

import v1 = singulate.radio.v1;

export const {
  Capabilities,
  GetCapabilitiesRequest,
  GetStatusRequest,
  RadioStatus,
  RadioState,
  ReadBatch,
  ReportFilter,
  Session,
  StartInventoryRequest,
  StartInventoryResponse,
  StopInventoryRequest,
  StopInventoryResponse,
  StreamReadsRequest,
  TagRead,
  Target,
} = v1;

/** Messages as they are received: every field has a value. */
export type Capabilities = v1.Capabilities;
export type GetCapabilitiesRequest = v1.GetCapabilitiesRequest;
export type GetStatusRequest = v1.GetStatusRequest;
export type RadioStatus = v1.RadioStatus;
export type ReadBatch = v1.ReadBatch;
export type StartInventoryRequest = v1.StartInventoryRequest;
export type StartInventoryResponse = v1.StartInventoryResponse;
export type StopInventoryRequest = v1.StopInventoryRequest;
export type StopInventoryResponse = v1.StopInventoryResponse;
export type StreamReadsRequest = v1.StreamReadsRequest;
export type TagRead = v1.TagRead;

/** Messages as a program writes them: every field may be left out. */
export type CapabilitiesInput = v1.Capabilities.$Properties;
export type InventoryCountersInput = v1.InventoryCounters.$Properties;
export type InventoryPlanInput = v1.InventoryPlan.$Properties;
export type RadioStatusInput = v1.RadioStatus.$Properties;
export type ReadBatchInput = v1.ReadBatch.$Properties;
export type StartInventoryRequestInput = v1.StartInventoryRequest.$Properties;
export type StreamReadsRequestInput = v1.StreamReadsRequest.$Properties;
export type TagReadInput = v1.TagRead.$Properties;
