import type { Delivery } from '../client/resources.ts';
import { TestMark } from '../components/test-mark.tsx';

type Named = Pick<Delivery, 'eventTypeName' | 'isTest'>;

/** The type's name of a delivery or event. Without a type, it is a test or a direct event. */
export function typeName({ eventTypeName, isTest }: Named): string {
  return eventTypeName ?? (isTest ? 'without a type' : 'direct');
}

/** The title of a delivery's or event's page. A test is marked. */
export function TypeTitle({ of, noun }: { of: Named; noun: 'delivery' | 'event' }) {
  return (
    <>
      {of.eventTypeName ?? (of.isTest ? 'Without a type' : `Direct ${noun}`)}
      <TestMark of={of} />
    </>
  );
}
