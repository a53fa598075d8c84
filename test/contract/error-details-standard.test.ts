import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import t from 'tap';
import { detailedStatus } from '../../src/contract/error-details.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

/** The standard messages by their names and numbers, written apart from those of the project. */
const STANDARD = `
syntax = "proto3";
package google.rpc;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
message Status { int32 code = 1; string message = 2; repeated google.protobuf.Any details = 3; }
message RetryInfo { google.protobuf.Duration retry_delay = 1; }
message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
message BadRequest {
  message FieldViolation { string field = 1; string description = 2; }
  repeated FieldViolation field_violations = 1;
}
`;

t.test(
  'another implementation of protobuf reads the details as the standard has them',
  async (t) => {
    const folder = t.testdir({ 'standard.proto': STANDARD });
    const { metadata } = detailedStatus(status.INVALID_ARGUMENT, 'grün: 5 given', {
      violations: [{ field: 'antennas[0].port', message: '5 given; allowed: 1, 2' }],
      info: { reason: 'CONTROL_HELD', metadata: { owner: 'line 3' } },
      retryAfter: 2.25,
    });
    const [bytes] = metadata.get('grpc-status-details-bin');
    writeFileSync(join(folder, 'status.binpb'), bytes as Buffer);
    // buf is written in Go, and has the implementation of that language.
    const buf = join(PACKAGE_ROOT, 'node_modules/.bin/buf');
    const args = ['convert', 'standard.proto', '--type', 'google.rpc.Status'];
    const json = execFileSync(buf, [...args, '--from', 'status.binpb', '--to', '-#format=json'], {
      cwd: folder,
      encoding: 'utf8',
    });
    t.strictSame(JSON.parse(json), {
      code: 3,
      message: 'grün: 5 given',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'CONTROL_HELD',
          domain: 'singulate',
          metadata: { owner: 'line 3' },
        },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2.250s' },
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: [{ field: 'antennas[0].port', description: '5 given; allowed: 1, 2' }],
        },
      ],
    });
  },
);
