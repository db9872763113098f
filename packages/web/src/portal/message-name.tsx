import type { Delivery } from '../client/resources.ts';
import { Marked, TestMark } from '../components/test-mark.tsx';
import { t } from '../language/language.ts';
import { PortalLink } from './portal-link.tsx';

type Named = Pick<Delivery, 'eventTypeName' | 'isTest'>;

/** The event type's name of a message, as a link. A test message is marked. */
export function MessageName({ href, of }: { href: string; of: Named }) {
  return (
    <Marked of={of}>
      <PortalLink href={href}>{of.eventTypeName ?? t('without a type')}</PortalLink>
    </Marked>
  );
}

/** The title of a message's page. A test message is marked. */
export function MessageTitle({ of }: { of: Named }) {
  return (
    <>
      {of.eventTypeName ?? t('Message without a type')}
      <TestMark of={of} />
    </>
  );
}
