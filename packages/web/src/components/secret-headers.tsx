import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../language/language.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { ERROR_ABOVE } from './error-above.ts';
import { Form, FormField, FormRefusal } from './form.tsx';

type Props = {
  names: readonly string[];
  mayChange: boolean;
  /** Sets the headers; null removes one. Headers that are not named stay. */
  change: (secretHeaders: Record<string, string | null>) => Promise<unknown>;
};

/** Headers with secret values, by name. A value can be set, replaced and removed, and is never shown again. */
export function SecretHeaders({ names, mayChange, change }: Props) {
  const form = useForm({ initialValues: { secretHeaders: '', value: '' } });
  const update = useMutation({ mutationFn: change });
  const [removing, setRemoving] = useState<string | null>(null);
  const close = () => setRemoving(null);
  const { secretHeaders, value } = form.values;
  const name = secretHeaders.trim();
  // Another header may have been typed since.
  const resetIfSame = () => form.getValues().value === value && form.reset();
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {names.length === 0
          ? t('None. A secret header is sent with every request. Its value is stored encrypted and never shown again.')
          : t('A secret header is sent with every request. Its value is stored encrypted and never shown again.')}
      </Text>
      {names.map((one) => (
        <Group key={one} gap="sm">
          <span className="mono">{one}</span>
          <Text size="sm" c="dimmed">
            {t('value set')}
          </Text>
          {mayChange ? (
            <Button
              variant="subtle"
              color="red"
              aria-label={t('Remove {name}', { name: one })}
              disabled={update.isPending}
              onClick={() => setRemoving(one)}
            >
              {t('Remove')}
            </Button>
          ) : null}
        </Group>
      ))}
      {mayChange ? (
        <Form
          draft={form}
          error={update.error}
          onSubmit={() => update.mutate({ [name]: value }, { onSuccess: resetIfSame })}
        >
          <Stack gap="sm">
            <Group gap="sm" align="flex-end">
              <FormField of="secretHeaders">
                <TextInput label={t('Name')} placeholder="X-Api-Key" required inputWrapperOrder={ERROR_ABOVE} />
              </FormField>
              <FormField of="value">
                <PasswordInput label={t('Value')} required w={240} autoComplete="off" />
              </FormField>
              <Button type="submit" variant="default" size="sm" loading={update.isPending}>
                {names.some((one) => one.toLowerCase() === name.toLowerCase()) ? t('Replace value') : t('Set header')}
              </Button>
            </Group>
            <FormRefusal title={t('Nothing was changed')} />
          </Stack>
        </Form>
      ) : null}
      <ConfirmDialog
        opened={removing !== null}
        onClose={close}
        title={t('Remove {name}?', { name: removing ?? '' })}
        action={t('Remove')}
        onConfirm={() => removing !== null && update.mutate({ [removing]: null }, { onSettled: close })}
        pending={update.isPending}
        error={null}
      >
        {t('Its value is deleted, and cannot be shown or brought back. Requests from now on are sent without it.')}
      </ConfirmDialog>
    </Stack>
  );
}
