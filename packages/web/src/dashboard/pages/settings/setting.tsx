import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of the settings: its name, its purpose, and the form. */
export function Setting(props: { title: string; sentence: string; action?: ReactNode; children: ReactNode }) {
  return (
    <Paper component="section" withBorder p="md" bg="var(--surface-raised)" aria-label={props.title}>
      <Group justify="space-between" mb="sm">
        <Stack gap={2}>
          <Title order={2} fz="md" fw={500}>
            {props.title}
          </Title>
          <Text size="sm" c="dimmed">
            {props.sentence}
          </Text>
        </Stack>
        {props.action}
      </Group>
      {props.children}
    </Paper>
  );
}
