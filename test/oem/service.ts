/** A radio-control process and its clients. */
import type { ClientReadableStream, ServiceError } from '@grpc/grpc-js';
import type { Test } from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import { startRadioControl } from './radio-control.js';

/** The radio service with a client; both end with the test. */
export async function serviceWithClient(t: Test, args: string[] = ['--seed', '1']) {
  const service = await startRadioControl(t, args);
  const connect = () => {
    const client = new RadioClient(service.target);
    t.teardown(() => client.close());
    return client;
  };
  return { service, client: connect(), connect };
}

/** Collects the messages of a stream; its end is kept too. */
export function collect<Message>(t: Test, stream: ClientReadableStream<Message>) {
  const collected = {
    messages: [] as Message[],
    error: undefined as ServiceError | undefined,
    cancel: () => stream.cancel(),
  };
  stream.on('data', (message: Message) => collected.messages.push(message));
  stream.on('error', (error) => {
    collected.error = error as ServiceError;
  });
  t.teardown(() => stream.cancel());
  return collected;
}
