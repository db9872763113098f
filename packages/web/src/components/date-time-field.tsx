import { TextInput } from '@mantine/core';
import type { DateInputProps } from '@mantine/dates';
import { lazy, Suspense } from 'react';

export type DateTimeFieldProps = Omit<DateInputProps, 'value' | 'onChange'> & {
  /** A minute without a zone, such as `2026-11-29T12:30`; empty for none. */
  value: string;
  onChange: (value: string) => void;
};

const Picker = lazy(() => import('./date-time-picker.tsx'));

/** A field for a date and a time, with a calendar. */
export function DateTimeField(props: DateTimeFieldProps) {
  const { label, description, error, size = 'sm', flex } = props;
  return (
    <Suspense fallback={<TextInput {...{ label, description, error, size, flex }} disabled value={props.value} />}>
      <Picker {...props} />
    </Suspense>
  );
}
