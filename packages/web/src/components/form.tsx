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

/** What `useForm` of @mantine/form gives, as far as fields need it. */
export type TypedForm = {
  getInputProps: (path: string, options: { type: 'input' | 'checkbox' }) => { error?: ReactNode };
};

type Refused = {
  error: unknown;
  draft: TypedForm | undefined;
  /** The fields of the form that show their problems. */
  shown: readonly string[];
  register: (field: string) => () => void;
};

const RefusedContext = createContext<Refused>({
  ...{ error: null, draft: undefined, shown: [] },
  register: () => () => undefined,
});

type FormProps = {
  /** Why it was not accepted when it was last sent. */
  error: unknown;
  /** What is typed. Its fields get their values from it. */
  draft?: TypedForm;
  onSubmit: () => void;
  children: ReactNode;
};

/**
 * A form that submits without leaving the page. A refusal is said once: a `FormField` shows what is said against it, the
 * `FormRefusal` shows the rest. The first field with a problem gets the focus.
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
  /** Where the draft has the value, if not under the name of the field. */
  path?: string;
  type?: 'input' | 'checkbox';
  children: ReactElement<{ error?: ReactNode }>;
};

/**
 * An input with its value, if the form has a draft, and with what a refusal says against the field `of` of the body. What the
 * input has itself goes first.
 */
export function FormField({ of, path = of, type = 'input', children }: FieldProps) {
  const { error, draft, register } = useContext(RefusedContext);
  useEffect(() => register(of), [register, of]);
  const typed = draft?.getInputProps(path, { type });
  const problem = children.props.error ?? typed?.error ?? fieldProblem(error, of);
  return cloneElement(children, { ...typed, ...children.props, error: problem });
}

/** What the refusal of the form around it says beyond what its fields show. */
export function FormRefusal({ title }: { title: string }) {
  const { error, shown } = useContext(RefusedContext);
  return error ? <ErrorNotice title={title} error={error} shown={shown} /> : null;
}
