/** What the virtual radio of the native core takes: every tag by itself, every unit fixed. */
export type Point = [x: number, y: number, z: number];
export type Waypoint = [seconds: number, x: number, y: number, z: number];

export interface VirtualTag {
  epc: Uint8Array;
  /** Metres from the position of its group. */
  offset: Point;
  sensitivityDbm: number;
}

export interface VirtualGroup {
  /** One: the group is always there. More: it is there from the first time to the last. */
  waypoints: Waypoint[];
  /** The way is taken again after this time; 0 = once. */
  periodSeconds: number;
  /** The time of the field at which the group's own clock is 0 for the first time. */
  offsetSeconds?: number;
  tags: VirtualTag[];
}

export interface VirtualField {
  seed: number;
  antennas: { port: number; position: Point; gainDbi: number }[];
  channelsKhz: number[];
  channelDwellMs: number;
  groups: VirtualGroup[];
  polarisationLossDb?: number;
  tagGainDbi?: number;
  modulationLossDb?: number;
}
