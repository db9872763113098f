import type { DeliveryStatus, Event } from '../client/resources.ts';
import { number } from '../language/language.ts';
import classes from './delivery-counts.module.css';
import { deliveryStatuses, STATUS_WORDS } from './delivery-statuses.ts';
import { StatusGlyph } from './status-glyph.tsx';

type Props = {
  counts: Event['deliveries'];
  /** The text when there is no delivery. */
  none?: string;
};

/** The number of deliveries by status, beside the status's glyph. Statuses without deliveries are left out. */
export function DeliveryCounts({ counts, none }: Props) {
  const present = deliveryStatuses().filter((status) => counts[status] > 0);
  if (present.length === 0) return none === undefined ? null : <span className="soft">{none}</span>;
  return (
    <span className={classes.counts}>
      {present.map((status) => (
        <Count key={status} status={status} count={counts[status]} />
      ))}
    </span>
  );
}

function Count({ status, count }: { status: DeliveryStatus; count: number }) {
  const words = number(count);
  return (
    <span className={classes.count} title={`${words} ${STATUS_WORDS[status].toLowerCase()}`}>
      <StatusGlyph status={status} size={11} />
      {words}
    </span>
  );
}
