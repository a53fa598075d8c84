/** Who may call what: one row for each method, with the least role it needs. */
import { SERVICE_NAME } from '../../contract/service.js';

/** Each may do all that those before it may. */
export const ROLES = ['observer', 'controller', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const METHOD_ROLES: Readonly<Record<string, Role>> = {
  GetCapabilities: 'observer',
  GetStatus: 'observer',
  ExplainPlan: 'observer',
  ValidatePlan: 'observer',
  ExplainTag: 'observer',
  GetLines: 'observer',
  WatchLines: 'observer',
  ListRegions: 'observer',
  StreamReads: 'observer',
  WatchEvents: 'observer',
  GetStatistics: 'observer',

  StartInventory: 'controller',
  ChangePlan: 'controller',
  StopInventory: 'controller',
  AcquireControl: 'controller',
  RenewControl: 'controller',
  ReleaseControl: 'controller',
  AccessTag: 'controller',
  SetOutput: 'controller',
  SetInput: 'controller',

  SetRegion: 'admin',
  SetLogLevel: 'admin',
  SetPacketLog: 'admin',
  StreamPackets: 'admin',
};

/** Services beside ours, whole: they only tell what there is. */
const OPEN_SERVICES = ['/grpc.health.v1.', '/grpc.reflection.'];

/** @param path As HTTP/2 has it: /package.Service/Method. A method without a row is for admins. */
export function leastRole(path: string): Role {
  if (OPEN_SERVICES.some((prefix) => path.startsWith(prefix))) return 'observer';
  const prefix = `/${SERVICE_NAME}/`;
  const method = path.startsWith(prefix) ? path.slice(prefix.length) : '';
  return Object.hasOwn(METHOD_ROLES, method) ? (METHOD_ROLES[method] as Role) : 'admin';
}

export function reaches(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
