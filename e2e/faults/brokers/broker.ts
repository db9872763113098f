import type { TcpGate } from '@posthorn/testkit/tcp-gate';

/** What a consumer reads of a message. */
export type BrokerMessage = { eventId: string; hash: string };

/** A real broker, behind a gate that a row can cut, silence or move. */
export type Broker = {
  /** The type of its endpoints. */
  type: string;
  /** The URL to which the gate leads. */
  url: string;
  /** The fields of the endpoint that publishes to it through a gate at this port. */
  endpointAt: (port: number) => { url: string } | { config: { destination: object }; credentials: object };
  /** Ends it without notice. Without it, the gate refuses all connections instead. */
  kill?: () => Promise<void>;
  /** Starts it again with its data. */
  start?: () => Promise<void>;
  /** Announces this port from its next start on. Only for a broker that announces its address. */
  announce?: (port: number) => Promise<void>;
  /** The faults that only this kind of broker has. */
  faults: readonly Fault[];
  /** Every message that it has, in any order. */
  read: () => Promise<BrokerMessage[]>;
  stop: () => Promise<void>;
};

/** Starts a broker that is reached through this port. */
export type StartBroker = (port: number) => Promise<Broker>;

export type Fault = {
  what: string;
  /** Before it strikes, while messages still pass. */
  prepare?: (at: Scene) => Promise<void>;
  strike?: (at: Scene) => Promise<void>;
  /** It lasts so long. */
  holdMs: number;
  end: (at: Scene) => Promise<void>;
  /** What is sent while it lasts may still reach the broker when it ends, after its attempt. */
  keepsMessages?: boolean;
};

export type Scene = { broker: Broker; gate: () => TcpGate; moveGate: () => Promise<void> };
