import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { Settlement } from '@posthorn/ledger/settle';
import type { UnwrittenRow } from '@posthorn/ledger/unwritten';
import type { LivePublisher } from '@posthorn/queue/live';
import { errorFields, type Logger } from '@posthorn/runtime/logger';

/** An attempt may be without a row for so long (docs/adr/0020). */
const UNWRITTEN_MS = 250;

export type RowDeps = {
  /** Writes the row of a delivery whose attempt is under way. */
  writeUnderWay: (row: UnwrittenRow) => Promise<void>;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  logger: Pick<Logger, 'warn'>;
};

/** The row of a delivery that is attempted. Most deliveries have one before their attempt begins. */
export type RowUnderWay = {
  /** Resolves once the delivery has a row. It rejects while Postgres is away. */
  write(): Promise<void>;
  /** What the settle needs to write the row; nothing if the delivery has one. No row is written from now on. */
  left(): Promise<Pick<Settlement, 'unwritten'>>;
  /** Ends the attempt. If it was not settled, the event still waits, and is fanned out again. */
  close(): void;
};

const WRITTEN: RowUnderWay = { write: async () => {}, left: async () => ({}), close: () => {} };

/** Writes the row of a delivery without one when its attempt takes longer than 250 ms, again and again until it succeeds. */
export function openRow({ writeUnderWay, live, logger }: RowDeps, claim: ClaimedDelivery): RowUnderWay {
  const { unwritten, deliveryId, endpointId, leaseToken } = claim;
  if (unwritten === undefined) return WRITTEN;
  let writing: Promise<void> | undefined;
  const write = () => {
    writing ??= writeUnderWay({ deliveryId, endpointId, leaseToken, ...unwritten })
      .then(() => live.deliveryChanged(claim))
      .catch((error: unknown) => {
        writing = undefined;
        throw error;
      });
    return writing;
  };
  const writeLate = () => {
    write().catch((error: unknown) => {
      logger.warn('the row of a delivery that is being attempted could not be written yet', errorFields(error));
      timer?.refresh();
    });
  };
  let timer: NodeJS.Timeout | undefined = setTimeout(writeLate, UNWRITTEN_MS);
  const close = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    write,
    async left() {
      close();
      const isWritten = await writing?.then(
        () => true,
        () => false,
      );
      return isWritten ? {} : { unwritten };
    },
    close,
  };
}
