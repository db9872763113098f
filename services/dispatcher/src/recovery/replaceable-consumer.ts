import type { Consumer } from '@posthorn/queue/consumer';
import { withDeadline } from '@posthorn/runtime/deadline';

/** A consumer that can be replaced while it runs. */
export type KeptConsumer = Consumer & {
  /** Opens another in its place; what is under way in the old one goes on, and is waited for by `drain` too. */
  rebuild(): Promise<void>;
};

/** A connection that is half open does not say that it was closed. */
const CLOSE_WITHIN_MS = 1_000;

export function keepConsumer(open: () => Consumer): KeptConsumer {
  let current = open();
  const replaced = new Set<Consumer>();
  const close = (consumer: Consumer) => withDeadline(consumer.close(), CLOSE_WITHIN_MS);
  const forgetOnceDrained = (old: Consumer) =>
    old.drain().then(
      () => replaced.delete(old),
      () => undefined, // The shutdown asks again.
    );
  return {
    async rebuild() {
      const old = current;
      replaced.add(old);
      current = open();
      await close(old);
      void forgetOnceDrained(old);
    },
    async drain() {
      await Promise.all([current, ...replaced].map((consumer) => consumer.drain()));
    },
    async close() {
      await close(current);
    },
  };
}
