import { Select, type SelectProps } from '@mantine/core';
import { asTheyAre, byLabel, type Choices } from './choices.ts';

type Props = Omit<
  SelectProps,
  'data' | 'filter' | 'searchable' | 'onSearchChange' | 'nothingFoundMessage' | 'onBlur' | 'onDropdownClose'
> & {
  choices: Choices;
};

/** A select with more options than were read. Typing a text finds the others. */
export function SearchSelect({ choices, ...props }: Props) {
  const { options, onSearch, isSearched, none } = choices;
  const chosen = options.find(({ value }) => value === props.value);
  // A closed field shows the label of the chosen option. That text is not a search.
  const search = (text: string) => onSearch(text === chosen?.label ? '' : text.trim());
  const end = () => onSearch('');
  return (
    <Select
      {...props}
      searchable
      data={[...options]}
      onSearchChange={search}
      onBlur={end}
      onDropdownClose={end}
      nothingFoundMessage={none}
      filter={isSearched ? asTheyAre : byLabel}
    />
  );
}
