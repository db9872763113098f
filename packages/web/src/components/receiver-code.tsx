import { SegmentedControl, Stack, Text } from '@mantine/core';
import { CodeBlock } from './code-block.tsx';

/** The texts of docs/receivers, whose programs tests run, as they were at the build. */
const TEXTS = import.meta.glob<string>('../../../../docs/receivers/{verify.ts,Receiver.java,config.ru,receiver.*}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const FILES: Readonly<Record<string, string>> = {
  TypeScript: 'verify.ts',
  Python: 'receiver.py',
  Go: 'receiver.go',
  Java: 'Receiver.java',
  Ruby: 'config.ru',
  PHP: 'receiver.php',
};

/** Code that verifies the signature of a request, in the language that is chosen. */
export function ReceiverCode({ language, onChoose }: { language: string; onChoose: (language: string) => void }) {
  return (
    <Stack gap="sm">
      <div style={{ overflowX: 'auto' }}>
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={Object.keys(FILES)}
          value={language}
          onChange={onChoose}
        />
      </div>
      <Text size="sm" c="dimmed">
        Verify before anything else, over the bytes as they came. The secret stands in WEBHOOK_SECRET or is given.
      </Text>
      <CodeBlock
        text={TEXTS[`../../../../docs/receivers/${FILES[language]}`] ?? ''}
        what={`the ${language} code`}
        maxHeight={480}
      />
    </Stack>
  );
}
