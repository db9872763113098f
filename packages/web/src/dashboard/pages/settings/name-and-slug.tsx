import { Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormField } from '../../../components/form.tsx';
import { slugOf } from './slug-of.ts';

/** The form for a new workspace or environment. The slug follows the name until somebody types a slug. */
export function usePlaceForm() {
  const form = useForm({
    initialValues: { name: '', slug: '', requireApplication: true },
    onValuesChange: ({ name, slug }, before) => {
      if (name !== before.name && slug === slugOf(before.name)) form.setFieldValue('slug', slugOf(name));
    },
  });
  return form;
}

/** The fields of a new workspace or environment, each with the service's error for it. */
export function PlaceFields({ noun, example }: { noun: 'workspace' | 'environment'; example: string }) {
  return (
    <>
      <FormField of="name">
        <TextInput label="Name" placeholder={example} required data-autofocus />
      </FormField>
      <FormField of="slug">
        <TextInput
          label="Slug"
          description={`The ${noun}’s part of an address: lower case, digits and hyphens.`}
          required
        />
      </FormField>
      {/* On by default: otherwise an event without a customer would go to all customers. */}
      <FormField of="requireApplication" type="checkbox">
        <Switch
          label="Require a customer for each event"
          description="An event that names no customer is refused. To send one to all customers, a producer says so."
        />
      </FormField>
    </>
  );
}
