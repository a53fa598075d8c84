/** What a group of operations declares, so that conformance.test.ts can execute every case of them. */
import type { Test } from 'tap';
import type { FakeRadio } from '../gateway/fake-radio.js';
import type { TestBroker, TestReader } from '../gateway/reader.js';
import type { Door, Outcome } from './doors.js';

/** What a group works on: a reader of its own. */
export interface World {
  t: Test;
  reader: TestReader;
  radio: FakeRadio;
  broker: TestBroker;
  /** Tokens of before are worth nothing any more: the doors take another. @throws If they are. */
  logInAgain(): Promise<void>;
}

/** As it is over MQTT: what REST has in the path is a field as well. */
export type Request = Record<string, unknown>;

export interface Provocation {
  request?: Request;
  /** Of the error body; left out: the answer is no error. */
  code?: number;
  /** Brings about the state in which the answer is this one; before each door. */
  before?(door: Door): Promise<unknown>;
  after?(): Promise<unknown>;
}

export interface OperationCase {
  /** Is answered with success, after `before`. */
  success: Request;
  /** Before each success. */
  before?(): Promise<unknown>;
  /** @param outcome No success while a part is away that the operation needs. */
  after?(outcome: Outcome): Promise<unknown>;
  /**
   * How the answers of other statuses come about that only this operation has. What all have (400,
   * 401, 413, 422, 500) is not listed: the test provokes it by itself.
   */
  others?: Readonly<Record<number, Provocation>>;
  /** Paths of unknown fields that do not fail the request: clients of other readers send them. */
  ignores?: RegExp;
  /** It is made of no part that could fail: 500 is in the document for every operation alike. */
  neverFails?: true;
  /** Without these it answers 500, code 4; without all others it does what it always does. */
  needs?: readonly ('radio' | 'platform')[];
}

/** By the name of the operation. Makes what its cases need. */
export type Group = (world: World) => Promise<Record<string, OperationCase>>;
