import { TextInput } from '@mantine/core';
import { FormField } from '../../components/form.tsx';
import { counted, t } from '../../language/language.ts';

export type AddressDraft = { url: string; description: string };

type Props = {
  draft: AddressDraft;
  onChange: (part: Partial<AddressDraft>) => void;
  /** The endpoint's own time limit. */
  timeoutSeconds?: number | undefined;
  /** Whether the customer gives the address. */
  hasUrl?: boolean;
};

/** What a new endpoint and a changed one have in common. */
export function AddressFields({ draft, onChange, timeoutSeconds, hasUrl = true }: Props) {
  return (
    <>
      {hasUrl ? (
        <FormField of="url">
          <TextInput
            label={t('Address')}
            description={answerWords(timeoutSeconds)}
            placeholder="https://example.com/webhooks"
            required
            data-autofocus
            value={draft.url}
            onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
          />
        </FormField>
      ) : null}
      <FormField of="description">
        <TextInput
          label={t('Description')}
          value={draft.description}
          onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        />
      </FormField>
    </>
  );
}

/** The operator chooses the time limit of an endpoint without its own one. */
function answerWords(seconds: number | undefined): string {
  if (seconds === undefined) return t('An https address that answers quickly.');
  return counted(
    seconds,
    'An https address that answers within a second.',
    'An https address that answers within {count} seconds.',
  );
}
