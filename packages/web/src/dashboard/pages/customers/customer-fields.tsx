import { Textarea, TextInput } from '@mantine/core';
import { FormField } from '../../../components/form.tsx';

/** The form fields of a customer, each with the service's error for it. */
export function CustomerFields() {
  return (
    <>
      <FormField of="name">
        <TextInput label="Name" required data-autofocus />
      </FormField>
      <FormField of="externalId">
        <TextInput
          label="External id"
          description="Your own id of the customer. It can be used instead of Posthorn’s id."
        />
      </FormField>
      <FormField of="metadata">
        <Textarea
          label="Metadata"
          description="One entry in each line, such as plan: enterprise. It is shown on the customer’s page."
          autosize
          minRows={2}
        />
      </FormField>
    </>
  );
}
