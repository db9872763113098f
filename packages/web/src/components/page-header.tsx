import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** The title in the page's HTML file, which is the product's name. */
const SITE = document.title;

type Props = {
  title: ReactNode;
  /** The title of the browser's tab. Needed when `title` is not a text. */
  name?: string;
  line?: ReactNode;
  actions?: ReactNode;
};

/** Sets the title of the browser's tab. */
export function usePageTitle(name: string | undefined): void {
  useDocumentTitle(name === undefined ? SITE : `${name} · ${SITE}`);
}

/** The head of a page: its title, one line on where you are or what is wrong, and its actions. */
export function PageHeader(props: Props) {
  usePageTitle(typeof props.title === 'string' ? props.title : props.name);
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="md">
      <Stack gap={2} miw={0} flex="1 1 280px">
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {props.title}
        </Title>
        {props.line === undefined ? null : (
          <Text component="div" size="sm" c="dimmed">
            {props.line}
          </Text>
        )}
      </Stack>
      <Box>
        <Group gap="sm">{props.actions}</Group>
      </Box>
    </Group>
  );
}
