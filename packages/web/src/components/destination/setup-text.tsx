import { Code, Stack, Text } from '@mantine/core';
import { t } from '../../language/language.ts';
import { CodeBlock } from '../code-block.tsx';
import { type SetupPart, setupBlocksOf } from './setup-blocks.ts';

/** Instructions on what to create at the provider, with the policy to copy. */
export function SetupText({ setup }: { setup: string }) {
  return (
    <Stack gap="sm" component="section" aria-label={t('What to set up')}>
      {setupBlocksOf(setup).map((block) =>
        block.kind === 'code' ? (
          <CodeBlock key={block.text} text={block.text} what={t('the code')} maxHeight={220} />
        ) : (
          <Text key={block.parts.map(({ text }) => text).join('')} size="sm" style={{ whiteSpace: 'pre-line' }}>
            {block.parts.map((part, index) => (
              <Part key={index} {...part} />
            ))}
          </Text>
        ),
      )}
    </Stack>
  );
}

function Part({ style, text }: SetupPart) {
  if (style === 'code') return <Code>{text}</Code>;
  return style === 'bold' ? <strong>{text}</strong> : text;
}
