import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Choices } from './choices.ts';
import { DateTimeField } from './date-time-field.tsx';
import { SearchSelect } from './search-select.tsx';

export type FilterField = { name: string; label: string } & (
  | { kind: 'text' }
  | { kind: 'time' }
  | { kind: 'select'; options: readonly FilterOption[] }
  | { kind: 'search'; choices: Choices }
);

export type FilterOption = { value: string; label: string };

export type FilterBarProps = {
  fields: readonly FilterField[];
  /** The filters in the URL. */
  values: Readonly<Record<string, string | undefined>>;
  /** Writes the changed filter to the URL; undefined removes it. */
  onChange: (name: string, value: string | undefined) => void;
  onClear: () => void;
  /** Content before the fields, such as chips. */
  children?: ReactNode;
  /** Content at the end, such as a count. */
  summary?: ReactNode;
};

/** The filters of a list. They are in the URL, so that links, reloads and the back button keep them. */
export function FilterBar({ fields, values, onChange, onClear, children, summary }: FilterBarProps) {
  const isFiltered = Object.values(values).some((value) => value !== undefined);
  return (
    <Group gap="sm" mb="sm" align="center">
      {children}
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name]}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
      {isFiltered ? (
        <Button variant="subtle" color="gray" onClick={onClear}>
          Clear
        </Button>
      ) : null}
      <Text size="xs" c="dimmed" ml="auto">
        {summary}
      </Text>
    </Group>
  );
}

type FieldProps = { field: FilterField; value: string | undefined; onChange: (value: string | undefined) => void };

function Field({ field, value, onChange }: FieldProps) {
  if (field.kind === 'text') {
    return (
      <TextFilter
        label={field.label}
        value={value ?? ''}
        onChange={(text) => onChange(text === '' ? undefined : text)}
      />
    );
  }
  if (field.kind === 'time') {
    return (
      <DateTimeField
        aria-label={field.label}
        placeholder="Around a time (UTC)"
        title={field.label}
        size="xs"
        flex="0 1 220px"
        // The address includes the time zone, but the input does not.
        value={value?.replace('Z', '') ?? ''}
        onChange={(chosen) => onChange(chosen === '' ? undefined : `${chosen}Z`)}
      />
    );
  }
  const select = {
    'aria-label': field.label,
    placeholder: field.label,
    clearable: true,
    flex: '1 1 128px',
    maw: 200,
    value: value ?? null,
    onChange: (chosen: string | null) => onChange(chosen ?? undefined),
  };
  if (field.kind === 'search') return <SearchSelect {...select} {...WIDE_OPTIONS} choices={field.choices} />;
  return <Select {...select} searchable={field.options.length > 8} data={field.options} />;
}

/** A wide dropdown: URLs often differ only at their ends, which the width of the field would cut off. */
const WIDE_OPTIONS = {
  comboboxProps: { width: 340, position: 'bottom-start' },
  styles: { option: { overflowWrap: 'anywhere' } },
} as const;

/** A text filter. It writes to the URL when typing pauses, without surrounding spaces. */
function TextFilter({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const written = useRef(value);
  const write = useDebouncedCallback((text: string) => {
    written.current = text;
    onChange(text);
  }, 250);
  // A value that this field wrote arrives later, and must not overwrite newer typing.
  useEffect(() => {
    if (value === written.current) return;
    written.current = value;
    setTyped(value);
  }, [value]);
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      size="xs"
      flex="1 1 140px"
      maw={240}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        write(currentTarget.value.trim());
      }}
    />
  );
}
