import { Textarea, TextInput } from '@mantine/core';
import { fieldProblem } from '../../../client/api-error.ts';
import type { CustomerDraft } from './customer-draft.ts';

type Props = { draft: CustomerDraft; onChange: (part: Partial<CustomerDraft>) => void; error: unknown };

/** The fields of a customer, each with what the service says against it. */
export function CustomerFields({ draft, onChange, error }: Props) {
  return (
    <>
      <TextInput
        label="Name"
        required
        data-autofocus
        value={draft.name}
        error={fieldProblem(error, 'name')}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <TextInput
        label="External id"
        description="Your own id of the customer. It can be used instead of Posthorn’s id."
        value={draft.externalId}
        error={fieldProblem(error, 'externalId')}
        onChange={({ currentTarget }) => onChange({ externalId: currentTarget.value.trim() })}
      />
      <Textarea
        label="Metadata"
        description="One entry in each line, such as plan: enterprise. It is shown on the customer’s page."
        autosize
        minRows={2}
        value={draft.metadata}
        error={fieldProblem(error, 'metadata')}
        onChange={({ currentTarget }) => onChange({ metadata: currentTarget.value })}
      />
    </>
  );
}
