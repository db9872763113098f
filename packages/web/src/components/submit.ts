import type { FormEvent } from 'react';

/** A form's handler that submits without leaving the page. */
export function onSubmit(submit: () => void) {
  return (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
}
