import { type SealingKeys, seal } from '@posthorn/crypto/seal';
import type { ProbeReplies } from '../probe-replies.ts';
import { bytesOfIds } from './bus.ts';
import type { Shared } from './shared.ts';

/** The sealing context: a reply can be opened only as the reply to its probe. */
export const replyContext = (probeId: string): string => `probe.reply:${probeId}`;

type Options = Pick<Shared, 'db' | 'bus'> & { keys: SealingKeys };

/** A reply may repeat an endpoint's response, so it is stored sealed, in the row of its probe. */
export function createProbeReplies({ db, bus, keys }: Options): ProbeReplies {
  return {
    // A lost message does no harm: the row says that the probe was taken.
    begun: async ({ probeId, replyTo }) => bus.send(replyTo, 'probe_begun', bytesOfIds([probeId])),
    async ended({ probeId, replyTo }, reply) {
      const sealed = reply === null ? null : seal(keys, Buffer.from(JSON.stringify(reply)), replyContext(probeId));
      await db.$executeRaw`update probe set ended_at = now(), reply = ${sealed}::bytea where id = ${probeId}::uuid`;
      bus.send(replyTo, 'probe_ended', bytesOfIds([probeId]));
    },
    close: () => {},
  };
}
