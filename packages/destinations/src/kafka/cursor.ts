import { unreadable } from './answers.ts';

/** Reads the values of Kafka's protocol one after the other. It throws where one ends behind the bytes, or goes back. */
export class Cursor {
  at = 0;
  readonly #data: Buffer;

  constructor(data: Buffer) {
    this.#data = data;
  }

  get left(): number {
    return this.#data.length - this.at;
  }

  /** Where something of this length ends. */
  endOf(length: number): number {
    if (!(length >= 0 && length <= this.left)) throw unreadable('its lengths are wrong');
    return this.at + length;
  }

  /** The place from which it was moved on. */
  skip(length: number): number {
    const { at } = this;
    this.at = this.endOf(length);
    return at;
  }

  bytes(length: number): Buffer {
    const at = this.skip(length);
    return this.#data.subarray(at, this.at);
  }

  int8(): number {
    return this.#data.readInt8(this.skip(1));
  }

  int16(): number {
    return this.#data.readInt16BE(this.skip(2));
  }

  int32(): number {
    return this.#data.readInt32BE(this.skip(4));
  }

  int64(): bigint {
    return this.#data.readBigInt64BE(this.skip(8));
  }

  /** Without a sign, of 32 bits. */
  uvarint(): number {
    return this.#unsigned(5);
  }

  varint(): number {
    return this.#signed(5);
  }

  /** Of 64 bits. It is exact up to 2⁵³. */
  varlong(): number {
    return this.#signed(10);
  }

  varbytes(): Buffer | null {
    const length = this.varint();
    return length === -1 ? null : this.bytes(length);
  }

  tags(): void {
    for (let count = this.uvarint(); count > 0; count -= 1) {
      this.uvarint();
      this.skip(this.uvarint());
    }
  }

  #signed(mostBytes: number): number {
    const first = this.#data[this.at];
    // Most of them have one byte.
    if (first !== undefined && first < 0x80) {
      this.at += 1;
      return (first >>> 1) ^ -(first & 1);
    }
    const value = this.#unsigned(mostBytes);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  #unsigned(mostBytes: number): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < mostBytes; count += 1) {
      const byte = this.#data[this.at];
      if (byte === undefined) break;
      this.at += 1;
      if (byte < 0x80) return value + byte * factor;
      value += (byte - 0x80) * factor;
      factor *= 0x80;
    }
    throw unreadable('a number in it is too long');
  }
}
