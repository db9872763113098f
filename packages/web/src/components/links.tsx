import { Anchor, type AnchorProps, Button, type ButtonProps, NavLink, type NavLinkProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

type AnchorElement = Omit<ComponentProps<'a'>, 'color' | 'style'>;

/** Mantine's links and buttons that lead to a page of the router. `to`, `params` and `search` are typed. */
export const TextLink = createLink((props: AnchorProps & AnchorElement) => <Anchor inherit {...props} />);

export const ButtonLink = createLink((props: ButtonProps & AnchorElement) => <Button component="a" {...props} />);

export const MenuLink = createLink((props: NavLinkProps & AnchorElement) => <NavLink component="a" {...props} />);
