/**
 * What the virtual radio of the native core takes: every tag by itself, every unit fixed.
 * Lengths in metres. What is left out gets the default of native/radio/virtual/virtual_options.h,
 * which also says what each field means to the simulation.
 */
export type Point = [x: number, y: number, z: number];
export type Waypoint = [seconds: number, x: number, y: number, z: number];

/** Where an antenna, or one beam of an array, radiates to. */
export interface Pattern {
  gainDbi: number;
  /** Of any length but 0. Needed with a width, of no meaning without. */
  direction?: Point;
  /** The gain falls by 3 dB at half of it. Left out or 0: the same gain everywhere. 10..180. */
  widthDeg?: number;
}

export interface VirtualAntenna extends Pattern {
  /** 1..255, no port twice. */
  port: number;
  position: Point;
  /** Between radio and antenna, paid on both ways. Left out: 0. */
  cableLossDb?: number;
  /** Linear polarisation along it. Left out: circular. */
  axis?: Point;
  /** Of an array antenna, numbered from 1; beam 0 is the antenna's own pattern. */
  beams?: Pattern[];
}

/** A chip: what all its tags have in common. */
export interface VirtualTagModel {
  name: string;
  /** Most words of EPC, 1..31. Left out: 6. */
  epcWords?: number;
  /** Of USER memory. Left out or 0: the tag has none. */
  userWords?: number;
  /** The power that it needs to write. Left out: -14. */
  writeSensitivityDbm?: number;
  /** Left out: 800. */
  writeUsPerWord?: number;
  /** BlockWrite and BlockErase. Left out: false, like all that follow. */
  blockWrite?: boolean;
  blockPermalock?: boolean;
  untraceable?: boolean;
}

export interface VirtualTag {
  /** Whole words: an even number of bytes, 0..62. */
  epc: Uint8Array;
  /** From the position of its group. */
  offset: Point;
  /** The power that it needs to answer. */
  sensitivityDbm: number;
  /** Index into models. Left out: 0. */
  model?: number;
  /** Of its dipole. Left out: the polarisation loss is the general one. */
  axis?: Point;
  /** Whole words, 0..62 bytes. */
  tid?: Uint8Array;
  /** Whole words, at most those of the model; the rest of the memory is 0. */
  user?: Uint8Array;
  /** 0..2^32 - 1. Left out: 0. */
  killPassword?: number;
  accessPassword?: number;
  /** The ten action bits of a Lock payload: kill, access, EPC, TID, USER. Left out: 0. */
  lock?: number;
}

export interface VirtualGroup {
  /** One: the group is always there. More: it is there from the first time to the last. */
  waypoints: Waypoint[];
  /** The way is taken again after this time; 0 = once. */
  periodSeconds: number;
  /** The time of the field at which the group's own clock is 0 for the first time. Left out: 0. */
  offsetSeconds?: number;
  /** Its tags turn once around the vertical through its position in this time. Left out or 0: not. */
  turnSeconds?: number;
  tags: VirtualTag[];
}

/** What a region asks of the use of its channels. Times in air time; 0 = no such rule. */
export interface ChannelRule {
  /** Longest stay on a channel, at least 100. Left out: 400. Without offMs one channel never hops. */
  dwellMs?: number;
  /** After the stay this channel is left alone for as long. Left out: 0. */
  offMs?: number;
  /** Within any windowMs a channel is used for at most occupancyMs. Left out: 0. */
  windowMs?: number;
  occupancyMs?: number;
  /** Listen before talk: for so long before the carrier goes on. Left out: 0. */
  listenMs?: number;
  /** With this probability the channel is found busy, then the next one is tried. 0..0.95. */
  busyShare?: number;
}

/** Rician fading. */
export interface Fading {
  /** Direct over scattered power. Left out: 10. */
  kDb?: number;
  /** One draw holds for so long, for a tag, antenna and channel. Left out: 50. */
  holdMs?: number;
}

/** Another reader or a machine that disturbs the receiver, for a time of the field. */
export interface Interference {
  /** Over the receiver's own noise, 0..80; several add up as powers. */
  levelDb: number;
  /** Left out: from the beginning, for ever. */
  fromSeconds?: number;
  untilSeconds?: number;
}

/** A general purpose input that moves by itself: a light barrier, for example. */
export interface InputScript {
  /** 1..16, no port twice. */
  port: number;
  /** Until the first change. Left out: true. */
  high?: boolean;
  /** Of the field's time, ascending: the level changes. */
  changeSeconds: number[];
  /** The changes come again after this time. Left out or 0: once. */
  periodSeconds?: number;
}

/** What the scenario says of the place and the reader; the native core does not look at it. */
export interface Site {
  region: string;
  maxEirpDbm?: number;
  channelWidthKhz?: number;
  readerModel?: string;
}

export interface VirtualField {
  site?: Site;
  inputs?: InputScript[];
  /** 0..2^53 - 1; one seed gives always the same reads. */
  seed: number;
  antennas: VirtualAntenna[];
  /** Used in this order, endlessly, as the rule says. */
  channelsKhz: number[];
  channelRule?: ChannelRule;
  /** Left out: one model with all its defaults. */
  models?: VirtualTagModel[];
  groups: VirtualGroup[];
  /** Left out: 3, 2 and 6 dB. */
  polarisationLossDb?: number;
  tagGainDbi?: number;
  modulationLossDb?: number;
  /** Left out: none. */
  fading?: Fading;
  /** A reply is understood among others if it is stronger than their sum by this. Left out: never. */
  captureDb?: number;
  /** Share of replies that are lost, 0..1. Left out: 0. */
  replyLoss?: number;
  /** Left out: none. */
  interference?: Interference[];
  /** How frames are chosen. Left out: 'adaptive'. The others are for comparison. */
  framePolicy?: 'adaptive' | 'q-algorithm' | 'known-population';
  /** C of the q-algorithm, 0.1..0.5. Left out: 0.3. */
  qStep?: number;
}
