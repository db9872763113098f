import { Textarea, TextInput } from '@mantine/core';
import { FormField } from '../../../components/form.tsx';
import type { CustomerDraft } from './customer-draft.ts';

type Props = { draft: CustomerDraft; onChange: (part: Partial<CustomerDraft>) => void };

/** The fields of a customer, each with what the service says against it. */
export function CustomerFields({ draft, onChange }: Props) {
  return (
    <>
      <FormField of="name">
        <TextInput
          label="Name"
          required
          data-autofocus
          value={draft.name}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
      </FormField>
      <FormField of="externalId">
        <TextInput
          label="External id"
          description="Your own id of the customer. It can be used instead of Posthorn’s id."
          value={draft.externalId}
          onChange={({ currentTarget }) => onChange({ externalId: currentTarget.value.trim() })}
        />
      </FormField>
      <FormField of="metadata">
        <Textarea
          label="Metadata"
          description="One entry in each line, such as plan: enterprise. It is shown on the customer’s page."
          autosize
          minRows={2}
          value={draft.metadata}
          onChange={({ currentTarget }) => onChange({ metadata: currentTarget.value })}
        />
      </FormField>
    </>
  );
}
