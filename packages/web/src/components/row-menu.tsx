import { Menu } from '@mantine/core';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../language/language.ts';
import classes from './row-menu.module.css';

type Props = {
  /** Names the row for screen readers. */
  of: string;
  /** The menu's items. */
  children: ReactNode;
};

/** The actions of a row. The menu is rendered when its button is first pressed, so that rows stay light. */
export function RowMenu({ of, children }: Props) {
  const [isUsed, setUsed] = useState(false);
  if (isUsed) return <UsedMenu of={of}>{children}</UsedMenu>;
  return <MenuButton of={of} onClick={() => setUsed(true)} />;
}

function UsedMenu({ of, children }: Props) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A closing menu returns the focus to the element that had it before. The pressed button has been replaced by this
    // one.
    button.current?.focus();
    setOpened(true);
  }, []);
  return (
    <Menu position="bottom-end" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <MenuButton of={of} ref={button} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

function MenuButton({ of, className = '', ...others }: ComponentProps<'button'> & { of: string }) {
  return (
    <button
      type="button"
      className={`${classes.button} ${className}`}
      aria-label={t('Actions of {of}', { of })}
      aria-haspopup="menu"
      {...others}
    >
      ⋯
    </button>
  );
}
