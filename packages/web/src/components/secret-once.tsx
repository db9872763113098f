import { Alert, Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../language/language.ts';
import { CodeBlock } from './code-block.tsx';
import { useHeldSheet } from './hold-sheet.ts';

type Props = {
  secret: string;
  what: string;
  sentence: string;
  onDone: () => void;
  /** Instructions on what to do with the credential. */
  children?: ReactNode;
};

/** Shows a credential once, with a copy button. Only its own button closes it. */
export function SecretOnce(props: Props) {
  useHeldSheet('secret');
  // The form that had the focus is gone. The box gets it and not the button: a key pressed twice would close the
  // secret.
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, []);
  return (
    <Stack gap="md" ref={box} tabIndex={-1}>
      <Alert color="yellow" title={t('Copy {what} now', { what: props.what })}>
        <Text size="sm">{t('It is not shown again. {sentence}', { sentence: props.sentence })}</Text>
      </Alert>
      <CodeBlock text={props.secret} what={props.what} />
      {props.children}
      <Button size="sm" onClick={props.onDone}>
        {t('I have copied it')}
      </Button>
    </Stack>
  );
}
