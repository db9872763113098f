import { Box, Code, ScrollArea } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

/** A text to copy, as it is, in monospace. `what` names it for the copy button. */
export function CodeBlock({ text, what, maxHeight = 360 }: { text: string; what: string; maxHeight?: number }) {
  return (
    <Box
      pos="relative"
      style={{ border: '1px solid var(--line)', borderRadius: 6, background: 'var(--surface-sunken)' }}
    >
      <Box pos="absolute" top={6} right={6} style={{ zIndex: 1 }}>
        <CopyButton value={text} what={what} />
      </Box>
      <ScrollArea.Autosize mah={maxHeight} type="auto">
        <Code block bg="transparent" px="sm" pr={32} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Code>
      </ScrollArea.Autosize>
    </Box>
  );
}
