import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** The title of the page's file, which is the product's. */
const SITE = document.title;

type Props = {
  title: ReactNode;
  /** The name in the tab of the browser. Needed when `title` is not a text. */
  name?: string;
  line?: ReactNode;
  actions?: ReactNode;
};

/** Names a page in the tab of the browser. */
export function usePageTitle(name: string | undefined): void {
  useDocumentTitle(name === undefined ? SITE : `${name} · ${SITE}`);
}

/** The head of a page: its title, one line that says where one is or what is wrong, and its actions. */
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
