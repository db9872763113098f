import { Button, NumberInput, PasswordInput, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { t } from '../../language/language.ts';
import { FormField } from '../form.tsx';
import type { SchemaField } from './schema-fields.ts';

type Props = {
  fields: readonly SchemaField[];
  /** The part of the request body to which the fields belong. */
  of: 'config.destination' | 'config' | 'credentials';
  /** The names of the stored credentials. */
  stored?: readonly string[];
  /** The names of the credentials that the next save removes, and the callback that changes them. */
  removed?: readonly string[];
  onRemove?: (name: string, isRemoved: boolean) => void;
};

/** A control for each field, with its problem below it. The form around it provides the values. */
export function SchemaForm({ fields, of, stored = [], removed = [], onRemove }: Props) {
  return (
    <Stack gap="sm">
      {fields.map((field) => {
        const { name, label, isRequired, control } = field;
        const isRemoved = removed.includes(name);
        return (
          <div key={name}>
            <FormField of={`${of}.${name}`} type={control === 'switch' ? 'checkbox' : 'input'}>
              <Control field={field} isStored={stored.includes(name)} {...(isRemoved && { value: '' })} />
            </FormField>
            {stored.includes(name) && !isRequired ? (
              <Button
                variant="subtle"
                color={isRemoved ? undefined : 'red'}
                size="compact-xs"
                onClick={() => onRemove?.(name, !isRemoved)}
              >
                {isRemoved ? t('Keep {field}', { field: label }) : t('Remove {field}', { field: label })}
              </Button>
            ) : null}
            {isRemoved ? (
              <Text size="xs" role="status">
                {t('It is removed when you save.')}
              </Text>
            ) : null}
          </div>
        );
      })}
    </Stack>
  );
}

const KEPT = t('Stored, and never shown. Leave it empty to keep it.');

type ControlProps = { field: SchemaField; isStored: boolean; error?: string; value?: string };

function Control({ field, isStored, ...given }: ControlProps) {
  const { label, description, control, isSecret, placeholder, choices } = field;
  const common = {
    ...{ label, placeholder, required: field.isRequired && !isStored },
    description: isStored ? KEPT : description || undefined,
    ...given,
  };
  const typed = { ...common, autoComplete: 'off', spellCheck: false };
  switch (control) {
    case 'switch':
      return <Switch {...given} label={label} description={description} />;
    case 'number':
      return <NumberInput {...common} allowDecimal={false} />;
    case 'choice':
      return <Select {...common} size="sm" clearable data={choices} />;
    case 'long':
    case 'list':
      return <Textarea {...typed} autosize minRows={2} maxRows={8} styles={MONO} />;
    case 'text':
      return isSecret ? <PasswordInput {...typed} autoComplete="new-password" /> : <TextInput {...typed} />;
  }
}

const MONO = { input: { fontFamily: 'var(--mono)', fontSize: 12.5 } };
