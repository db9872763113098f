import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { slugOf } from './slug-of.ts';

type Draft = { name: string; slug: string; setName: (name: string) => void; setSlug: (slug: string) => void };

/** A name and a slug, which follows the name until it is typed. */
export function useNameAndSlug(): Draft {
  const [name, setName] = useState('');
  const [ownSlug, setSlug] = useState<string>();
  return { name, slug: ownSlug ?? slugOf(name), setName, setSlug };
}

/** The fields of a new workspace or environment. */
export function NameAndSlug({ of, noun, example }: { of: Draft; noun: 'workspace' | 'environment'; example: string }) {
  return (
    <>
      <TextInput
        label="Name"
        placeholder={example}
        required
        data-autofocus
        value={of.name}
        onChange={({ currentTarget }) => of.setName(currentTarget.value)}
      />
      <TextInput
        label="Slug"
        description={`The ${noun}’s part of an address: lower case, digits and hyphens.`}
        required
        value={of.slug}
        onChange={({ currentTarget }) => of.setSlug(currentTarget.value)}
      />
    </>
  );
}
