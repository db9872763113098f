import { Group, Text, Tooltip } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

/** An id, a URL or another text to copy, in monospace; `short` shows an id's prefix and end, the whole on hover. */
export function Id({ value, short = false }: { value: string; short?: boolean }) {
  const shown = short ? `${value.slice(0, value.indexOf('_') + 1)}…${value.slice(-6)}` : value;
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex" maw="100%">
      <Tooltip label={value} disabled={!short}>
        <Text component="span" className="mono" truncate="end">
          {shown}
        </Text>
      </Tooltip>
      <CopyButton value={value} what={value.slice(0, 60)} />
    </Group>
  );
}
