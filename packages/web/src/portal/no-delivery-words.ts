import type { Event, EventStatus } from '../client/resources.ts';
import { t } from '../language/language.ts';

/** The text in place of the counts, for a message without deliveries. */
export function noDeliveryWords(status: EventStatus): string {
  switch (status) {
    case 'scheduled':
    case 'matching':
      return t('not yet');
    case 'matched':
    case 'unmatched':
      return t('none');
    case 'cancelled':
      return t('Cancelled').toLowerCase();
  }
}

/** Why none of the customer's endpoints has a delivery of the message. */
export function whyNoDelivery({ status, published }: Pick<Event, 'status' | 'published'>) {
  switch (status) {
    case 'scheduled':
      return { title: t('It is not sent yet'), description: t('It will be sent at its time.') };
    case 'matching':
      return { title: t('It is not sent yet'), description: t('It is being matched with your endpoints.') };
    case 'cancelled':
      return { title: NONE, description: t('It was cancelled before it was sent.') };
    // An endpoint that is not in the list got it: one of the sender's own, or one that the customer has since deleted.
    case 'matched':
      return { title: NONE, description: MATCHED };
    case 'unmatched':
      return { title: NONE, description: published ? UNMATCHED : UNPUBLISHED };
  }
}

const NONE = t('None of your endpoints gets it');
const UNPUBLISHED = t('Its type was not in the event catalogue when it was accepted.');
const MATCHED = t('None of your present endpoints has it. An endpoint that has been deleted may have got it.');
const UNMATCHED = t(
  'No endpoint of yours matched when it was sent. An endpoint matches when it is active and subscribes to the type, and when the message passes its filter, if it has one.',
);
