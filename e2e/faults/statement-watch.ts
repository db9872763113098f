import type { Inspector } from '@posthorn/testkit/tcp-gate';

/** The statements of the way of an event, by words that stand in no other. */
const WORDS = {
  /** The event, its key and what is to be done with it. */
  ingest: /insert into idempotency_record/,
  fanOut: /delete from pending_fan_out/,
  claim: /lost_leases = d\.lost_leases \+/,
  settle: /insert into attempt /,
} as const;

export type StatementName = keyof typeof WORDS;

/**
 * `before`: Postgres has not seen it. `after`: Postgres has committed it and nobody knows yet. In both cases the
 * connection is cut at that moment.
 */
export type StatementMoment = 'before' | 'after';

export type StatementWatch = {
  /** For a gate before Postgres. */
  inspect: () => Inspector;
  /** Acts on this statement from now on, for as long as `act` answers true; resolves when it has answered false. */
  at: (statement: StatementName, moment: StatementMoment, act: () => boolean) => Promise<void>;
  /** How many of this statement were begun. */
  count: (statement: StatementName) => number;
};

type Trap = { statement: StatementName; moment: StatementMoment; act: () => boolean; done: () => void };

/**
 * Knows by the bytes between a process and Postgres where the process is: crash points without a line in the product.
 * Reads version 3 of the protocol (PostgreSQL manual, "Message Formats"), without TLS.
 */
export function createStatementWatch(): StatementWatch {
  const traps = new Set<Trap>();
  const counts = new Map<StatementName, number>();
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
    inspect() {
      const names = new Map<string, StatementName>();
      const asked = createFramer({ beginsUntyped: true });
      const answered = createFramer({ beginsUntyped: false });
      let running: StatementName | undefined;
      let failed = false;
      return {
        toTarget(chunk) {
          for (const { type, body } of asked(chunk)) {
            if (type === 'P') learn(names, body);
            if (type !== 'B') continue;
            running = names.get(textAfter(body, endOfText(body, 0)));
            failed = false;
            if (running === undefined) continue;
            counts.set(running, (counts.get(running) ?? 0) + 1);
            if (springs(running, 'before')) return false;
          }
          return true;
        },
        fromTarget(chunk) {
          for (const { type } of answered(chunk)) {
            if (type === 'E') failed = true;
            // Ready for the next: what ran has been committed.
            if (type !== 'Z' || running === undefined) continue;
            const ended = running;
            running = undefined;
            if (!failed && springs(ended, 'after')) return false;
          }
          return true;
        },
      };
    },
  };
}

function learn(names: Map<string, StatementName>, parse: Buffer): void {
  const name = textAfter(parse, 0);
  const sql = textAfter(parse, endOfText(parse, 0));
  for (const [statement, words] of Object.entries(WORDS)) {
    if (words.test(sql)) names.set(name, statement as StatementName);
  }
}

type Message = { type: string; body: Buffer };

/** Whole messages out of a stream of chunks. The first one from a client has no type. */
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
      if (!untyped) messages.push({ type: String.fromCharCode(rest[0] ?? 0), body: rest.subarray(5, end) });
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
