export interface EpcUris {
  tagUri: string;
  epcUri: string;
}
export function epcUris(_pc: number, _xpcW1: number | undefined, _epc: Uint8Array): EpcUris {
  return { tagUri: '', epcUri: '' };
}
