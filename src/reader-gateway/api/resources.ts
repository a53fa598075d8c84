/** The schemas that the documents of the interface name: those that check its requests. */

import { AppLedAnswer, AppLedState, SetAppLed } from './app-led.js';
import { CableLoss, CableLosses, SetCableLosses } from './cable-loss.js';
import { ReaderCapabilities } from './capabilities.js';
import {
  CertificateList,
  CertificateSigningRequest,
  CreateCertificateRequest,
  DeleteCertificate,
  InstallCertificate,
  RefreshCertificate,
} from './certificates.js';
import { CloudConfig } from './cloud-config.js';
import { ReaderConfig } from './config.js';
import {
  Batching,
  CommandConnection,
  DataConnection,
  HttpPostOptions,
  MqttOptions,
  Retention,
  TcpServerOptions,
  WebSocketOptions,
} from './connection.js';
import { ConnectionTest } from './connection-test.js';
import { DirectionEvent, RawDirectionEvent } from './direction-event.js';
import { ErrorBody } from './errors.js';
import { ExplainedMode } from './explain.js';
import { SendWaiting } from './gateway-data.js';
import { GpiStatus, GpoStatus, SetGpo } from './gpio.js';
import { GpioLed } from './gpio-led.js';
import { HostName } from './host-name.js';
import { Login } from './login.js';
import { LogConfig, LogRequest } from './logs.js';
import { ManagementEvent, ManagementEventConfig } from './management-events.js';
import { GetMode, OperatingMode } from './mode.js';
import { NameAndDescription } from './name-and-description.js';
import { GetNetwork, Network, SetNetwork } from './network.js';
import { OsUpdate, UpgradeStatus } from './os-update.js';
import { OverflowEvent } from './overflow-event.js';
import { PassThrough, PassThroughAnswer } from './pass-through.js';
import { UpdatePassword } from './password.js';
import { FactoryReset, FactoryResetAnswer, ReaderSettings } from './reader-settings.js';
import { RebootAnswer } from './reboot.js';
import {
  GetCountries,
  GetStandards,
  Regulatory,
  SetRegulatory,
  SupportedCountries,
  SupportedRegions,
  SupportedStandards,
} from './region.js';
import type { TSchema } from './schema.js';
import { Start } from './start.js';
import { Status } from './status.js';
import { StreamClosed } from './stream-closed.js';
import { TagEvent } from './tag-event.js';
import { NtpServer, SetTimeZone, SupportedTimeZones, TimeZone } from './time.js';
import { UserAppEvent } from './user-app-event.js';
import {
  UserAppAutostart,
  UserAppCommand,
  UserAppInstall,
  UserAppName,
  UserAppResponse,
  UserApps,
} from './user-apps.js';
import { Version } from './version.js';

/** Every resource by its name in the document. */
export const RESOURCES: Readonly<Record<string, TSchema>> = {
  AppLedAnswer,
  AppLedState,
  Batching,
  CableLoss,
  CableLosses,
  CertificateList,
  CertificateSigningRequest,
  CloudConfig,
  CommandConnection,
  ConnectionTest,
  CreateCertificateRequest,
  DataConnection,
  DeleteCertificate,
  DirectionEvent,
  Error: ErrorBody,
  FactoryReset,
  FactoryResetAnswer,
  GetCountries,
  GetMode,
  GetNetwork,
  GetStandards,
  GpiStatus,
  GpioLed,
  GpoStatus,
  HostName,
  HttpPostOptions,
  LogConfig,
  LogRequest,
  InstallCertificate,
  Login,
  ManagementEvent,
  ManagementEventConfig,
  MqttOptions,
  NameAndDescription,
  Network,
  NtpServer,
  ExplainedMode,
  OperatingMode,
  OverflowEvent,
  OsUpdate,
  RawDirectionEvent,
  PassThrough,
  PassThroughAnswer,
  ReaderCapabilities,
  ReaderSettings,
  ReaderConfiguration: ReaderConfig,
  RebootAnswer,
  Regulatory,
  RefreshCertificate,
  Retention,
  SendWaiting,
  SetAppLed,
  SetCableLosses,
  SetGpo,
  SetNetwork,
  SetRegulatory,
  SetTimeZone,
  Start,
  StreamClosed,
  Statistics: Status,
  SupportedCountries,
  SupportedRegions,
  SupportedStandards,
  SupportedTimeZones,
  TagEvent,
  TcpServerOptions,
  TimeZone,
  UserAppAutostart,
  UserAppCommand,
  UserAppEvent,
  UserAppInstall,
  UserAppName,
  UserAppResponse,
  UserApps,
  UpdatePassword,
  UpgradeStatus,
  Version,
  WebSocketOptions,
};
