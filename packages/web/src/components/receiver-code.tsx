import { SegmentedControl, Stack, Text } from '@mantine/core';
import ruby from '../../../../docs/receivers/config.ru?raw';
import java from '../../../../docs/receivers/Receiver.java?raw';
import go from '../../../../docs/receivers/receiver.go?raw';
import php from '../../../../docs/receivers/receiver.php?raw';
import python from '../../../../docs/receivers/receiver.py?raw';
import typescript from '../../../../docs/receivers/verify.ts?raw';
import { CodeBlock } from './code-block.tsx';

/** The receivers of the documentation, which tests run. */
const PROGRAMS: Readonly<Record<string, string>> = {
  TypeScript: typescript,
  Python: python,
  Go: go,
  Java: java,
  Ruby: ruby,
  PHP: php,
};

/** Code that verifies the signature of a request, in the language that is chosen. */
export function ReceiverCode({ language, onChoose }: { language: string; onChoose: (language: string) => void }) {
  return (
    <Stack gap="sm">
      <div style={{ overflowX: 'auto' }}>
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={Object.keys(PROGRAMS)}
          value={language}
          onChange={onChoose}
        />
      </div>
      <Text size="sm" c="dimmed">
        Verify before anything else, over the bytes as they came. The secret stands in WEBHOOK_SECRET or is given.
      </Text>
      <CodeBlock text={PROGRAMS[language] ?? ''} what={`the ${language} code`} maxHeight={480} />
    </Stack>
  );
}
