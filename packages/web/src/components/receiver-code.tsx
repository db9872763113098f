import { Group, SegmentedControl, Stack, Text, useMatches } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../language/language.ts';
import { CodeBlock } from './code-block.tsx';
import { LIBRARIES } from './library-code.ts';
import { useShowCurrent } from './use-show-current.ts';

/** The texts of docs/receivers at the time of the build. Tests run these programs. */
const TEXTS = import.meta.glob<string>(
  '../../../../docs/receivers/{verify.ts,Receiver.java,config.ru,receiver.*,kit.rs,Kit.cs,kit.exs}',
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);

const FILES: Readonly<Record<string, string>> = {
  TypeScript: 'verify.ts',
  Python: 'receiver.py',
  Go: 'receiver.go',
  Java: 'Receiver.java',
  Ruby: 'config.ru',
  PHP: 'receiver.php',
  Rust: 'kit.rs',
  'C#': 'Kit.cs',
  Elixir: 'kit.exs',
};

const WAYS = [
  { value: 'library', label: t('With a Standard Webhooks library') },
  { value: 'own', label: t('Without a library') },
];

type Props = {
  language: string;
  onChoose: (language: string) => void;
  /** A tab before the others, where the reader has one. */
  first?: { label: string; content: ReactNode };
};

/** Code that verifies a request's signature, in the chosen language. */
export function ReceiverCode({ language, onChoose, first }: Props) {
  const languages = useShowCurrent<HTMLDivElement>(language);
  const [way, setWay] = useState(first === undefined ? 'library' : 'first');
  // Standard Webhooks has no library for some languages. Their programs use one of Posthorn's kits.
  const others = LIBRARIES[language] === undefined ? [{ value: 'own', label: t('With a kit') }] : WAYS;
  const ways = first === undefined ? others : [{ value: 'first', label: first.label }, ...others];
  const chosen = ways.some(({ value }) => value === way) ? way : 'own';
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <div {...languages} style={{ maxWidth: '100%' }}>
          <SegmentedControl
            size="xs"
            aria-label={t('Language')}
            data={Object.keys(FILES)}
            value={language}
            onChange={onChoose}
          />
        </div>
        <SegmentedControl
          size="xs"
          aria-label={t('Way')}
          // Side by side, the labels would be wider than a phone.
          orientation={useMatches({ base: 'vertical', xs: 'horizontal' } as const)}
          data={ways}
          value={chosen}
          onChange={setWay}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {t(
          'Verify before anything else, over the bytes as they came. The secret is in WEBHOOK_SECRET, or you pass it.',
        )}
      </Text>
      {chosen === 'first' ? first?.content : null}
      {chosen === 'library' ? <Library language={language} /> : null}
      {chosen === 'own' ? <Own language={language} /> : null}
    </Stack>
  );
}

function Library({ language }: { language: string }) {
  const library = LIBRARIES[language];
  if (library === undefined) return null;
  return (
    <>
      <CodeBlock text={library.install} what={t('the command that installs the library')} />
      <CodeBlock text={library.code} what={t('the {language} code', { language })} maxHeight={480} />
      <Text size="xs" c="dimmed">
        {t('The libraries verify JSON. For bodies of any other kind take the code without a library.')}
      </Text>
    </>
  );
}

function Own({ language }: { language: string }) {
  const text = TEXTS[`../../../../docs/receivers/${FILES[language]}`] ?? '';
  return (
    <>
      <CodeBlock text={text} what={t('the {language} code', { language })} maxHeight={480} />
      {LIBRARIES[language] === undefined ? (
        <Text size="xs" c="dimmed">
          {t('The kit is one file. Copy it from {folder} in the source code.', { folder: 'sdks/receivers' })}
        </Text>
      ) : null}
    </>
  );
}
