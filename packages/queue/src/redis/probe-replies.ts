import type { ProbeJob } from '../jobs.ts';
import type { ProbeReplies } from '../probe-replies.ts';
import { openProducerConnection, type RedisOptions } from './connection.ts';

/** A message to the API process that waits for a probe. Redis passes it on and does not store it. */
export type ProbeMessage = { probeId: string } & ({ kind: 'begun' } | { kind: 'ended'; reply: unknown });

/** Opens its own connection. */
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
