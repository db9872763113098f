import { Stack, Tabs, Text, Title } from '@mantine/core';
import { CodeBlock } from '../../../components/code-block.tsx';

/** The texts of docs/receivers, whose programs tests run, as they were at the build. */
const TEXTS = import.meta.glob<string>(
  '../../../../../../docs/receivers/{verify.ts,Receiver.java,config.ru,receiver.*}',
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);

const FILES = [
  ['TypeScript', 'verify.ts'],
  ['Python', 'receiver.py'],
  ['Go', 'receiver.go'],
  ['Java', 'Receiver.java'],
  ['Ruby', 'config.ru'],
  ['PHP', 'receiver.php'],
] as const;

const PROGRAMS = FILES.map(
  ([language, file]) => [language, TEXTS[`../../../../../../docs/receivers/${file}`] ?? ''] as const,
);

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
