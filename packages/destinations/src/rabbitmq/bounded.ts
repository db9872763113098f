import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { ChannelModel } from 'amqplib';
// What the package itself connects with. It is not among the exports, and has no types.
// @ts-expect-error
import { Connection } from '../../node_modules/amqplib/lib/connection.js';
import { FoundError } from '../broker/failures.ts';

/** What a broker may send besides the messages that it returns: confirmations and heartbeats. */
const MOST_BYTES = 1_048_576;
/** The same for each message of ours. The properties of a returned message are as large as ours. */
const MOST_BYTES_OF_MESSAGE = 65_536;

/**
 * The client itself proposes frames of at most half of this. Where TLS is required, its alert looks like a frame of 129 KiB, and
 * then the server hangs up, which says more than that the frame is too large.
 */
export const MOST_FRAME_BYTES = 262_144;

/** A frame as the client has decoded it. `size` is the announced size of a content. */
type Frame = { size?: number; fields?: { deliveryTag?: unknown } };

/** What the types of the client do not have. */
type Inner = { stream: Socket; accept(frame: Frame): void };

// The client tells nobody of a connection before the first frames are read. Without a listener, a wrong one of them would end
// the process.
const { acceptLoop } = Connection.prototype;
Connection.prototype.acceptLoop = function acceptWithListener(this: EventEmitter) {
  this.on('error', () => undefined);
  acceptLoop.call(this);
};

export type Bounded = {
  socket: Socket;
  /** Why the broker was given up, if it was. */
  fault(): Error | undefined;
  /** Is called before each message. */
  sending(bytes: number): void;
};

/**
 * Gives up a broker that sends what no broker sends. The client keeps a returned message of any size, and a confirmation
 * with a high number would make it go through a list of that length, which holds the process for minutes.
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
  // The client replaces it again when the connection ends. It ends the connection when this throws.
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
