import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { ChannelModel } from 'amqplib';
// The package's own connection class, which it does not export and has no types for.
// @ts-expect-error
import { Connection } from '../../node_modules/amqplib/lib/connection.js';
import { FoundError } from '../broker/failures.ts';

/** The most bytes that a broker may send besides the messages that it returns: confirmations and heartbeats. */
const MOST_BYTES = 1_048_576;
/** The additional bytes allowed for each of our messages. The properties of a returned message are as large as ours. */
const MOST_BYTES_OF_MESSAGE = 65_536;

/**
 * The largest frame. The client itself proposes at most half of this. If TLS is required, the server's alert looks like
 * a frame of 129 KiB. The server then hangs up, which says more than an error about the size.
 */
export const MOST_FRAME_BYTES = 262_144;

/** A frame as the client decoded it. `size` is the announced size of the content. */
type Frame = { size?: number; fields?: { deliveryTag?: unknown } };

/** Members that the client's types lack. */
type Inner = { stream: Socket; accept(frame: Frame): void };

// The client emits the connection only after it has read the first frames. Without a listener, a malformed frame before
// that would end the process.
const { acceptLoop } = Connection.prototype;
Connection.prototype.acceptLoop = function acceptWithListener(this: EventEmitter) {
  this.on('error', () => undefined);
  acceptLoop.call(this);
};

export type Bounded = {
  socket: Socket;
  /** Why the broker was dropped, if it was. */
  fault(): Error | undefined;
  /** Must be called before each message. */
  sending(bytes: number): void;
};

/**
 * Drops a broker that sends what no real broker sends. The client keeps a returned message of any size. A confirmation
 * with a high number makes it walk a list of that length, which blocks the process for minutes.
 */
export function bound(model: ChannelModel): Bounded {
  const inner = model.connection as object as Inner;
  let [sent, largest, leftBytes] = [0, 0, MOST_BYTES];
  let fault: Error | undefined;
  const refuse = (message: string): Error => {
    fault ??= new FoundError({ errorCode: 'protocol_error', message });
    return fault;
  };
  const { stream } = inner;
  const read = stream.read.bind(stream);
  stream.read = (size) => {
    const chunk: Buffer | null = read(size);
    leftBytes -= chunk?.length ?? 0;
    if (leftBytes < 0) stream.destroy(refuse('The broker sent too much'));
    return chunk;
  };
  const accept = inner.accept.bind(inner);
  // The client replaces this function when the connection ends, and ends the connection when it throws.
  inner.accept = (frame) => {
    if (Number(frame.size ?? 0) > largest) throw refuse('The broker returned a message that nobody has sent');
    if (Number(frame.fields?.deliveryTag ?? 0) > sent)
      throw refuse('The broker confirmed a message that nobody has sent');
    accept(frame);
  };
  return {
    socket: stream,
    fault: () => fault,
    sending(bytes) {
      sent += 1;
      largest = Math.max(largest, bytes);
      leftBytes += bytes + MOST_BYTES_OF_MESSAGE;
    },
  };
}
