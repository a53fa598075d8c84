/** A promise-based client of singulate.radio.v1.Radio. */
import {
  Client,
  type ClientReadableStream,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { type ClientTls, clientChannel } from './client-channel.js';
import type {
  AccessTagRequestInput,
  AccessTagResponse,
  AcquireControlRequestInput,
  Capabilities,
  ChangePlanRequestInput,
  ChangePlanResponse,
  ControlLease,
  ExplainPlanRequestInput,
  ExplainTagRequestInput,
  Lines,
  LinesUpdate,
  ListRegionsResponse,
  Packets,
  PlanExplanation,
  RadioEvents,
  RadioStatus,
  ReadBatch,
  ReleaseControlResponse,
  SetInputRequestInput,
  SetInputResponse,
  SetLogLevelRequestInput,
  SetLogLevelResponse,
  SetOutputRequestInput,
  SetOutputResponse,
  SetPacketLogRequestInput,
  SetPacketLogResponse,
  SetRegionRequestInput,
  SetRegionResponse,
  StartInventoryRequestInput,
  StartInventoryResponse,
  Statistics,
  StopInventoryRequestInput,
  StopInventoryResponse,
  StreamReadsRequestInput,
  TagExplanation,
  ValidatePlanRequestInput,
  ValidatePlanResponse,
  WatchEventsRequestInput,
} from './messages.js';
import { radioService } from './service.js';

/** Default deadline of a unary call, milliseconds. */
const CALL_TIMEOUT_MS = 5000;

interface Method<Req> {
  path: string;
  requestSerialize: (message: Req) => Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: the definition's union of input and output
  responseDeserialize: (bytes: Buffer) => any;
}

/** A call that is over. */
export interface CallOutcome {
  /** `StartInventory` */
  call: string;
  ms: number;
  /** undefined: it succeeded. */
  error?: string;
}

export class RadioClient {
  readonly #client: Client;
  readonly #onCall: ((outcome: CallOutcome) => void) | undefined;

  /**
   * @param target gRPC target: `unix:/path/radio.sock` or `host:port`.
   * @param tls For `host:port`, which takes nobody without a certificate.
   * @param onCall Told of each call that is over; streams are none.
   */
  constructor(target: string, tls?: ClientTls, onCall?: (outcome: CallOutcome) => void) {
    this.#onCall = onCall;
    const { credentials, options } = clientChannel(tls);
    this.#client = new Client(target, credentials, options);
  }

  getCapabilities(): Promise<Capabilities> {
    return this.#call(radioService.getCapabilities, {});
  }

  getStatus(): Promise<RadioStatus> {
    return this.#call(radioService.getStatus, {});
  }

  /** Rejects with a grpc ServiceError: INVALID_ARGUMENT, FAILED_PRECONDITION or UNAVAILABLE. */
  startInventory(request: StartInventoryRequestInput): Promise<StartInventoryResponse> {
    return this.#call(radioService.startInventory, request);
  }

  /** Rejects with INVALID_ARGUMENT or FAILED_PRECONDITION. */
  changePlan(request: ChangePlanRequestInput): Promise<ChangePlanResponse> {
    return this.#call(radioService.changePlan, request);
  }

  /** Rejects with INVALID_ARGUMENT. */
  explainPlan(request: ExplainPlanRequestInput): Promise<PlanExplanation> {
    return this.#call(radioService.explainPlan, request);
  }

  explainTag(request: ExplainTagRequestInput): Promise<TagExplanation> {
    return this.#call(radioService.explainTag, request);
  }

  /** Rejects with INVALID_ARGUMENT or FAILED_PRECONDITION. */
  setInput(request: SetInputRequestInput): Promise<SetInputResponse> {
    return this.#call(radioService.setInput, request);
  }

  getLines(): Promise<Lines> {
    return this.#call(radioService.getLines, {});
  }

  /** Rejects with INVALID_ARGUMENT or UNAVAILABLE. */
  setOutput(request: SetOutputRequestInput): Promise<SetOutputResponse> {
    return this.#call(radioService.setOutput, request);
  }

  listRegions(): Promise<ListRegionsResponse> {
    return this.#call(radioService.listRegions, {});
  }

  /** Rejects with INVALID_ARGUMENT or FAILED_PRECONDITION. */
  setRegion(request: SetRegionRequestInput): Promise<SetRegionResponse> {
    return this.#call(radioService.setRegion, request);
  }

  /** Rejects with INVALID_ARGUMENT. */
  setLogLevel(request: SetLogLevelRequestInput): Promise<SetLogLevelResponse> {
    return this.#call(radioService.setLogLevel, request);
  }

  /** Rejects with FAILED_PRECONDITION. */
  setPacketLog(request: SetPacketLogRequestInput): Promise<SetPacketLogResponse> {
    return this.#call(radioService.setPacketLog, request);
  }

  /** Rejects with FAILED_PRECONDITION. */
  stopInventory(request: StopInventoryRequestInput = {}): Promise<StopInventoryResponse> {
    return this.#call(radioService.stopInventory, request);
  }

  getStatistics(): Promise<Statistics> {
    return this.#call(radioService.getStatistics, {});
  }

  /** Rejects with INVALID_ARGUMENT or FAILED_PRECONDITION. */
  acquireControl(request: AcquireControlRequestInput): Promise<ControlLease> {
    return this.#call(radioService.acquireControl, request);
  }

  /** Rejects with FAILED_PRECONDITION. */
  renewControl(leaseId: string): Promise<ControlLease> {
    return this.#call(radioService.renewControl, { leaseId });
  }

  releaseControl(leaseId: string): Promise<ReleaseControlResponse> {
    return this.#call(radioService.releaseControl, { leaseId });
  }

  validatePlan(request: ValidatePlanRequestInput): Promise<ValidatePlanResponse> {
    return this.#call(radioService.validatePlan, request);
  }

  /** Rejects with INVALID_ARGUMENT, NOT_FOUND, FAILED_PRECONDITION or UNAVAILABLE. */
  accessTag(request: AccessTagRequestInput): Promise<AccessTagResponse> {
    const timeoutMs = request.timeoutMs || 0;
    return this.#call(radioService.accessTag, request, timeoutMs + CALL_TIMEOUT_MS);
  }

  /** The caller must listen to 'error'; cancel() ends the stream. */
  watchEvents(request: WatchEventsRequestInput = {}): ClientReadableStream<RadioEvents> {
    return this.#stream(radioService.watchEvents, request);
  }

  /** The caller must listen to 'error'; cancel() ends the stream. */
  streamPackets(): ClientReadableStream<Packets> {
    return this.#stream(radioService.streamPackets, {});
  }

  /** The caller must listen to 'error'; cancel() ends the stream. */
  streamReads(request: StreamReadsRequestInput = {}): ClientReadableStream<ReadBatch> {
    return this.#stream(radioService.streamReads, request);
  }

  /** The caller must listen to 'error'; cancel() ends the stream. */
  watchLines(): ClientReadableStream<LinesUpdate> {
    return this.#stream(radioService.watchLines, {});
  }

  close(): void {
    this.#client.close();
  }

  #stream<Req, Res>(method: Method<Req>, request: Req): ClientReadableStream<Res> {
    return this.#client.makeServerStreamRequest<Req, Res>(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
    );
  }

  #call<Req, Res>(method: Method<Req>, request: Req, timeoutMs = CALL_TIMEOUT_MS): Promise<Res> {
    const sinceMs = performance.now();
    const told = (error: ServiceError | null) =>
      this.#onCall?.({
        call: method.path.slice(method.path.lastIndexOf('/') + 1),
        ms: Math.round((performance.now() - sinceMs) * 10) / 10,
        ...(error === null ? {} : { error: reportedOf(error) }),
      });
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest<Req, Res>(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        new Metadata(),
        { deadline: Date.now() + timeoutMs },
        (error, response) => {
          told(error);
          if (error) reject(error);
          else resolve(response as Res);
        },
      );
    });
  }
}

/** Of a request that was refused as wrong no text: it shows what was given, which may be secret. */
function reportedOf({ code, message }: ServiceError): string {
  return code === status.INVALID_ARGUMENT ? 'INVALID_ARGUMENT' : message;
}
