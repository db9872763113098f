import type { Inspector } from '@posthorn/testkit/tcp-gate';

/** The statements that process an event, with words that only this statement contains. */
const WORDS = {
  /** Inserts the event, its key and its pending fan-out. */
  ingest: /insert into idempotency_record/,
  fanOut: /delete from pending_fan_out/,
  claim: /lost_leases = greatest\(d\.lost_leases \+/,
  settle: /insert into attempt /,
  /** Reads offered deliveries. It writes nothing. */
  take: / as left_ms,/,
  /** Sends messages to other processes, such as offers of deliveries. */
  offer: /^select pg_notify\(c, p\)/,
  /** Makes the subscription of an agent, within a transaction. */
  subscribeAgent: /insert into agent_subscription /,
} as const;

/**
 * A pattern that the values of the statement must also match. The text of a message of offers begins with its
 * version and kind.
 */
const VALUES: { [name in StatementName]?: RegExp } = { offer: /"AQ[I-L]/ };

export type StatementName = keyof typeof WORDS;

/**
 * `before`: Postgres has not received the statement. `after`: Postgres has committed it, but the process has no reply.
 * In both cases the connection is cut at that moment.
 */
export type StatementMoment = 'before' | 'after';

export type StatementWatch = {
  /** The hooks for a gate before Postgres. */
  inspect: () => Inspector;
  /** Calls `act` at this statement from now on, as long as `act` returns true. Resolves when it has returned false. */
  at: (statement: StatementName, moment: StatementMoment, act: () => boolean) => Promise<void>;
  /** How many times this statement was begun. */
  count: (statement: StatementName) => number;
  /** On connections that are opened from now on, one of `oneOf` notifications does not arrive. */
  loseNotifications: (oneOf: number) => void;
  /** The number of notifications that did not arrive. */
  lostNotifications: () => number;
};

type Trap = { statement: StatementName; moment: StatementMoment; act: () => boolean; done: () => void };

/**
 * Detects the position of a process from the bytes between it and Postgres, so that crash points need no code in the
 * product. Reads version 3 of the protocol (PostgreSQL manual, "Message Formats"), without TLS.
 */
export function createStatementWatch(): StatementWatch {
  const traps = new Set<Trap>();
  const counts = new Map<StatementName, number>();
  let oneOf = Number.POSITIVE_INFINITY;
  let notifications = 0;
  let lost = 0;
  /** The bytes of the messages, without the notifications to lose. */
  const withLosses = (messages: readonly Message[]): Buffer => {
    const kept = messages.filter(({ type }) => {
      if (type !== 'A') return true;
      notifications += 1;
      const isLost = notifications % oneOf === 0;
      if (isLost) lost += 1;
      return !isLost;
    });
    return Buffer.concat(kept.map(({ bytes }) => bytes));
  };
  const springs = (statement: StatementName, moment: StatementMoment): boolean => {
    const trap = [...traps].find((one) => one.statement === statement && one.moment === moment);
    if (trap === undefined) return false;
    if (!trap.act()) {
      traps.delete(trap);
      trap.done();
    }
    return true;
  };
  return {
    at: (statement, moment, act) =>
      new Promise((done) => {
        traps.add({ statement, moment, act, done });
      }),
    count: (statement) => counts.get(statement) ?? 0,
    loseNotifications(one) {
      oneOf = one;
    },
    lostNotifications: () => lost,
    inspect() {
      // Only new connections lose notifications. On others, the first part of a message may already have passed.
      const loses = Number.isFinite(oneOf);
      const names = new Map<string, StatementName>();
      const asked = createFramer({ beginsUntyped: true });
      const answered = createFramer({ beginsUntyped: false });
      const position: Position = { running: undefined, failed: false, isOpen: false };
      return {
        toTarget(chunk) {
          for (const { type, body } of asked(chunk)) {
            if (type === 'P') learn(names, body);
            if (type !== 'B') continue;
            const begun = beginAt(position, boundBy(names, body));
            if (begun === undefined) continue;
            counts.set(begun, (counts.get(begun) ?? 0) + 1);
            if (springs(begun, 'before')) return false;
          }
          return true;
        },
        fromTarget(chunk) {
          const messages = answered(chunk);
          for (const message of messages) {
            const committed = committedAt(position, message);
            if (committed !== undefined && springs(committed, 'after')) return false;
          }
          return loses ? withLosses(messages) : true;
        },
      };
    },
  };
}

/** The statement that a connection runs, whether it failed, and whether a transaction is open. */
type Position = { running: StatementName | undefined; failed: boolean; isOpen: boolean };

function beginAt(position: Position, name: StatementName | undefined): StatementName | undefined {
  // After a watched statement, others of its transaction may follow.
  if (name === undefined && position.isOpen) return undefined;
  Object.assign(position, { running: name, failed: false });
  return name;
}

/** The statement that was committed according to this message. */
function committedAt(position: Position, { type, body }: Message): StatementName | undefined {
  if (type === 'E' || (type === 'C' && body.toString().startsWith('ROLLBACK'))) position.failed = true;
  if (type !== 'Z') return undefined;
  // ReadyForQuery has the status `I` outside of a transaction.
  position.isOpen = body.toString() !== 'I';
  const { running, failed, isOpen } = position;
  if (isOpen) return undefined;
  position.running = undefined;
  return failed ? undefined : running;
}

function learn(names: Map<string, StatementName>, parse: Buffer): void {
  const name = textAfter(parse, 0);
  const sql = textAfter(parse, endOfText(parse, 0));
  // A name may be used again, and an unnamed statement always uses the same one.
  names.delete(name);
  for (const [statement, words] of Object.entries(WORDS)) {
    if (words.test(sql)) names.set(name, statement as StatementName);
  }
}

/** The watched statement that these values are for. */
function boundBy(names: ReadonlyMap<string, StatementName>, bind: Buffer): StatementName | undefined {
  const name = names.get(textAfter(bind, endOfText(bind, 0)));
  const values = name && VALUES[name];
  return values === undefined || values.test(bind.toString('latin1')) ? name : undefined;
}

/** `bytes` is the whole message. */
type Message = { type: string; body: Buffer; bytes: Buffer };

/** Splits a stream of chunks into whole messages. The first message of a client has no type. */
function createFramer({ beginsUntyped }: { beginsUntyped: boolean }): (chunk: Buffer) => Message[] {
  let rest: Buffer = Buffer.alloc(0);
  let untyped = beginsUntyped;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const messages: Message[] = [];
    for (;;) {
      const head = untyped ? 0 : 1;
      if (rest.length < head + 4) return messages;
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return messages;
      const bytes = rest.subarray(0, end);
      if (!untyped) messages.push({ type: String.fromCharCode(rest[0] ?? 0), body: rest.subarray(5, end), bytes });
      untyped = false;
      rest = rest.subarray(end);
    }
  };
}

function endOfText(bytes: Buffer, start: number): number {
  return bytes.indexOf(0, start) + 1;
}

function textAfter(bytes: Buffer, start: number): string {
  return bytes.toString('utf8', start, endOfText(bytes, start) - 1);
}
