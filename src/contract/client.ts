/** A promise-based client of singulate.radio.v1.Radio. */
import { Client, type ClientReadableStream, credentials, Metadata } from '@grpc/grpc-js';
import type {
  Capabilities,
  ChangePlanRequestInput,
  ChangePlanResponse,
  ExplainPlanRequestInput,
  ExplainTagRequestInput,
  Lines,
  LinesUpdate,
  ListRegionsResponse,
  PlanExplanation,
  RadioStatus,
  ReadBatch,
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
  StopInventoryResponse,
  StreamReadsRequestInput,
  TagExplanation,
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

export class RadioClient {
  readonly #client: Client;

  /** @param target gRPC target: `unix:/path/radio.sock` or `host:port`. */
  constructor(target: string) {
    this.#client = new Client(target, credentials.createInsecure(), {
      // The service may be away for a while and be back at once: never wait longer than this.
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 2000,
      // A busy batch of a fast simulation is far below this; the default of 4 MiB also holds.
      'grpc.max_receive_message_length': 16 * 1024 * 1024,
    });
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

  stopInventory(): Promise<StopInventoryResponse> {
    return this.#call(radioService.stopInventory, {});
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

  #call<Req, Res>(method: Method<Req>, request: Req): Promise<Res> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest<Req, Res>(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        new Metadata(),
        { deadline: Date.now() + CALL_TIMEOUT_MS },
        (error, response) => (error ? reject(error) : resolve(response as Res)),
      );
    });
  }
}
