import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldProblem } from '../../../client/api-error.ts';
import { slugOf } from './slug-of.ts';

type Draft = { name: string; slug: string; setName: (name: string) => void; setSlug: (slug: string) => void };

/** A name and a slug, which follows the name until it is typed. */
export function useNameAndSlug(): Draft {
  const [name, setName] = useState('');
  const [ownSlug, setSlug] = useState<string>();
  return { name, slug: ownSlug ?? slugOf(name), setName, setSlug };
}

type Props = { of: Draft; noun: 'workspace' | 'environment'; example: string; error: unknown };

/** The fields of a new workspace or environment, each with what the service says against it. */
export function NameAndSlug({ of, noun, example, error }: Props) {
  return (
    <>
      <TextInput
        label="Name"
        placeholder={example}
        required
        data-autofocus
        value={of.name}
        error={fieldProblem(error, 'name')}
        onChange={({ currentTarget }) => of.setName(currentTarget.value)}
      />
      <TextInput
        label="Slug"
        description={`The ${noun}’s part of an address: lower case, digits and hyphens.`}
        required
        value={of.slug}
        error={fieldProblem(error, 'slug')}
        onChange={({ currentTarget }) => of.setSlug(currentTarget.value)}
      />
    </>
  );
}
