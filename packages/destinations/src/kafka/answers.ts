import { type Connection, NetworkError, Reader } from '@platformatic/kafka';
import { FoundError } from '../broker/failures.ts';

// A tenant chooses its brokers, and the library reads an answer on the thread of all tenants. It believes each length.

type Parse = Parameters<Connection['send']>[3];

const [FETCH, HANDSHAKE, API_VERSIONS, AUTHENTICATE] = [1, 17, 18, 36];
/** The description of a topic with 4,000 partitions. */
const MOST_BYTES = 262_144;
/** The library reads what SCRAM says with an expression whose time grows with the square of the length. */
const MOST_OF_SIGN_IN = 4_096;
const MOST_OF_VARINT64 = 10;

/** The error of an answer that no broker of Kafka gives. */
export function unreadable(why: string): FoundError {
  return new FoundError({
    errorCode: 'protocol_error',
    message: `The broker sent an answer that cannot be read: ${why}`,
  });
}

/** Lets a parser of the library read an answer only if that ends soon and takes little memory. Its errors are of the library. */
export function bounded(parse: Parse): Parse {
  return (correlationId, apiKey, apiVersion, given) => {
    try {
      if (given.length > mostOf(apiKey)) throw unreadable('it is too long');
      const answer = parse(correlationId, apiKey, apiVersion, new ForwardReader(given));
      // The library would ask again at once, for ever.
      if (apiKey === API_VERSIONS && isEmpty(answer)) throw unreadable('it names no requests');
      return answer;
    } catch (error) {
      // The library asks every error for its properties.
      if (error instanceof Error && 'findBy' in error) throw error;
      const cause = error instanceof FoundError ? error : unreadable('its lengths are wrong');
      throw new NetworkError(cause.message, { cause, canRetry: false });
    }
  };
}

function mostOf(apiKey: number): number {
  // It has its own parser and limits.
  if (apiKey === FETCH) return Number.POSITIVE_INFINITY;
  return [HANDSHAKE, API_VERSIONS, AUTHENTICATE].includes(apiKey) ? MOST_OF_SIGN_IN : MOST_BYTES;
}

function isEmpty(answer: unknown): boolean {
  const keys: unknown = Reflect.get(Object(answer), 'apiKeys');
  return !Array.isArray(keys) || keys.length === 0;
}

/** Never goes back or behind the end, whatever a length says. So each element takes some bytes, and their number is bounded. */
class ForwardReader extends Reader {
  constructor(given: Reader) {
    super(given.buffer);
    // In one piece: the library looks each value up among all chunks of the socket.
    this.reset(given.buffer.buffer);
    let at = 0;
    Object.defineProperty(this, 'position', {
      get: () => at,
      set(to: number) {
        if (!(to >= at && to <= given.length)) throw unreadable('its lengths are wrong');
        at = to;
      },
    });
  }

  override readUnsignedVarInt64(): bigint {
    let value = 0n;
    for (let count = 0n; count < MOST_OF_VARINT64; count += 1n) {
      const byte = this.readUnsignedInt8();
      value += BigInt(byte & 0x7f) << (7n * count);
      if (byte < 0x80) return value;
    }
    throw unreadable('a number in it is too long');
  }

  override readVarInt64(): bigint {
    const value = this.readUnsignedVarInt64();
    return (value >> 1n) ^ -(value & 1n);
  }

  /** The library takes their number for their length. */
  override readTaggedFields(): void {
    for (let count = this.readUnsignedVarInt(); count > 0; count -= 1) {
      this.readUnsignedVarInt();
      this.skip(this.readUnsignedVarInt());
    }
  }
}
