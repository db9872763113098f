import { TextInput } from '@mantine/core';

export type AddressDraft = { url: string; description: string };

type Props = {
  draft: AddressDraft;
  onChange: (part: Partial<AddressDraft>) => void;
  /** The endpoint's own time limit. */
  timeoutSeconds?: number | undefined;
};

/** The time limit of an endpoint without its own one. */
const TIMEOUT_SECONDS = 15;

/** What a new endpoint and a changed one have in common. */
export function AddressFields({ draft, onChange, timeoutSeconds: seconds = TIMEOUT_SECONDS }: Props) {
  return (
    <>
      <TextInput
        label="Address"
        description={`An https address that answers within ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`}
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
