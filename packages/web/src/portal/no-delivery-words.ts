import type { Event, EventStatus } from '../client/resources.ts';

/** In the place of the counts of a message without deliveries. */
export const NO_DELIVERY_WORDS: Readonly<Record<EventStatus, string>> = {
  scheduled: 'not yet',
  matching: 'not yet',
  matched: 'none',
  unmatched: 'none',
  cancelled: 'cancelled',
};

/** Why a message has no delivery to an endpoint of the customer. */
export function whyNoDelivery({ status, published }: Pick<Event, 'status' | 'published'>) {
  switch (status) {
    case 'scheduled':
      return { title: 'It is not sent yet', description: 'It will be sent at its time.' };
    case 'matching':
      return { title: 'It is not sent yet', description: 'It is being matched with your endpoints.' };
    case 'cancelled':
      return { title: NONE, description: 'It was cancelled before it was sent.' };
    // Another one got it: an endpoint of the sender's own, or one that the customer has deleted since.
    case 'matched':
      return { title: NONE, description: MATCHED };
    case 'unmatched':
      return { title: NONE, description: published ? UNMATCHED : UNPUBLISHED };
  }
}

const NONE = 'None of your endpoints gets it';
const UNPUBLISHED = 'Its type was not in the event catalogue when it was accepted.';
const MATCHED = 'None of your present endpoints has it. An endpoint that has been deleted may have got it.';
const UNMATCHED =
  'No endpoint of yours matched when it was sent. An endpoint matches when it is active and subscribes to the type, and when the message passes its filter, if it has one.';
