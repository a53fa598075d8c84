/** What an operation needs on the reader so that a request can be right, and those that have none. */
import type { Operation, OperationContext } from '../../src/reader-gateway/operations/operation.js';
import { selfSigned } from '../gateway/certificates.js';
import { postTo } from '../gateway/connection-tests.js';
import type { FakeRadio } from '../gateway/fake-radio.js';
import { until } from '../gateway/reader.js';

/** What is installed of the certificates. */
export const CERTIFICATE = { name: 'a', type: 'app' } as const;
let pem: string | undefined;

/** Made when it is asked for first: few files need it, and a key takes its time. */
export function certificateContent(): { CACertificateFileContent: string } {
  pem ??= selfSigned({ name: 'installed' }).cert;
  return { CACertificateFileContent: pem };
}

const NO_APP = 'no user application is installed, and no process may be started';
const NO_SERVER = 'no server is there to fetch from';

/** By the name of the operation: why every request for it is refused, right ones as well. */
export const NEVER_RIGHT: Readonly<Record<string, string>> = {
  installUserApp: NO_SERVER,
  uninstallUserApp: NO_APP,
  startUserApp: NO_APP,
  stopUserApp: NO_APP,
  setUserAppAutostart: NO_APP,
  sendToUserApp: NO_APP,
  refreshCertificate: 'the certificate did not come from a url',
  setRevertbackOs: 'there is no version before this one',
};

/** Called before the first request and after each right one. */
export async function prepare({ name }: Operation, context: OperationContext): Promise<void> {
  if (name === 'deleteCertificate' || name === 'refreshCertificate') {
    await context.certificateStore.install(CERTIFICATE, {
      certname: CERTIFICATE.name,
      type: CERTIFICATE.type,
      ...certificateContent(),
    });
  }
  // Its connection is there as soon as the configuration is acted on.
  if (name === 'setDataToRG' && context.endpoints().length === 0) {
    const connections = [postTo('http://192.0.2.1/', {})];
    await context.config.change({
      'READER-GATEWAY': { endpointConfig: { data: { event: { connections } } } },
    });
    context.applyConnections();
  }
}

/** Operations that act on the GPIO-LED part, if their request has one. */
const GPIO_LED_SETTERS = ['setGpioLed', 'setConfig', 'importConfig'];

/** Outputs come to their defaults after the answer. Called after each right request. */
export async function outputsAtRest(
  { name }: Operation,
  request: unknown,
  { context, radio }: { context: OperationContext; radio: FakeRadio },
): Promise<void> {
  if (!GPIO_LED_SETTERS.includes(name)) return;
  if (name === 'setConfig' && !Object.hasOwn(request as object, 'GPIO-LED')) return;
  const defaults = context.config.stored['GPIO-LED']?.GPODefaults ?? {};
  await until('outputs are at their defaults', () =>
    radio.outputs.every((high, index) => {
      const level = defaults[index + 1];
      return level === undefined || high === (level === 'HIGH');
    }),
  );
}
