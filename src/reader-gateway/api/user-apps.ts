/** User applications (interface: User application resources). */
import { type FetchLimits, fetchFields } from './fetch.js';
import { type Static, TextEnum, Type } from './schema.js';

/** Also the name of a folder: no slash, no leading dot, one case. */
export const APP_NAME_PATTERN = '^[a-z0-9][a-z0-9_.-]{0,31}$';
export const APP_NAME_TEXT =
  'a name of 1 to 32 of a-z, 0-9, _, . and -, the first of them a letter or digit';

const AppName = Type.String({ pattern: APP_NAME_PATTERN, description: APP_NAME_TEXT });

export const UserAppName = Type.Object(
  { appname: AppName },
  { description: 'Names an installed user application' },
);
export type UserAppName = Static<typeof UserAppName>;

export const UserAppAutostart = Type.Object(
  { appname: AppName, autostart: Type.Optional(Type.Boolean({ default: true })) },
  { description: 'Whether a user application starts with the reader' },
);
export type UserAppAutostart = Static<typeof UserAppAutostart>;

export const UserAppCommand = Type.Object(
  {
    appname: AppName,
    userapp: Type.String({ description: 'Name of the user application, as appname' }),
    command: Type.String({ maxLength: 65_536, description: 'Whatever the application takes' }),
  },
  { description: 'A command to a running user application' },
);
export type UserAppCommand = Static<typeof UserAppCommand>;

export const UserAppResponse = Type.Object(
  { response: Type.String() },
  { description: 'What a user application said to a command' },
);
export type UserAppResponse = Static<typeof UserAppResponse>;

export const PACKAGE_LIMITS = {
  retries: { default: 0, maximum: 20 },
  wait: { min: 1, max: 5, maximum: 300 },
  timeouts: { connection: 10, read: 30, minimum: 0, maximum: 600 },
} satisfies FetchLimits;

export const UserAppInstall = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'http or https file server URL',
    }),
    ...fetchFields(PACKAGE_LIMITS),
    filename: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_.+~-]{0,200}\\.(tar\\.gz|tgz|deb)$',
      description: 'a file name that ends with .tar.gz, .tgz or .deb',
    }),
  },
  { description: 'Where the package of a user application is' },
);
export type UserAppInstall = Static<typeof UserAppInstall>;

export const APP_STATES = ['running', 'waiting', 'stopped', 'failed'] as const;

const UserApp = Type.Object({
  appname: Type.String(),
  autostart: Type.Boolean(),
  metadata: Type.String({ description: 'Version and description out of the manifest' }),
  runningStatus: Type.Boolean(),
  state: TextEnum(APP_STATES, {
    description: 'waiting = it ended and is started again; failed = it ended and is not',
  }),
  version: Type.String(),
  user: Type.String({ description: 'The user it runs as' }),
  limits: Type.String({ description: 'What it may use' }),
  protection: Type.String({ description: 'What it is kept from on this machine' }),
  restarts: Type.Integer({ description: 'By itself, since it was started' }),
  lastEnd: Type.String({ description: 'How it ended the last time; empty = it never did' }),
  connected: Type.Boolean({ description: 'It has opened its socket' }),
  lostEvents: Type.Integer({ description: 'It did not take them in time' }),
});
export type UserApp = Static<typeof UserApp>;

export const UserApps = Type.Array(UserApp, { description: 'The installed user applications' });
