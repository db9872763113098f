import type { Delivery } from '../client/resources.ts';
import { TestMark } from '../components/test-mark.tsx';

type Named = Pick<Delivery, 'eventTypeName' | 'isTest'>;

/** The name of a delivery's or an event's type. Without a type it is a test, or was ingested directly. */
export function typeName({ eventTypeName, isTest }: Named): string {
  return eventTypeName ?? (isTest ? 'without a type' : 'direct');
}

/** The title of the page of a delivery or an event; a test is marked. */
export function TypeTitle({ of, noun }: { of: Named; noun: 'delivery' | 'event' }) {
  return (
    <>
      {of.eventTypeName ?? (of.isTest ? 'Without a type' : `Direct ${noun}`)}
      <TestMark of={of} />
    </>
  );
}
