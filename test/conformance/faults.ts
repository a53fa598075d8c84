/** Parts of a reader that fail, for as long as a test wants it. */
import { SingulateError } from '../../src/shared/errors.js';
import type { TestReader } from '../gateway/reader.js';

/** No answer may have it. */
export const SECRET = 'a cause that is nobody’s business';

/** Every part that operations work on throws something that nobody foresaw. */
export async function withBrokenParts<T>(reader: TestReader, work: () => Promise<T>): Promise<T> {
  const fail = () => {
    throw new Error(SECRET);
  };
  return withParts(reader, () => new Proxy(fail, { get: fail, apply: fail }), work);
}

/** Every adapter of the platform fails as adapters do. */
export async function withoutPlatform<T>(reader: TestReader, work: () => Promise<T>): Promise<T> {
  const away = async (): Promise<never> => {
    throw new SingulateError('UNAVAILABLE', 'a service of the system does not answer');
  };
  const failingOf = (adapter: unknown): unknown => {
    if (typeof adapter !== 'object' || adapter === null) return adapter;
    if (Array.isArray(adapter)) return adapter.map(failingOf);
    return new Proxy(adapter, { get: memberOf(away) });
  };
  const { platform } = reader.gateway.context;
  const failing = Object.fromEntries(
    Object.entries(platform).map(([name, adapter]) => [name, failingOf(adapter)]),
  );
  return withParts(reader, (name, part) => (name === 'platform' ? failing : part), work);
}

/** What needs no service of the system is answered as ever. */
function memberOf(away: () => Promise<never>) {
  return (adapter: object, name: string) => {
    const member = Reflect.get(adapter, name);
    return typeof member === 'function' && name !== 'uptimeSeconds' ? away : member;
  };
}

async function withParts<T>(
  { gateway: { context } }: TestReader,
  change: (name: string, part: unknown) => unknown,
  work: () => Promise<T>,
): Promise<T> {
  const before = { ...context };
  for (const [name, part] of Object.entries(before)) {
    // Who looks for the cause needs the log; timers of the gateway itself look at the endpoints.
    if (name !== 'log' && name !== 'endpoints')
      Object.assign(context, { [name]: change(name, part) });
  }
  try {
    return await work();
  } finally {
    Object.assign(context, before);
  }
}
