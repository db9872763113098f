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
  const [first] = useState(() => sections.filter(({ isSet }) => isSet).map(sectionId));
  const ordered = [...sections].sort((one, other) => rank(one) - rank(other));
  function rank(section: Section): number {
    return first.includes(sectionId(section)) ? 0 : 1;
  }
  return (
    <Accordion multiple order={2} chevronPosition="left" defaultValue={first}>
      {ordered.map((section) => (
        <Accordion.Item key={section.name} value={sectionId(section)}>
          <Accordion.Control>
            <Text span inherit fw={600}>
              {section.name}
            </Text>
            {/* A space between the words, for those who hear them. */}{' '}
            {section.isSet ? null : (
              <Text span size="xs" c="dimmed" ml="sm">
                {t('not set')}
              </Text>
            )}
          </Accordion.Control>
          <Accordion.Panel>{section.content}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** Mantine makes ids of it, and an id with a space names no element. */
function sectionId({ name }: Section): string {
  return name.replaceAll(' ', '-');
}
