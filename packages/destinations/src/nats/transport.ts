import { type NatsConnection, NatsConnectionImpl, setTransportFactory } from '@nats-io/transport-node';
// What the package itself connects with. It is not among the exports.
import { NodeTransport, nodeResolveHost } from '@nats-io/transport-node/lib/node_transport.js';
import { FoundError } from '../broker/failures.ts';

type Options = Parameters<typeof NatsConnectionImpl.connect>[0];

/** What a server may send between two messages of ours: acknowledgements, and its description. */
const MOST_BYTES = 1_048_576;

/** The transport of the library, which gives up a server that floods it. The library keeps whatever it is sent. */
function createBoundedTransport(): NodeTransport {
  const transport = new NodeTransport();
  const own = {
    peekInfo: transport.peekInfo.bind(transport),
    setupHandlers: transport.setupHandlers.bind(transport),
    send: transport.send.bind(transport),
  };
  let received = 0;
  // The library removes its listeners, and this one with them, before it adds others.
  const count = () => {
    const { socket } = transport;
    socket.on('data', (chunk: Uint8Array) => {
      received += chunk.length;
      if (received > MOST_BYTES) socket.destroy(new Error('the server sent too much'));
    });
  };
  transport.peekInfo = async () => {
    const greeting = own.peekInfo();
    count();
    const info = await greeting;
    const { options }: { options?: { tls?: unknown } } = transport;
    // The library would begin TLS without its options.
    if (info.tls_required === true && options?.tls === null) throw new FoundError(TLS_REQUIRED);
    return info;
  };
  transport.setupHandlers = () => {
    own.setupHandlers();
    count();
  };
  transport.send = (frame) => {
    received = 0;
    own.send(frame);
  };
  return transport;
}

const TLS_REQUIRED = { errorCode: 'tls_error', message: 'The server requires TLS' } as const;

/** As the library's own `connect`, with this transport. */
export function connectBounded(options: Options): Promise<NatsConnection> {
  setTransportFactory({ factory: createBoundedTransport, dnsResolveFn: nodeResolveHost });
  return NatsConnectionImpl.connect(options);
}
