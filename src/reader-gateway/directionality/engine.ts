import type { DirectionalitySettings } from '../api/directionality.js';
export interface DirectionEvent {
  type: string;
  timeMs: number;
  data: Record<string, unknown>;
}
export class Directionality {
  constructor(_s: DirectionalitySettings) {}
  take(_read: object): DirectionEvent[] {
    return [];
  }
  advance(_nowMs: number): DirectionEvent[] {
    return [];
  }
}
