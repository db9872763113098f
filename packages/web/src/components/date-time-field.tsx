import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { DateTimeFieldProps } from './date-time-picker.tsx';

const Picker = lazy(async () => ({ default: (await import('./date-time-picker.tsx')).DateTimePicker }));

/** A field for a date and a time, with a calendar. */
export function DateTimeField(props: DateTimeFieldProps) {
  const { label, description, error, size = 'sm', flex } = props;
  return (
    <Suspense fallback={<TextInput {...{ label, description, error, size, flex }} disabled value={props.value} />}>
      <Picker {...props} />
    </Suspense>
  );
}
