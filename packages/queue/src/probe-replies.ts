import { openProducerConnection, type RedisOptions } from './connection.ts';
import type { ProbeJob } from './jobs.ts';

/** A message to the API process that waits for a probe. Redis passes it on and does not store it. */
export type ProbeMessage = { probeId: string } & ({ kind: 'begun' } | { kind: 'ended'; reply: unknown });

/** Tells the API process that its probe has begun, and that it has ended. */
export type ProbeReplies = {
  /** Rejects while Redis is away. */
  begun(job: ProbeJob): Promise<void>;
  /** `reply` is the result as JSON; null if the result is a row in Postgres. Rejects while Redis is away. */
  ended(job: ProbeJob, reply: unknown): Promise<void>;
  close(): void;
};

/** Opens a connection of its own. */
export function createProbeReplies(options: RedisOptions): ProbeReplies {
  const connection = openProducerConnection(options);
  const send = async (job: ProbeJob, message: ProbeMessage) => {
    await connection.publish(job.replyTo, JSON.stringify(message));
  };
  return {
    begun: (job) => send(job, { probeId: job.probeId, kind: 'begun' }),
    ended: (job, reply) => send(job, { probeId: job.probeId, kind: 'ended', reply }),
    close: () => connection.disconnect(),
  };
}

/** Reads a message; undefined for any other text. */
export function parseReply(text: string): ProbeMessage | undefined {
  try {
    // Only this module sends on these channels.
    return JSON.parse(text) as ProbeMessage;
  } catch {
    // Not JSON: another program uses the channel.
    return undefined;
  }
}
