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

type Refused = {
  error: unknown;
  /** The fields of the form that show their problems. */
  shown: readonly string[];
  register: (field: string) => () => void;
};

const RefusedContext = createContext<Refused>({ error: null, shown: [], register: () => () => undefined });

type FormProps = {
  /** Why it was not accepted when it was last sent. */
  error: unknown;
  onSubmit: () => void;
  children: ReactNode;
};

/**
 * A form that submits without leaving the page. A refusal is said once: a `FormField` shows what is said against it, the
 * `FormRefusal` shows the rest. The first field with a problem gets the focus.
 */
export function Form({ error, onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState<readonly string[]>([]);
  const register = useCallback((field: string) => {
    setShown((before) => [...before, field]);
    return () => setShown((before) => before.filter((one) => one !== field));
  }, []);
  const refused = useMemo(() => ({ error, shown, register }), [error, shown, register]);
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

/** An input, with what a refusal says against the field `of` of the body. Its own `error` goes first. */
export function FormField({ of, children }: { of: string; children: ReactElement<{ error?: ReactNode }> }) {
  const { error, register } = useContext(RefusedContext);
  useEffect(() => register(of), [register, of]);
  return cloneElement(children, { error: children.props.error ?? fieldProblem(error, of) });
}

/** What the refusal of the form around it says beyond what its fields show. */
export function FormRefusal({ title }: { title: string }) {
  const { error, shown } = useContext(RefusedContext);
  return error ? <ErrorNotice title={title} error={error} shown={shown} /> : null;
}
