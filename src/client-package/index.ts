/** What programs of others import: the package @singulate/client. README.md is its quick start. */
export { RadioClient } from '../contract/client.js';
export type { ClientTls } from '../contract/client-channel.js';
export { type ErrorDetails, errorDetails } from '../contract/error-details.js';
export {
  type FollowReadsHandlers,
  followReads,
  nextSequence,
  type ReadPlace,
} from '../contract/follow-reads.js';
export { type FollowHandlers, followStream } from '../contract/follow-stream.js';
export * from '../contract/messages.js';
export { counterToNumber, longToBigInt, timeNsToMs } from '../contract/time.js';
export { describeError, isFinal } from './describe-error.js';
export { type ControlHandlers, type ControlHolder, holdControl } from './hold-control.js';
export { type TagWrite, writeEpc } from './write-epc.js';
