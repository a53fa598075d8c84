import { type Static, Type } from './schema.js';
export const DirectionalitySettings = Type.Object({});
export type DirectionalitySettings = Static<typeof DirectionalitySettings>;
