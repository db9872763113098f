import { TextInput } from '@mantine/core';

export type AddressDraft = { url: string; description: string };

type Props = { draft: AddressDraft; onChange: (part: Partial<AddressDraft>) => void };

/** What a new endpoint and a changed one have in common. */
export function AddressFields({ draft, onChange }: Props) {
  return (
    <>
      <TextInput
        label="Address"
        description="An https address that answers within 15 seconds."
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
