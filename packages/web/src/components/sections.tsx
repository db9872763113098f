import { Accordion, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../language/language.ts';

export type Section = {
  name: string;
  /** Whether something is set in it. */
  isSet: boolean;
  content: ReactNode;
};

/** Parts of a page that open. Those in which something is set come first, and are open at the beginning. */
export function Sections({ sections }: { sections: readonly Section[] }) {
  // A section stays in its place when something is set in it.
  const [first] = useState(() => sections.filter(({ isSet }) => isSet).map(({ name }) => name));
  const ordered = [...sections].sort((one, other) => rank(one) - rank(other));
  function rank({ name }: Section): number {
    return first.includes(name) ? 0 : 1;
  }
  return (
    <Accordion multiple order={2} chevronPosition="left" defaultValue={first}>
      {ordered.map(({ name, isSet, content }) => (
        <Accordion.Item key={name} value={name}>
          <Accordion.Control>
            <Text span inherit fw={600}>
              {name}
            </Text>
            {isSet ? null : (
              <Text span size="xs" c="dimmed" ml="sm">
                {t('not set')}
              </Text>
            )}
          </Accordion.Control>
          <Accordion.Panel>{content}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
