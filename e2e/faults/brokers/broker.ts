import type { TcpGate } from '@posthorn/testkit/tcp-gate';

/** The parts of a message that a consumer reads. */
export type BrokerMessage = { eventId: string; hash: string };

/** A real broker, behind a gate with which a row can cut, silence or move it. */
export type Broker = {
  /** The type of its endpoints. */
  type: string;
  /** The URL to which the gate leads. */
  url: string;
  /** The fields of the endpoint that publishes to it through a gate at this port. */
  endpointAt: (port: number) => { url: string } | { config: { destination: object }; credentials: object };
  /**
   * Ends the broker without notice. A broker without `kill` is never ended: its gate refuses all connections instead.
   */
  kill?: () => Promise<void>;
  /** Starts the broker again with its data. */
  start?: () => Promise<void>;
  /** Makes the broker announce this port from its next start on. Only for a broker that announces its address. */
  announce?: (port: number) => Promise<void>;
  /** The faults that only this kind of broker has. */
  faults: readonly Fault[];
  /** Reads every message that the broker has, in any order. */
  read: () => Promise<BrokerMessage[]>;
  stop: () => Promise<void>;
};

/** Starts a broker that is reachable at this port. */
export type StartBroker = (port: number) => Promise<Broker>;

export type Fault = {
  what: string;
  /** Runs before the fault strikes, while messages still pass. */
  prepare?: (at: Scene) => Promise<void>;
  strike?: (at: Scene) => Promise<void>;
  /** How long the fault lasts. */
  holdMs: number;
  end: (at: Scene) => Promise<void>;
  /** Messages that are sent during the fault may still reach the broker when it ends, after their attempt has ended. */
  keepsMessages?: boolean;
};

export type Scene = { broker: Broker; gate: () => TcpGate; moveGate: () => Promise<void> };
