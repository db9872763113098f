import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** The head of a page: its title, one line that says where one is or what is wrong, and its actions. */
export function PageHeader(props: { title: ReactNode; line?: ReactNode; actions?: ReactNode }) {
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
