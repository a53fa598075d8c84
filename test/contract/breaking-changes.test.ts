import t, { type Test } from 'tap';
import { check, copyContract, readContract, release, setVersion, writeContract } from './copy.js';

/** What is changed into what, and what the check says of it. */
const BREAKING: readonly [name: string, from: string, to: string, says: RegExp][] = [
  [
    'a field gets another number',
    'uint32 max_latency_ms = 1;',
    'uint32 max_latency_ms = 101;',
    /Previously present field "1" with name "max_latency_ms" on message "StreamReadsRequest" was deleted/,
  ],
  [
    'a field gets another type',
    'uint32 max_latency_ms = 1;',
    'sint32 max_latency_ms = 1;',
    /Field "1" with name "max_latency_ms" on message "StreamReadsRequest" changed type from "uint32" to "sint32"/,
  ],
  [
    'a field is removed, and its number reserved',
    'uint32 max_latency_ms = 1;',
    'reserved 1; reserved "max_latency_ms";',
    /Previously present field "1" with name "max_latency_ms" on message "StreamReadsRequest" was deleted/,
  ],
  [
    'a field is renamed',
    'uint32 max_latency_ms = 1;',
    'uint32 longest_latency_ms = 1;',
    /Field "1" on message "StreamReadsRequest" changed name from "max_latency_ms" to "longest_latency_ms"/,
  ],
  [
    'a field moves into a oneof',
    '  uint32 max_latency_ms = 1;',
    '  // A choice.\n  oneof latency {\n    // Longest time.\n    uint32 max_latency_ms = 1;\n  }',
    /Field "1" with name "max_latency_ms" on message "StreamReadsRequest" moved from outside to inside a oneof/,
  ],
  [
    'a value of an enum is removed',
    'LOG_LEVEL_DEBUG = 6;',
    '',
    /Previously present enum value "6" on enum "LogLevel" was deleted/,
  ],
  [
    'a call is removed',
    'rpc SetLogLevel(SetLogLevelRequest) returns (SetLogLevelResponse);',
    '',
    /Previously present RPC "SetLogLevel" on service "Radio" was deleted/,
  ],
  [
    'a call answers with a stream',
    'rpc SetLogLevel(SetLogLevelRequest) returns (SetLogLevelResponse);',
    'rpc SetLogLevel(SetLogLevelRequest) returns (stream SetLogLevelResponse);',
    /RPC "SetLogLevel" on service "Radio" changed from server unary to server streaming/,
  ],
];

const COMPATIBLE: readonly [from: string, to: string][] = [
  [
    'uint32 max_latency_ms = 1;',
    'uint32 max_latency_ms = 1;\n  // How often, times.\n  uint32 added = 101;',
  ],
  ['LOG_LEVEL_DEBUG = 6;', 'LOG_LEVEL_DEBUG = 6;\n  // Everything.\n  LOG_LEVEL_ADDED = 101;'],
  [
    'rpc SetLogLevel(SetLogLevelRequest) returns (SetLogLevelResponse);',
    'rpc SetLogLevel(SetLogLevelRequest) returns (SetLogLevelResponse);\n' +
      '  // Observer. Answers what it is asked.\n  rpc Ask(AskRequest) returns (AskResponse);',
  ],
];

const ADDED =
  '\n// Nothing is asked.\nmessage AskRequest {}\n// Nothing.\nmessage AskResponse {}\n';

function changed(t: Test, text: string, from: string, to: string): string {
  t.equal(text.split(from).length, 2, `${from} is there once`);
  return text.replace(from, to);
}

t.test('a change of the contract since its last release', async (t) => {
  const root = t.testdir();
  copyContract(root);
  // All that the contract has today counts as released.
  setVersion(root, '1000.0.0');
  t.match(release(root), {
    status: 0,
    output: 'proto-released/1000.0.0 is the contract of 1000.0.0',
  });
  const released = readContract(root);

  for (const [name, from, to, says] of BREAKING) {
    t.test(`fails the check if ${name}`, async (t) => {
      writeContract(root, changed(t, released, from, to));
      const { status, output } = check(root);
      t.equal(status, 1);
      t.match(output, says);
      t.match(output, 'The contract breaks clients of 1000.0.0 (proto-released/1000.0.0).');
    });
  }

  t.test('passes the check if fields, values, messages and calls are added', async (t) => {
    const added = COMPATIBLE.reduce((text, [from, to]) => changed(t, text, from, to), released);
    writeContract(root, `${added}${ADDED}`);
    t.strictSame(check(root), { status: 0, output: '' });
  });

  t.test('fails the check if what is added has no comment', async (t) => {
    const to = 'uint32 max_latency_ms = 1;\n  uint32 added = 101;';
    writeContract(root, changed(t, released, 'uint32 max_latency_ms = 1;', to));
    const { status, output } = check(root);
    t.equal(status, 1);
    t.match(output, 'Field "added" should have a non-empty comment');
    t.notMatch(output, 'breaks clients');
  });
});
