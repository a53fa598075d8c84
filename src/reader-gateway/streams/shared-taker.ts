/** Two endpoints of type WEBSOCKET behind the one /ws: each client is a client of both. */
import type { WebSocket } from 'ws';

type Taker = (socket: WebSocket) => void;

interface Door {
  taker: Taker | undefined;
}

/** @returns Two doors, each to be used as if it were the only one. */
export function shareDoor(door: Door): [Door, Door] {
  const takers: [Taker | undefined, Taker | undefined] = [undefined, undefined];
  const renew = () => {
    const present = takers.filter((taker) => taker !== undefined);
    door.taker =
      present.length === 0
        ? undefined
        : (socket) => {
            for (const taker of present) taker(socket);
          };
  };
  const half = (place: 0 | 1): Door => ({
    get taker() {
      return takers[place];
    },
    set taker(taker) {
      takers[place] = taker;
      renew();
    },
  });
  return [half(0), half(1)];
}
