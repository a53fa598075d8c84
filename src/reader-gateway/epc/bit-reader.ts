/** The bits of an EPC, taken from its start. */

/** After the end there are zeros, and `left` is negative: the caller looks once, when it is done. */
export class BitReader {
  readonly #value: bigint;
  #left: number;

  constructor(bytes: Uint8Array) {
    const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
    this.#value = BigInt(`0x0${hex}`);
    this.#left = bytes.length * 8;
  }

  /** Number of bits that nobody has taken; less than 0 if more were taken than there are. */
  get left(): number {
    return this.#left;
  }

  /** The next bits as an unsigned integer. */
  take(count: number): bigint {
    this.#left -= count;
    const left = BigInt(this.#left);
    return BigInt.asUintN(count, left < 0n ? this.#value << -left : this.#value >> left);
  }

  /** As `take`, for up to 53 bits. */
  takeNumber(count: number): number {
    return Number(this.take(count));
  }
}
