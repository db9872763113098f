import { Box, Button, Code, Group, Highlight, ScrollArea, Text } from '@mantine/core';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { rich, t } from '../language/language.ts';
import { CopyButton } from './copy-button.tsx';
import { shownText } from './shown-text.ts';

type Props = { text: string; what: string; maxHeight?: number; marked?: string };

/**
 * A text to copy, unchanged and in monospace. `what` names it for the copy button. Occurrences of `marked` are
 * highlighted.
 */
export function CodeBlock({ text, what, maxHeight = 360, marked = '' }: Props) {
  const [isWhole, setWhole] = useState(false);
  const shown = shownText(text, isWhole || marked.trim() !== '');
  return (
    <Box
      pos="relative"
      style={{ border: '1px solid var(--line)', borderRadius: 6, background: 'var(--surface-sunken)' }}
    >
      <Box pos="absolute" top={6} right={6} style={{ zIndex: 1 }}>
        <CopyButton value={text} what={what} />
      </Box>
      <ScrollArea.Autosize mah={maxHeight} type="auto" viewportProps={{ tabIndex: 0 }}>
        <Code block bg="transparent" px="sm" pr={32} style={wrapOf(text)}>
          {marked.trim() === '' ? shown.text : <Marked text={shown.text} marked={marked.trim()} />}
        </Code>
      </ScrollArea.Autosize>
      {shown.rest === 0 ? null : (
        <Group gap="sm" px="sm" py={4} style={{ borderTop: '1px solid var(--line)' }}>
          <Text size="xs" c="dimmed">
            {rich('{rest} more characters are not shown; copying takes all of them.', { rest: shown.rest })}
          </Text>
          <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
            {t('Show all')}
          </Button>
        </Group>
      )}
    </Box>
  );
}

/** A command scrolls instead: one that breaks inside a word is easily copied wrongly by hand. */
function wrapOf(text: string): CSSProperties {
  return text.startsWith('curl ') ? { whiteSpace: 'pre' } : { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' };
}

/** The text with its matches highlighted. Scrolls to the first match. */
function Marked({ text, marked }: { text: string; marked: string }) {
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // Recent browsers return a promise here, which an effect must not return: React would call it.
    void box.current?.querySelector('mark')?.scrollIntoView({ block: 'nearest' });
  }, [text, marked]);
  return (
    <Highlight ref={box} component="span" inherit highlight={marked}>
      {text}
    </Highlight>
  );
}
