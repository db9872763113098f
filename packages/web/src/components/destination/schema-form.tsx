import { Button, NumberInput, PasswordInput, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { t } from '../../language/language.ts';
import { FormField } from '../form.tsx';
import type { SchemaDraft, SchemaField } from './schema-fields.ts';

type Props = {
  fields: readonly SchemaField[];
  draft: SchemaDraft;
  onChange: (part: SchemaDraft) => void;
  /** The part of the body that has the fields. */
  of: 'config.destination' | 'credentials';
  /** The names of the stored credentials. */
  stored?: readonly string[];
};

/** A control for each field, with its problem below it. */
export function SchemaForm({ fields, draft, onChange, of, stored = [] }: Props) {
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <Field
          key={field.name}
          path={`${of}.${field.name}`}
          field={field}
          value={draft[field.name] ?? ''}
          isRemoved={draft[field.name] === null}
          isStored={stored.includes(field.name)}
          onChange={(value) => onChange({ [field.name]: value })}
        />
      ))}
    </Stack>
  );
}

type ControlProps = {
  field: SchemaField;
  value: string | boolean;
  isStored: boolean;
  error?: string;
  onChange: (value: string | boolean | null) => void;
};

type FieldProps = ControlProps & { path: string; isRemoved: boolean };

function Field({ path, isRemoved, ...props }: FieldProps) {
  const { field, isStored, onChange } = props;
  return (
    <div>
      <FormField of={path}>
        <Control {...props} />
      </FormField>
      {isStored && !field.isRequired ? (
        <Button
          variant="subtle"
          color={isRemoved ? undefined : 'red'}
          size="compact-xs"
          onClick={() => onChange(isRemoved ? '' : null)}
        >
          {isRemoved ? t('Keep {field}', { field: field.label }) : t('Remove {field}', { field: field.label })}
        </Button>
      ) : null}
      {isRemoved ? (
        <Text size="xs" role="status">
          {t('It is removed when you save.')}
        </Text>
      ) : null}
    </div>
  );
}

const KEPT = t('Stored, and never shown. Leave it empty to keep it.');

function Control({ field, value, isStored, error, onChange }: ControlProps) {
  const { label, description, control, isSecret, placeholder, choices } = field;
  const text = String(value);
  const common = {
    ...{ label, placeholder, error, required: field.isRequired && !isStored },
    description: isStored ? KEPT : description || undefined,
  };
  const typed = {
    ...{ ...common, value: text, autoComplete: 'off', spellCheck: false },
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  switch (control) {
    case 'switch':
      return (
        <Switch
          {...{ label, description, error }}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'number':
      return <NumberInput {...common} value={text} allowDecimal={false} onChange={(next) => onChange(String(next))} />;
    case 'choice':
      return (
        <Select
          {...common}
          size="sm"
          clearable
          data={choices}
          value={text || null}
          onChange={(next) => onChange(next ?? '')}
        />
      );
    case 'long':
    case 'list':
      return <Textarea {...typed} autosize minRows={2} maxRows={8} styles={MONO} />;
    case 'text':
      return isSecret ? <PasswordInput {...typed} autoComplete="new-password" /> : <TextInput {...typed} />;
  }
}

const MONO = { input: { fontFamily: 'var(--mono)', fontSize: 12.5 } };
