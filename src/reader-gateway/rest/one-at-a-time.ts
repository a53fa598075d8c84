/**
 * Pipelined requests (RFC 9112, section 9.3.2) of a connection are carried out one after the other.
 * Node's server begins all at once, and goes on with them when the client is gone.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Most requests of a connection that wait; with more it is closed. */
const MOST_WAITING = 100;
/** Most that wait when the last of them has no valid token: what waits takes memory. */
const MOST_OF_STRANGERS = 16;

type Exchange = Parameters<Handler>;

/** @param isKnown Whether a request has a valid token. */
export function oneAtATime(
  handler: Handler,
  isKnown: (request: IncomingMessage) => boolean,
): Handler {
  const waiting = new WeakMap<Socket, Exchange[]>();
  const begin = ([request, response]: Exchange) => {
    const { socket } = request;
    response.once('close', () => {
      const next = waiting.get(socket)?.shift();
      // Nobody waits for an answer any more.
      if (next === undefined || socket.destroyed) waiting.delete(socket);
      else begin(next);
    });
    handler(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const line = waiting.get(socket);
    if (line === undefined) {
      waiting.set(socket, []);
      begin([request, response]);
    } else if (line.length < (isKnown(request) ? MOST_WAITING : MOST_OF_STRANGERS)) {
      line.push([request, response]);
    } else {
      line.length = 0;
      socket.destroy();
    }
  };
}
