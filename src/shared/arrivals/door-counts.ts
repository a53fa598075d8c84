/** What happened at the doors with TLS of this process since its start, for the metrics. */

export interface DoorCounts {
  /** Connections that were closed, by the reason. */
  refused: {
    /** As many as one address may have were open. */
    client: number;
    /** All places were taken. */
    places: number;
    /** A silent one had to make room for another. */
    replaced: number;
    /** No handshake, or no first request, in time. */
    late: number;
    /** The first bytes are none of TLS. */
    hello: number;
  };
  handshakes: {
    begun: number;
    /** Of those: waited until the processor had time for them. */
    held: number;
  };
}

export type ArrivalRefusal = keyof DoorCounts['refused'];

const doors = new Map<string, DoorCounts>();

/** @returns those of all doors of this name. */
export function doorCounts(door: string): DoorCounts {
  let counts = doors.get(door);
  if (counts === undefined) {
    counts = {
      refused: { client: 0, places: 0, replaced: 0, late: 0, hello: 0 },
      handshakes: { begun: 0, held: 0 },
    };
    doors.set(door, counts);
  }
  return counts;
}

export function allDoorCounts(): ReadonlyMap<string, DoorCounts> {
  return doors;
}
