import type { Delivery } from '../client/resources.ts';
import { PortalLink } from './portal-link.tsx';

type Named = Pick<Delivery, 'eventTypeName' | 'isTest'>;

/** A message by the name of its event type, as a link; one that was sent as a test says so. */
export function MessageName({ href, of: { eventTypeName, isTest } }: { href: string; of: Named }) {
  return (
    <>
      <PortalLink href={href}>{eventTypeName ?? 'without a type'}</PortalLink>
      {isTest ? <small className="soft"> test</small> : null}
    </>
  );
}
