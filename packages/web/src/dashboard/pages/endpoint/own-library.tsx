import { Text } from '@mantine/core';
import { CodeBlock } from '../../../components/code-block.tsx';

/** Set by vite.config.mjs from deploy/release/public-names.mjs. */
declare const INSTALL_OF_LIBRARIES: Readonly<Record<string, { intro?: string; lines: string[] }>>;

/** The receivers in docs/receivers that use Posthorn's libraries, at the time of the build. Tests run them. */
const TEXTS = import.meta.glob<string>('../../../../../../docs/receivers/{library.*,SpringReceiver.java}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const FILES: Readonly<Record<string, string>> = {
  TypeScript: 'library.ts',
  Python: 'library.py',
  Go: 'library.go',
  Java: 'SpringReceiver.java',
};

/** A receiver with Posthorn's own library; empty for a language without one. */
export function OwnLibrary({ language }: { language: string }) {
  const text = TEXTS[`../../../../../../docs/receivers/${FILES[language]}`];
  const install = INSTALL_OF_LIBRARIES[language];
  if (text === undefined || install === undefined) {
    return <Text size="sm">Posthorn has no library for {language}. Take one of the other ways.</Text>;
  }
  return (
    <>
      <Text size="sm">It verifies every kind of signature and of body. {install.intro?.replaceAll('`', '') ?? ''}</Text>
      <CodeBlock text={install.lines.join('\n')} what="how to install the library" />
      <CodeBlock text={text} what={`the ${language} code`} maxHeight={480} />
    </>
  );
}
