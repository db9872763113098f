import { Stack, Tabs, Text, Title } from '@mantine/core';
import ruby from '../../../../../../docs/receivers/config.ru?raw';
import java from '../../../../../../docs/receivers/Receiver.java?raw';
import go from '../../../../../../docs/receivers/receiver.go?raw';
import php from '../../../../../../docs/receivers/receiver.php?raw';
import python from '../../../../../../docs/receivers/receiver.py?raw';
import typescript from '../../../../../../docs/receivers/verify.ts?raw';
import { CodeBlock } from '../../../components/code-block.tsx';

/** The programs of docs/receivers, which tests run. */
const PROGRAMS = [
  ['TypeScript', typescript],
  ['Python', python],
  ['Go', go],
  ['Java', java],
  ['Ruby', ruby],
  ['PHP', php],
] as const;

/** Code that verifies the signature, in six languages. */
export function Snippets() {
  return (
    <Stack gap="sm" component="section" aria-label="Verify the signature">
      <Title order={2}>Verify the signature</Title>
      <Text size="sm" c="dimmed">
        Verify before anything else, over the bytes as they came. These are the tested receivers of the documentation.
      </Text>
      <Tabs defaultValue="TypeScript" keepMounted={false}>
        <Tabs.List mb="sm">
          {PROGRAMS.map(([language]) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {PROGRAMS.map(([language, text]) => (
          <Tabs.Panel key={language} value={language}>
            <CodeBlock text={text} what={`the ${language} program`} maxHeight={480} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
