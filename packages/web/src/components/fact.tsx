import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A name above its value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box miw={0}>
      <Text size="xs" c="dimmed" mb={2}>
        {name}
      </Text>
      <Text component="div" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Box>
  );
}
