import '@mantine/dates/styles.css';
import 'dayjs/locale/de';
import 'dayjs/locale/fr';
import { DateInput, type DateInputProps } from '@mantine/dates';
import { language } from '../language/language.ts';

export type DateTimeFieldProps = Omit<DateInputProps, 'value' | 'onChange'> & {
  /** A minute without a time zone, such as `2026-11-29T12:30`; empty for none. */
  value: string;
  onChange: (value: string) => void;
};

const MINUTE = 'YYYY-MM-DD HH:mm';

/** A `DateTimeField` that is loaded when it is first shown: with its calendar it is larger than the pages around it. */
export function DateTimePicker({ value, onChange, ...rest }: DateTimeFieldProps) {
  return (
    <DateInput
      withTime
      size="sm"
      clearable
      locale={language()}
      valueFormat={MINUTE}
      value={value === '' ? null : `${value.replace('T', ' ')}:00`}
      // A day that is chosen in the calendar starts at midnight.
      onChange={(chosen) =>
        onChange(chosen === null ? '' : `${chosen} 00:00`.slice(0, MINUTE.length).replace(' ', 'T'))
      }
      {...rest}
    />
  );
}
