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

/** The head of a page: its title, one line that says where one is or what is wrong, and its actions. */
export function PageHeader(props: Props) {
  const name = typeof props.title === 'string' ? props.title : props.name;
  useDocumentTitle(name === undefined ? SITE : `${name} · ${SITE}`);
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
