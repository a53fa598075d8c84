/** From the service to a client of grpc-js, over a real connection. */
import {
  Client,
  credentials,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import t, { type Test } from 'tap';
import {
  type DetailsToReport,
  detailedStatus,
  errorDetails,
} from '../../src/contract/error-details.js';

const method = {
  path: '/test.Errors/Fail',
  requestStream: false as const,
  requestSerialize: (bytes: Buffer) => bytes,
  requestDeserialize: (bytes: Buffer) => bytes,
  responseSerialize: (bytes: Buffer) => bytes,
  responseDeserialize: (bytes: Buffer) => bytes,
};
const service = {
  fail: { ...method, responseStream: false as const },
  failStream: { ...method, path: '/test.Errors/FailStream', responseStream: true as const },
};

/** What a client gets of an error, of a call and of a stream. */
async function sent(
  t: Test,
  code: status,
  message: string,
  told?: DetailsToReport,
): Promise<ServiceError[]> {
  const server = new Server();
  const fail: handleUnaryCall<Buffer, Buffer> = (_call, done) =>
    done(detailedStatus(code, message, told));
  const failStream: handleServerStreamingCall<Buffer, Buffer> = (call) => {
    call.emit('error', detailedStatus(code, message, told));
  };
  server.addService(service, { fail, failStream });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  t.teardown(() => {
    client.close();
    server.forceShutdown();
  });
  const { requestSerialize, responseDeserialize } = method;
  const empty = Buffer.alloc(0);
  const unary = new Promise<ServiceError>((resolve) => {
    client.makeUnaryRequest(
      service.fail.path,
      requestSerialize,
      responseDeserialize,
      empty,
      new Metadata(),
      (error) => resolve(error as ServiceError),
    );
  });
  const streamed = new Promise<ServiceError>((resolve) => {
    client
      .makeServerStreamRequest(
        service.failStream.path,
        requestSerialize,
        responseDeserialize,
        empty,
      )
      .on('data', () => {})
      .on('error', (error) => resolve(error as ServiceError));
  });
  return Promise.all([unary, streamed]);
}

t.test(
  'a client gets the wrong fields of its request, the reason, and when to try again',
  async (t) => {
    const violations = [
      { field: 'antennas[1].transmit_power_cdbm', message: '4000 given; allowed: 0..3000' },
      { field: '', message: 'größer als möglich' },
    ];
    const info = { reason: 'CONTROL_HELD', metadata: { owner: 'line 3' } };
    const errors = await sent(t, status.INVALID_ARGUMENT, 'wrong', {
      violations,
      info,
      retryAfter: 1.5,
    });
    for (const error of errors) {
      t.match(error, { code: status.INVALID_ARGUMENT, details: 'wrong' });
      t.strictSame(errorDetails(error), { violations, ...info, retryAfter: 1.5 });
    }
  },
);

t.test('an error with nothing to add has no details', async (t) => {
  for (const error of await sent(t, status.NOT_FOUND, 'no such tag')) {
    t.match(error, { code: status.NOT_FOUND, details: 'no such tag' });
    t.strictSame(error.metadata.get('grpc-status-details-bin'), []);
    t.strictSame(errorDetails(error), { violations: [], reason: '', metadata: {} });
  }
});

t.test('thousands of wrong values, and long ones, still fit into what clients take', async (t) => {
  const long = '€'.repeat(2000);
  const cases = {
    many: Array.from({ length: 5000 }, (_, i) => ({
      field: `channels_khz[${i}]`,
      message: `${i} is not one of the region's channels`,
    })),
    long: Array.from({ length: 60 }, (_, i) => ({ field: `memory[${i}]`, message: long })),
    tiny: Array.from({ length: 60 }, () => ({ field: 'a', message: 'b' })),
  };
  for (const [name, violations] of Object.entries(cases)) {
    const info = { reason: 'LIMIT', metadata: { limit: long } };
    const message = violations.map((one) => `${one.field}: ${one.message}`).join('; ');
    for (const error of await sent(t, status.INVALID_ARGUMENT, message, { violations, info })) {
      t.equal(error.code, status.INVALID_ARGUMENT, name);
      const [bytes] = error.metadata.get('grpc-status-details-bin') as [Buffer];
      const onTheWire = encodeURI(error.details).length + bytes.toString('base64').length;
      t.ok(onTheWire < 7700, `${name}: ${onTheWire} bytes leave room within 8 KiB`);
      const found = errorDetails(error);
      t.equal(found.reason, 'LIMIT');
      const listed = found.violations.length - 1;
      t.ok(listed >= 1 && listed <= 50, `${name}: ${listed} are listed`);
      t.strictSame(found.violations[listed], {
        field: '',
        message: `and ${violations.length - listed} more`,
      });
      t.ok(message.startsWith(error.details.replace(/\.\.\.$/, '')));
    }
  }
});

t.test('half a letter in what a client sent does not break the answer', async (t) => {
  const violations = [{ field: 'owner', message: 'a\ud800b' }];
  for (const error of await sent(t, status.INVALID_ARGUMENT, 'a\ud800b', { violations })) {
    t.match(error, { code: status.INVALID_ARGUMENT, details: 'a\ufffdb' });
    t.equal(errorDetails(error).violations[0]?.message, 'a\ufffdb');
  }
});

t.test(
  'details that nobody can read, and errors of other kinds, are errors without details',
  async (t) => {
    const none = { violations: [], reason: '', metadata: {} };
    const metadata = new Metadata();
    metadata.set('grpc-status-details-bin', Buffer.from('1aff', 'hex'));
    for (const error of [
      { metadata },
      { metadata: 'text' },
      new Error('other'),
      undefined,
      null,
      7,
    ]) {
      t.strictSame(errorDetails(error), none);
    }
  },
);
