import { unreadable } from './answers.ts';

/** Reads the values of Kafka's protocol one after the other. */
export type Cursor = ReturnType<typeof createCursor>;

/** Every function throws `unreadable` where a value would end behind the bytes, or would go back. */
export function createCursor(data: Buffer) {
  let at = 0;
  const left = () => data.length - at;
  /** Where a value of this length ends. */
  const endOf = (length: number) => {
    if (!(length >= 0 && length <= left())) throw unreadable('its lengths are wrong');
    return at + length;
  };
  /** Moves on, and returns the place before. */
  const skip = (length: number) => {
    const from = at;
    at = endOf(length);
    return from;
  };
  const bytes = (length: number) => data.subarray(skip(length), at);
  const unsigned = (mostBytes: number) => {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < mostBytes; count += 1) {
      const byte = data[at];
      if (byte === undefined) break;
      at += 1;
      if (byte < 0x80) return value + byte * factor;
      value += (byte - 0x80) * factor;
      factor *= 0x80;
    }
    throw unreadable('a number in it is too long');
  };
  const signed = (mostBytes: number) => {
    const first = data[at];
    // Most of them have one byte.
    if (first !== undefined && first < 0x80) {
      at += 1;
      return (first >>> 1) ^ -(first & 1);
    }
    const value = unsigned(mostBytes);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  /** Without a sign, of 32 bits. */
  const uvarint = () => unsigned(5);
  const varint = () => signed(5);
  return {
    at: () => at,
    left,
    endOf,
    skip,
    bytes,
    int8: () => data.readInt8(skip(1)),
    int16: () => data.readInt16BE(skip(2)),
    int32: () => data.readInt32BE(skip(4)),
    int64: () => data.readBigInt64BE(skip(8)),
    uvarint,
    varint,
    /** Of 64 bits. It is exact up to 2⁵³. */
    varlong: () => signed(10),
    varbytes() {
      const length = varint();
      return length === -1 ? null : bytes(length);
    },
    tags() {
      for (let count = uvarint(); count > 0; count -= 1) {
        uvarint();
        skip(uvarint());
      }
    },
  };
}
