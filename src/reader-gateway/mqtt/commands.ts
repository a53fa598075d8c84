/** Answers MQTT commands with the operations. */
import { invalid, isSingulateError, seenFrom } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import { errorAnswer, toErrorAnswer } from '../api/errors.js';
import { faultOfValue } from '../api/plain-value.js';
import { parseRequest } from '../api/request-json.js';
import { findViolations, joinPath, show } from '../api/validate.js';
import { FileAnswer } from '../operations/file-answer.js';
import type { Operation, OperationContext } from '../operations/operation.js';
import { runOperation } from '../operations/run-operation.js';
import { Command, failureResponse, requestOf, strayFields, successResponse } from './envelope.js';
import { filePayload } from './file-payload.js';

const MAX_BYTES = 1_000_000;
/** A larger one is not looked into just to be refused. */
const MOST_REFUSED_BYTES = 100_000;
/** All brokers together are one client: they do not say who sent a command. */
const CLIENT = 'mqtt';

export interface CommandAnswer {
  message: string;
  /** It asked for something by name; if not, the message is a failure that says so. */
  isCommand: boolean;
  /** To be called once the answer is out. */
  afterAnswer: (() => void) | undefined;
}

export class Commands {
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #context: OperationContext;
  readonly #log: Logger;

  constructor(operations: readonly Operation[], context: OperationContext, log: Logger) {
    this.#operations = new Map(
      operations.flatMap((operation) =>
        [operation.mqttCommand, ...(operation.mqttAliases ?? [])].map((name) => [name, operation]),
      ),
    );
    this.#context = context;
    this.#log = log;
  }

  /**
   * Never throws.
   * @returns undefined for what readers send, answers and events: to answer an answer never ends.
   */
  async run(payload: Buffer): Promise<CommandAnswer | undefined> {
    let command = '';
    let id: unknown = '';
    try {
      if (payload.length > MAX_BYTES) {
        if (looksLikeAnswer(payload)) return undefined;
        const text = `the command is above ${MAX_BYTES} bytes`;
        return failure(command, id, errorAnswer('TOO_LARGE', text).body);
      }
      const value = parse(payload);
      if (isFromReader(value)) return undefined;
      const message = checked(value);
      if (typeof message.command === 'string') command = message.command;
      id = message.command_id;
      const violations = findViolations(Command, message);
      for (const name of strayFields(message as unknown as Command)) {
        violations.push({
          field: joinPath('', name),
          message: 'stands beside payload; the fields of a command belong in it',
        });
      }
      if (violations.length > 0) throw invalid(violations);
      const operation = this.#operations.get(command);
      if (operation === undefined) {
        const text = `command: ${show(command)} is not one of ${[...this.#operations.keys()].join(', ')}`;
        return failure(command, id, errorAnswer('NOT_FOUND', text).body);
      }
      const request = requestOf(message as unknown as Command);
      const { body, afterAnswer } = await runOperation(operation, this.#context, request, CLIENT);
      const content = body instanceof FileAnswer ? await filePayload(body) : body;
      const text = successResponse(command, id, content);
      return { message: text, isCommand: true, afterAnswer };
    } catch (error) {
      if (!isSingulateError(error)) this.#log.error({ err: error, command }, 'command failed');
      return failure(command, id, toErrorAnswer(error).body);
    }
  }

  /** @returns The failure that says why it is not carried out; undefined for what gets no answer. */
  refuse(payload: Buffer, kind: 'TOO_MANY' | 'STATE', why: string): string | undefined {
    if (payload.length > MOST_REFUSED_BYTES) return undefined;
    try {
      const value = JSON.parse(payload.toString('utf8'));
      if (isFromReader(value) || typeof value?.command !== 'string') return undefined;
      const { command, command_id: id } = value;
      const text = `${why}: this one was not carried out`;
      return failure(command, id, errorAnswer(kind, text).body).message;
    } catch {
      return undefined;
    }
  }
}

function failure(command: string, id: unknown, body: { code: number; message: string }) {
  const message = failureResponse(command, id, body);
  return { message, isCommand: command !== '', afterAnswer: undefined };
}

function parse(payload: Buffer): unknown {
  try {
    return parseRequest(payload.toString('utf8'), 'the command');
  } catch (error) {
    if (looksLikeAnswer(payload)) return { response: undefined };
    // The fields of a command are named as they are over REST.
    if (!isSingulateError(error, 'INVALID')) throw error;
    throw invalid(seenFrom('payload', error.violations));
  }
}

/** Of what cannot be parsed: every answer has it. */
function looksLikeAnswer(payload: Buffer): boolean {
  return payload.includes('"response"');
}

/** An answer or an event, or a batch of events. */
function isFromReader(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isAnswerOrEvent);
  return isAnswerOrEvent(value);
}

/** @returns true for an answer, whatever else it has. */
function isAnswerOrEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return 'response' in value || (!('command' in value) && 'timestamp' in value);
}

function checked(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid([{ field: '', message: `${show(value)} is not an object` }]);
  }
  // The payload is looked at with its operation.
  const fault = faultOfValue({ ...value, payload: undefined });
  if (fault !== undefined) throw invalid([fault]);
  return value as Record<string, unknown>;
}
