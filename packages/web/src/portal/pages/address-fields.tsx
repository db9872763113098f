import { TextInput } from '@mantine/core';

export type AddressDraft = { url: string; description: string };

type Props = {
  draft: AddressDraft;
  onChange: (part: Partial<AddressDraft>) => void;
  /** The endpoint's own time limit. */
  timeoutSeconds?: number | undefined;
};

/** What a new endpoint and a changed one have in common. */
export function AddressFields({ draft, onChange, timeoutSeconds }: Props) {
  return (
    <>
      <TextInput
        label="Address"
        description={`An https address that answers ${inTime(timeoutSeconds)}.`}
        placeholder="https://example.com/webhooks"
        required
        data-autofocus
        value={draft.url}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
      />
      <TextInput
        label="Description"
        value={draft.description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
      />
    </>
  );
}

/** The operator chooses the time limit of an endpoint without its own one. */
function inTime(seconds: number | undefined): string {
  if (seconds === undefined) return 'quickly';
  return seconds === 1 ? 'within a second' : `within ${seconds} seconds`;
}
