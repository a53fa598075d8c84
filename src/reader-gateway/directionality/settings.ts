import type { DirectionalitySettings } from '../api/directionality.js';
export function effectiveDirectionality(s: DirectionalitySettings): DirectionalitySettings {
  return s;
}
export function checkDirectionality(
  _s: DirectionalitySettings,
  _path: string,
  _add: (field: string, message: string) => void,
): void {}
