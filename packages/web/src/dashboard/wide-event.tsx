import type { Event } from '../client/resources.ts';
import classes from './wide-event.module.css';

type Reach = Pick<Event, 'applicationId' | 'reachedApplications'>;

/** True if an event named no customer, and reached more than one. */
export function isWide({ applicationId, reachedApplications }: Reach): boolean {
  return applicationId === null && reachedApplications > 1;
}

/** Marks such an event; renders nothing for others. */
export function WideMark({ of }: { of: Reach }) {
  if (!isWide(of)) return null;
  return (
    <span className={classes.mark} title="It named no customer, so every subscribed endpoint got it">
      {customers(of.reachedApplications)}
    </span>
  );
}

export function customers(count: number): string {
  return count === 1 ? '1 customer' : `${count.toLocaleString('en')} customers`;
}
