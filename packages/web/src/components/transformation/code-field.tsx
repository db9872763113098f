import { Input } from '@mantine/core';
import { useId } from '@mantine/hooks';
import classes from './code-field.module.css';

type Props = {
  label: string;
  code: string;
  onChange: (code: string) => void;
  /** What is wrong with it. */
  error?: string | undefined;
  /** The line that is meant, from 1. */
  wrongLine?: number | null | undefined;
};

/** Code to type, with the numbers of its lines. */
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
