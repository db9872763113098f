import {
  cloneElement,
  createContext,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { fieldProblem } from '../client/api-error.ts';
import { ErrorNotice } from './error-notice.tsx';

/** The part of @mantine/form's `useForm` that fields need. */
export type TypedForm = {
  getInputProps: (path: string, options: { type: 'input' | 'checkbox' }) => { error?: ReactNode };
};

type Refused = {
  error: unknown;
  draft: TypedForm | undefined;
  /** The fields that display their own problems. */
  shown: readonly string[];
  register: (field: string) => () => void;
};

const RefusedContext = createContext<Refused>({
  ...{ error: null, draft: undefined, shown: [] },
  register: () => () => undefined,
});

type FormProps = {
  /** The error of the last submission. */
  error: unknown;
  /** The typed values. The form's fields get theirs from it. */
  draft?: TypedForm;
  onSubmit: () => void;
  children: ReactNode;
};

/**
 * A form that submits without leaving the page. Each problem of a refusal is shown once: at its `FormField`, or else in
 * the `FormRefusal`. The first field with a problem gets the focus.
 */
export function Form({ error, draft, onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState<readonly string[]>([]);
  const register = useCallback((field: string) => {
    setShown((before) => [...before, field]);
    return () => setShown((before) => before.filter((one) => one !== field));
  }, []);
  const refused = useMemo(() => ({ error, draft, shown, register }), [error, draft, shown, register]);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <RefusedContext value={refused}>{children}</RefusedContext>
    </form>
  );
}

type FieldProps = {
  of: string;
  /** The path of the value in the draft, if it is not the name of the field. */
  path?: string;
  type?: 'input' | 'checkbox';
  children: ReactElement<{ error?: ReactNode }>;
};

/**
 * An input with its value from the form's draft, if there is one, and with the refusal's problem of the body's field
 * `of`. Props of the input itself take precedence.
 */
export function FormField({ of, path = of, type = 'input', children }: FieldProps) {
  const { error, draft, register } = useContext(RefusedContext);
  useEffect(() => register(of), [register, of]);
  const typed = draft?.getInputProps(path, { type });
  const problem = children.props.error ?? typed?.error ?? fieldProblem(error, of);
  return cloneElement(children, { ...typed, ...children.props, error: problem });
}

/** The problems of the form's refusal that none of its fields displays. */
export function FormRefusal({ title }: { title: string }) {
  const { error, shown } = useContext(RefusedContext);
  return error ? <ErrorNotice title={title} error={error} shown={shown} /> : null;
}
