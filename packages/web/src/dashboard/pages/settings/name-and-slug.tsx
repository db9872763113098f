import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormField } from '../../../components/form.tsx';
import { slugOf } from './slug-of.ts';

type Draft = { name: string; slug: string; setName: (name: string) => void; setSlug: (slug: string) => void };

/** A name and a slug, which follows the name until it is typed. */
export function useNameAndSlug(): Draft {
  const [name, setName] = useState('');
  const [ownSlug, setSlug] = useState<string>();
  return { name, slug: ownSlug ?? slugOf(name), setName, setSlug };
}

type Props = { of: Draft; noun: 'workspace' | 'environment'; example: string };

/** The fields of a new workspace or environment, each with what the service says against it. */
export function NameAndSlug({ of, noun, example }: Props) {
  return (
    <>
      <FormField of="name">
        <TextInput
          label="Name"
          placeholder={example}
          required
          data-autofocus
          value={of.name}
          onChange={({ currentTarget }) => of.setName(currentTarget.value)}
        />
      </FormField>
      <FormField of="slug">
        <TextInput
          label="Slug"
          description={`The ${noun}’s part of an address: lower case, digits and hyphens.`}
          required
          value={of.slug}
          onChange={({ currentTarget }) => of.setSlug(currentTarget.value)}
        />
      </FormField>
    </>
  );
}

/** Offered switched on: an event that names nobody would go to every customer. */
export function RequireCustomer({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <FormField of="requireApplication">
      <Switch
        label="Require a customer for each event"
        description="An event that names no customer is refused. To send one to all customers, a producer says so."
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </FormField>
  );
}
