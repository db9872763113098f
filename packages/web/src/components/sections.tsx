import { Accordion, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../language/language.ts';

export type Section = {
  name: string;
  /** True if something in the section is set. */
  isSet: boolean;
  content: ReactNode;
};

/** Parts of a page that can be opened. Those with something set come first, and are open at the start. */
export function Sections({ sections }: { sections: readonly Section[] }) {
  // Computed once, so that a section keeps its place when something in it is set.
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
            {/* A space between the words, for screen readers. */}{' '}
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

/** Mantine uses it in ids, which must not contain spaces. */
function sectionId({ name }: Section): string {
  return name.replaceAll(' ', '-');
}
