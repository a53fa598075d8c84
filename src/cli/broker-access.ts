/** Who may do what at the reader's own broker. */
import { timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { AedesOptions, AuthErrorCode, Client } from 'aedes';
import { LOCAL_BROKER_USER } from '../shared/local-broker-login.js';
import type { BrokerPlaces } from './broker-places.js';

/** Without a login nothing else is read, and nothing is published. */
const TAG_EVENTS = 'singulate/d-evt';
/** Return codes of CONNACK (MQTT 3.1.1, table 3.1). */
const UNAVAILABLE = 3;
const BAD_LOGIN = 4;
const NOT_AUTHORIZED = 5;

export interface BrokerLogin {
  password: string;
  /** Clients without a login may read tag events. */
  openTagEvents: boolean;
}

export type Rules = Required<
  Pick<AedesOptions, 'authenticate' | 'authorizePublish' | 'authorizeSubscribe'>
>;

/** @param places Where a client is counted as soon as it is known what it is. */
export function brokerAccess(
  { password, openTagEvents }: BrokerLogin,
  places: BrokerPlaces,
): Rules {
  const known = new WeakSet<Client>();
  const wanted = Buffer.from(password);
  return {
    authenticate(client, user, given, done) {
      const isKnown = user === LOCAL_BROKER_USER && isEqual(given, wanted);
      const isStranger = user === undefined && given === undefined;
      if (!isKnown && !(isStranger && openTagEvents)) {
        return done(refusal(isStranger ? NOT_AUTHORIZED : BAD_LOGIN), false);
      }
      if (!places.take(client.conn as Socket, isKnown ? 'known' : 'strangers')) {
        return done(refusal(UNAVAILABLE), false);
      }
      if (isKnown) known.add(client);
      done(null, true);
    },
    authorizePublish(client, { topic }, done) {
      if (topic.startsWith('$SYS/')) return done(new Error('$SYS/ is the broker’s own'));
      // The broker itself has no client.
      const isAllowed = client === null || known.has(client);
      done(isAllowed ? null : new Error('a login is needed to publish'));
    },
    authorizeSubscribe(client, subscription, done) {
      const isAllowed = known.has(client) || subscription.topic === TAG_EVENTS;
      done(null, isAllowed ? subscription : null);
    },
  };
}

function refusal(returnCode: AuthErrorCode) {
  return Object.assign(new Error('the client is refused'), { returnCode });
}

function isEqual(given: Readonly<Buffer | undefined>, wanted: Buffer): boolean {
  if (given === undefined || given.length !== wanted.length) return false;
  return timingSafeEqual(given, wanted);
}
