import { Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { number, t } from '../language/language.ts';
import { CodeBlock } from './code-block.tsx';
import { countMatches } from './count-matches.ts';
import { prettyJson } from './pretty-json.ts';

/** Longer texts cannot be searched: marking every match would block the page. */
const MAX_SEARCHED = 300_000;
/** Each mark is an element of the page. A search for one letter could make hundreds of thousands. */
const MAX_MARKED = 5_000;

type Props = { body: string; what: string; isSearchable?: boolean };

/** A body as text: indented if it is JSON, and as it was sent. It is never rendered as HTML. */
export function JsonView({ body, what, isSearchable = false }: Props) {
  const pretty = useMemo(() => prettyJson(body), [body]);
  const [form, setForm] = useState('formatted');
  const [typed, setTyped] = useState('');
  const [searched] = useDebouncedValue(typed, 200);
  const text = form === 'sent' || pretty === undefined ? body : pretty;
  const matches = countMatches(text, searched);
  return (
    <Stack gap="xs">
      <Group gap="sm">
        {pretty === undefined ? null : (
          <SegmentedControl
            size="xs"
            aria-label={t('Form')}
            value={form}
            onChange={setForm}
            data={[
              { value: 'formatted', label: t('Formatted') },
              { value: 'sent', label: t('As sent') },
            ]}
          />
        )}
        {isSearchable && body.length <= MAX_SEARCHED ? (
          <Search typed={typed} onType={setTyped} matches={matches} />
        ) : null}
      </Group>
      <CodeBlock text={text} what={what} marked={matches > MAX_MARKED ? '' : searched} />
    </Stack>
  );
}

function Search(props: { typed: string; onType: (text: string) => void; matches: number }) {
  const { typed, onType, matches } = props;
  return (
    <>
      <TextInput
        size="xs"
        w={140}
        aria-label={t('Search in the payload')}
        placeholder={t('Search')}
        value={typed}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
      />
      {typed === '' ? null : (
        <Text size="xs" c="dimmed" role="status">
          {matches === 0 ? t('none') : number(matches)}
          {matches > MAX_MARKED ? t(', too many to mark') : ''}
        </Text>
      )}
    </>
  );
}
