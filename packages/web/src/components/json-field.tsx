import { Textarea } from '@mantine/core';
import { t } from '../language/language.ts';
import { prettyJson } from './pretty-json.ts';

type Props = {
  label: string;
  text: string;
  onChange: (text: string) => void;
  description?: string;
  /** The problem of a text that is valid JSON. */
  error?: string | undefined;
  maxRows?: number;
};

/** A field for JSON, in monospace. It shows an error when the text is not JSON. */
export function JsonField({ label, text, onChange, description, error, maxRows = 14 }: Props) {
  return (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={3}
      maxRows={maxRows}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mono)', fontSize: 12.5 } }}
      error={prettyJson(text) === undefined ? t('This is not JSON.') : error}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
