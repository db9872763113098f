import { Input } from '@mantine/core';
import { useId } from '@mantine/hooks';
import classes from './code-field.module.css';

type Props = {
  label: string;
  code: string;
  onChange: (code: string) => void;
  /** The error message for the code. */
  error?: string | undefined;
  /** The line of the error, from 1. */
  wrongLine?: number | null | undefined;
};

/** An editor for code, with line numbers. */
export function CodeField({ label, code, onChange, error, wrongLine }: Props) {
  const id = useId();
  const lines = code.split('\n').map((_, index) => index + 1);
  return (
    <Input.Wrapper label={label} labelProps={{ htmlFor: id }} error={error} errorProps={{ id: `${id}-error` }}>
      <div className={classes.box} data-wrong={error === undefined ? undefined : true}>
        <pre className={classes.numbers} aria-hidden="true">
          {lines.map((line) => (
            <div key={line} className={line === wrongLine ? classes.wrong : undefined}>
              {line}
            </div>
          ))}
        </pre>
        <textarea
          id={id}
          className={classes.code}
          rows={lines.length}
          spellCheck={false}
          autoCapitalize="off"
          autoCorrect="off"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          value={code}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
    </Input.Wrapper>
  );
}
