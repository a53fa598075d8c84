/**
 * The messages of proto/singulate/radio/v1/radio.proto, by their short names.
 * The code behind them is generated from the proto file by the build.
 */
import { singulate } from './generated/radio_v1.js';

import v1 = singulate.radio.v1;

export const {
  AccessOperation,
  AccessResult,
  AccessTagRequest,
  AccessTagResponse,
  AcquireControlRequest,
  Bank,
  Capabilities,
  ChangePlanRequest,
  ChangePlanResponse,
  ControlChanged,
  ControlLease,
  CycleDelay,
  ExplainPlanRequest,
  ExplainTagRequest,
  FeatureSupport,
  GetCapabilitiesRequest,
  GetLinesRequest,
  GetStatisticsRequest,
  GetStatusRequest,
  IdFilter,
  Line,
  Lines,
  LinesUpdate,
  ListRegionsRequest,
  ListRegionsResponse,
  LogLevel,
  Packet,
  Packets,
  PlanExplanation,
  RadioEvents,
  RadioState,
  RadioStatus,
  ReadBatch,
  ReadField,
  ReleaseControlRequest,
  ReleaseControlResponse,
  RenewControlRequest,
  ReportFilter,
  Select,
  SelectFilter,
  Session,
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
  StartPosition,
  Statistics,
  StopInventoryRequest,
  StopInventoryResponse,
  StreamPacketsRequest,
  StreamReadsRequest,
  TagExplanation,
  TagRead,
  Target,
  ValidatePlanRequest,
  ValidatePlanResponse,
  WatchEventsRequest,
  WatchLinesRequest,
  WhenSlow,
} = v1;

/** Messages as they are received: every field has a value. */
export type AccessResult = v1.AccessResult;
export type AccessTagRequest = v1.AccessTagRequest;
export type AccessTagResponse = v1.AccessTagResponse;
export type Capabilities = v1.Capabilities;
export type ChangePlanRequest = v1.ChangePlanRequest;
export type ChangePlanResponse = v1.ChangePlanResponse;
export type ExplainPlanRequest = v1.ExplainPlanRequest;
export type ExplainTagRequest = v1.ExplainTagRequest;
export type PlanExplanation = v1.PlanExplanation;
export type Line = v1.Line;
export type Lines = v1.Lines;
export type LinesUpdate = v1.LinesUpdate;
export type ListRegionsResponse = v1.ListRegionsResponse;
export type Region = v1.Region;
export type SetInputRequest = v1.SetInputRequest;
export type SetInputResponse = v1.SetInputResponse;
export type SetOutputRequest = v1.SetOutputRequest;
export type SetOutputResponse = v1.SetOutputResponse;
export type SetRegionRequest = v1.SetRegionRequest;
export type SetRegionResponse = v1.SetRegionResponse;
export type SetLogLevelRequest = v1.SetLogLevelRequest;
export type SetLogLevelResponse = v1.SetLogLevelResponse;
export type SetPacketLogRequest = v1.SetPacketLogRequest;
export type SetPacketLogResponse = v1.SetPacketLogResponse;
export type TagExplanation = v1.TagExplanation;
export type LogLevel = v1.LogLevel;
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
export type AcquireControlRequest = v1.AcquireControlRequest;
export type ControlLease = v1.ControlLease;
export type GetStatisticsRequest = v1.GetStatisticsRequest;
export type Packets = v1.Packets;
export type RadioEvents = v1.RadioEvents;
export type ReleaseControlRequest = v1.ReleaseControlRequest;
export type ReleaseControlResponse = v1.ReleaseControlResponse;
export type RenewControlRequest = v1.RenewControlRequest;
export type Statistics = v1.Statistics;
export type StreamPacketsRequest = v1.StreamPacketsRequest;
export type ValidatePlanRequest = v1.ValidatePlanRequest;
export type ValidatePlanResponse = v1.ValidatePlanResponse;
export type WatchEventsRequest = v1.WatchEventsRequest;
export type WatchLinesRequest = v1.WatchLinesRequest;

/** Messages as a program writes them: every field may be left out. */
export type AccessOperationInput = v1.AccessOperation.$Properties;
export type AccessResultInput = v1.AccessResult.$Properties;
export type AccessTagRequestInput = v1.AccessTagRequest.$Properties;
export type AccessTagResponseInput = v1.AccessTagResponse.$Properties;
export type AntennaPlanInput = v1.AntennaPlan.$Properties;
export type CapabilitiesInput = v1.Capabilities.$Properties;
export type InventoryCountersInput = v1.InventoryCounters.$Properties;
export type InventoryPlanInput = v1.InventoryPlan.$Properties;
export type PlanExplanationInput = v1.PlanExplanation.$Properties;
export type RadioStatusInput = v1.RadioStatus.$Properties;
export type ReadBatchInput = v1.ReadBatch.$Properties;
export type SelectInput = v1.Select.$Properties;
export type ChangePlanRequestInput = v1.ChangePlanRequest.$Properties;
export type ExplainPlanRequestInput = v1.ExplainPlanRequest.$Properties;
export type ExplainTagRequestInput = v1.ExplainTagRequest.$Properties;
export type LineInput = v1.Line.$Properties;
export type LinesInput = v1.Lines.$Properties;
export type LinesUpdateInput = v1.LinesUpdate.$Properties;
export type ListRegionsResponseInput = v1.ListRegionsResponse.$Properties;
export type RegionInput = v1.Region.$Properties;
export type SetInputRequestInput = v1.SetInputRequest.$Properties;
export type SetOutputRequestInput = v1.SetOutputRequest.$Properties;
export type SetRegionRequestInput = v1.SetRegionRequest.$Properties;
export type SetLogLevelRequestInput = v1.SetLogLevelRequest.$Properties;
export type SetPacketLogRequestInput = v1.SetPacketLogRequest.$Properties;
export type TagExplanationInput = v1.TagExplanation.$Properties;
export type StartInventoryRequestInput = v1.StartInventoryRequest.$Properties;
export type StreamReadsRequestInput = v1.StreamReadsRequest.$Properties;
export type TagReadInput = v1.TagRead.$Properties;
export type AcquireControlRequestInput = v1.AcquireControlRequest.$Properties;
export type ControlLeaseInput = v1.ControlLease.$Properties;
export type PacketInput = v1.Packet.$Properties;
export type PacketsInput = v1.Packets.$Properties;
export type RadioEventInput = v1.RadioEvent.$Properties;
export type RadioEventsInput = v1.RadioEvents.$Properties;
export type ReadFilterInput = v1.ReadFilter.$Properties;
export type ReleaseControlRequestInput = v1.ReleaseControlRequest.$Properties;
export type RenewControlRequestInput = v1.RenewControlRequest.$Properties;
export type StartPositionInput = v1.StartPosition.$Properties;
export type StatisticsInput = v1.Statistics.$Properties;
export type StopInventoryRequestInput = v1.StopInventoryRequest.$Properties;
export type StreamPacketsRequestInput = v1.StreamPacketsRequest.$Properties;
export type ValidatePlanRequestInput = v1.ValidatePlanRequest.$Properties;
export type ValidatePlanResponseInput = v1.ValidatePlanResponse.$Properties;
export type WatchEventsRequestInput = v1.WatchEventsRequest.$Properties;
