import { Center, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { title: string; lead?: string; width?: number; children: ReactNode };

/** A page with one question, such as a login: a centred card. `lead` stands under the title; `width` is in pixels. */
export function CardPage({ title, lead, width = 380, children }: Props) {
  return (
    <Center mih="100dvh" p="md" bg="var(--surface)">
      <Paper withBorder p="xl" w="100%" maw={width} bg="var(--surface-raised)">
        <Title order={1} mb={lead === undefined ? 'lg' : undefined}>
          {title}
        </Title>
        {lead === undefined ? null : (
          <Text size="sm" c="dimmed" mb="lg">
            {lead}
          </Text>
        )}
        {children}
      </Paper>
    </Center>
  );
}
