/** A test double of radio-control: the contract's service, moved by the test. */
import { Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js';
import {
  type InventoryCountersInput,
  type InventoryPlanInput,
  Line,
  type LineInput,
  type LinesUpdateInput,
  type RadioEventsInput,
  RadioState,
  type RadioStatusInput,
  type ReadBatchInput,
  type TagReadInput,
} from '../../src/contract/messages.js';
import { radioService } from '../../src/contract/service.js';

// biome-ignore lint/suspicious/noExplicitAny: the calls of grpc-js, typed by the service definition
type Call = any;
type Reply = (error: object | null, value?: object) => void;

export const FAKE_CAPABILITIES = {
  module: 'virtual',
  model: 'Fake radio',
  firmware: '9.8.7',
  antennas: [1, 2, 3, 4],
  minTransmitPowerCdbm: 1000,
  maxTransmitPowerCdbm: 3000,
  linkProfiles: ['M4-320', 'M4-250', 'M8-160', 'FM0-640', 'M2-320'],
  serviceVersion: '0.1.0-fake',
  beams: [0, 0, 0, 0],
  hasSelects: true,
  hasAccess: true,
  hasRssiLimit: true,
  region: '',
  maxEirpCdbm: 0,
  channelWidthKhz: 0,
  readerModel: '',
};

export const FAKE_REGIONS = [
  {
    name: 'hopland',
    description: 'Hopland: three channels, hopping',
    countries: ['US', 'BR'],
    channelsKhz: [915_250, 915_750, 916_250],
    hopping: true,
    listens: false,
    maxEirpCdbm: 3600,
  },
  {
    name: 'listenland',
    description: 'Listenland: two channels, listen before talk',
    countries: ['DE', 'BR'],
    channelsKhz: [866_300, 866_900],
    hopping: false,
    listens: true,
    maxEirpCdbm: 3000,
  },
];

export class FakeRadio {
  readonly starts: { plan: InventoryPlanInput; owner: string }[] = [];
  readonly changes: InventoryPlanInput[] = [];
  /** Why a plan is refused; '' = it is not. */
  refuses = '';
  /** Levels that were told. */
  readonly logLevels: number[] = [];
  /** Switches of the packet log that were told. */
  readonly packetLogs: boolean[] = [];
  /** Why there is no packet log; '' = there is. */
  refusesPackets = '';
  stops = 0;
  state: number = RadioState.RADIO_STATE_IDLE;
  owner = '';
  endReason = '';
  inventoryId = '';
  counters: InventoryCountersInput = {};
  capabilities = FAKE_CAPABILITIES;
  region = 'hopland';
  channelsKhz: number[] = [915_250, 915_750, 916_250];
  regionChanges = 0;
  /** Levels by port - 1. */
  readonly inputs = [true, true];
  readonly outputs = [false, false, false];
  /** Why the lines are out of order; '' = they are not. */
  linesFault = '';
  /** Reads that come before the answer to a start. */
  firstReads: TagReadInput[] = [];
  #server: Server | undefined;
  #streams = new Set<ServerWritableStream<unknown, ReadBatchInput>>();
  #watchers = new Set<ServerWritableStream<unknown, LinesUpdateInput>>();
  #followers = new Set<ServerWritableStream<unknown, RadioEventsInput>>();
  /** How often it was asked what it does. */
  asked = 0;
  #sequence = 1;

  /** @param target gRPC target. */
  async listen(target: string): Promise<void> {
    const server = new Server();
    // biome-ignore lint/suspicious/noExplicitAny: the definition's unions of input and output
    server.addService(radioService as any, {
      getCapabilities: (_call: Call, reply: Reply) => reply(null, this.capabilities),
      getStatus: (_call: Call, reply: Reply) => {
        this.asked++;
        reply(null, this.#status());
      },
      startInventory: (call: Call, reply: Reply) => this.#start(call, reply),
      stopInventory: (_call: Call, reply: Reply) => {
        this.stops++;
        if (this.state === RadioState.RADIO_STATE_READING) this.end('stopped');
        reply(null, { counters: this.counters });
      },
      changePlan: (call: Call, reply: Reply) => {
        if (this.refuses !== '') return reply(this.#refusal());
        if (!this.isReading || call.request.inventoryId !== this.inventoryId) {
          return reply({ code: status.FAILED_PRECONDITION, details: 'no inventory runs' });
        }
        this.changes.push(call.request.plan);
        return reply(null, { plan: this.changes.length });
      },
      explainPlan: (_call: Call, reply: Reply) =>
        this.refuses === '' ? reply(null, {}) : reply(this.#refusal()),
      listRegions: (_call: Call, reply: Reply) => {
        const { region, channelsKhz } = this;
        reply(null, { regions: FAKE_REGIONS, region, channelsKhz });
      },
      setRegion: (call: Call, reply: Reply) => {
        const found = FAKE_REGIONS.find(({ name }) => name === call.request.region);
        if (this.refuses !== '' || found === undefined) return reply(this.#refusal());
        this.region = found.name;
        const { channelsKhz } = call.request;
        this.channelsKhz = channelsKhz.length > 0 ? channelsKhz : found.channelsKhz;
        this.regionChanges++;
        reply(null, {});
      },
      setLogLevel: (call: Call, reply: Reply) => {
        this.logLevels.push(call.request.level);
        reply(null, {});
      },
      setPacketLog: (call: Call, reply: Reply) => {
        if (call.request.on && this.refusesPackets !== '') {
          return reply({ code: status.FAILED_PRECONDITION, details: this.refusesPackets });
        }
        this.packetLogs.push(call.request.on);
        return reply(null, {});
      },
      setInput: (call: Call, reply: Reply) => {
        this.input(call.request.port, call.request.high);
        reply(null, {});
      },
      getLines: (_call: Call, reply: Reply) =>
        reply(null, { lines: this.#lines(), fault: this.linesFault }),
      setOutput: (call: Call, reply: Reply) => {
        if (this.linesFault !== '') {
          return reply({ code: status.UNAVAILABLE, details: this.linesFault });
        }
        this.output(call.request.port, call.request.high);
        return reply(null, {});
      },
      watchEvents: (call: Call) => {
        this.#followers.add(call);
        call.write({ events: [], dropped: 0, logId: 'fake' });
        call.on('cancelled', () => {
          this.#followers.delete(call);
          call.end();
        });
      },
      watchLines: (call: Call) => {
        this.#watchers.add(call);
        call.write({ lines: this.#lines(), complete: true, dropped: 0, fault: this.linesFault });
        call.on('cancelled', () => {
          this.#watchers.delete(call);
          call.end();
        });
      },
      streamReads: (call: Call) => {
        call.sendMetadata(call.metadata.clone());
        this.#streams.add(call);
        call.on('cancelled', () => {
          this.#streams.delete(call);
          call.end();
        });
      },
    });
    await new Promise<void>((resolve, reject) => {
      server.bindAsync(target, ServerCredentials.createInsecure(), (error) =>
        error ? reject(error) : resolve(),
      );
    });
    this.#server = server;
  }

  /** Gone at once, as a process that is killed; a new FakeRadio is its restart. */
  kill(): void {
    this.#server?.forceShutdown();
  }

  get subscribers(): number {
    return this.#streams.size;
  }

  get isReading(): boolean {
    return this.state === RadioState.RADIO_STATE_READING;
  }

  /** The inventory ends by itself. */
  end(reason: string): void {
    this.state = RadioState.RADIO_STATE_IDLE;
    this.endReason = reason;
  }

  /** Who watch its events. */
  get followers(): number {
    return this.#followers.size;
  }

  /** Tells of an end; end() alone tells nobody. */
  tellEnd(reason: string): void {
    const { inventoryId } = this;
    const events = [{ inventoryEnded: { inventoryId, reason } }];
    for (const call of this.#followers) call.write({ events, dropped: 0, logId: 'fake' });
  }

  /** Someone else starts an inventory. */
  takenBy(owner: string): void {
    this.state = RadioState.RADIO_STATE_READING;
    this.owner = owner;
    this.inventoryId = `inventory of ${owner}`;
  }

  send(...reads: TagReadInput[]): void {
    if (reads.length === 0) return;
    const firstSequence = this.#sequence;
    this.#sequence += reads.length;
    // Taken under the last plan, if the test says nothing else.
    const ofPlan = reads.map((read) => ({ plan: this.changes.length, ...read }));
    for (const stream of this.#streams) stream.write({ firstSequence, dropped: 0, reads: ofPlan });
  }

  /** The hardware moves an input. */
  input(port: number, high: boolean): void {
    this.inputs[port - 1] = high;
    this.#sendLines([{ kind: Line.Kind.INPUT, port, high }]);
  }

  /** Somebody sets an output. */
  output(port: number, high: boolean): void {
    this.outputs[port - 1] = high;
    this.#sendLines([{ kind: Line.Kind.OUTPUT, port, high }]);
  }

  /** The hardware of the lines goes, or comes back: ''. */
  breakLines(fault: string): void {
    this.linesFault = fault;
    this.#sendLines([]);
  }

  #sendLines(lines: LineInput[]): void {
    const fault = this.linesFault;
    for (const call of this.#watchers) call.write({ lines, complete: false, dropped: 0, fault });
  }

  #lines(): LineInput[] {
    const of = (kind: number, levels: boolean[]) =>
      levels.map((high, i) => ({ kind, port: i + 1, high }));
    return [...of(Line.Kind.INPUT, this.inputs), ...of(Line.Kind.OUTPUT, this.outputs)];
  }

  #refusal(): object {
    return { code: status.INVALID_ARGUMENT, details: this.refuses };
  }

  #status(): RadioStatusInput {
    const { state, inventoryId, endReason, owner, counters } = this;
    const plan = this.changes.length;
    return { state, inventoryId, endReason, owner, counters, plan, paced: true, subscribers: 1 };
  }

  #start(call: Call, reply: Reply): void {
    if (this.isReading) {
      reply({ code: status.FAILED_PRECONDITION, details: 'an inventory runs already' });
      return;
    }
    this.starts.push(call.request);
    this.changes.length = 0;
    this.owner = call.request.owner;
    this.inventoryId = `inventory ${this.starts.length} of ${Math.random()}`;
    this.endReason = '';
    this.state = RadioState.RADIO_STATE_READING;
    this.send(...this.firstReads);
    setTimeout(() => reply(null, { inventoryId: this.inventoryId }), 20);
  }
}

/** 2024-05-06T05:08:09.123Z */
export const READ_TIME_NS = 1714972089123000000n;

export function read(epc: string, more: TagReadInput = {}): TagReadInput {
  const low = Number(READ_TIME_NS & 0xffffffffn);
  const high = Number(READ_TIME_NS >> 32n);
  return {
    // protobufjs takes 64-bit numbers in this form as well.
    timeNs: { low: low | 0, high, unsigned: true } as never,
    epc: Buffer.from(epc, 'hex'),
    antenna: 1,
    rssiCdbm: -5149,
    phaseCdeg: 10125,
    frequencyKhz: 866300,
    pc: 0x3000,
    crc: 0x1f0c,
    seenCount: 1,
    ...more,
  };
}
