import {
  Alert,
  Badge,
  Button,
  type CSSVariablesResolver,
  createTheme,
  InputWrapper,
  type MantineColorsTuple,
  Modal,
  NavLink,
  PasswordInput,
  type SelectProps,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { t } from '../language/language.ts';

const accent: MantineColorsTuple = [
  '#f1f0fd',
  '#dfdcfa',
  '#c3bff5',
  '#a7a2f7',
  '#8a84e6',
  '#6f69d4',
  '#5a54c4',
  '#4a45b1',
  '#3e3997',
  '#322e7c',
];

const red: MantineColorsTuple = [
  '#fdeeec',
  '#fbe5e1',
  '#f5c4bc',
  '#f5978b',
  '#e76a5b',
  '#d34c3c',
  '#b93527',
  '#a8281b',
  '#8a2016',
  '#6d1911',
];

/** The state whose tint and ink a notice of this colour uses. */
const NOTICE_STATES: Record<string, string> = {
  red: 'failed',
  green: 'delivered',
  yellow: 'scheduled_retry',
  gray: 'pending',
};

/**
 * Dense, because operators compare rows: 13 px controls, sizes 12 to 28, radius 6, 8 px grid, weight 600 only for
 * titles.
 */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent, red },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 6,
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px' }, h2: { fontSize: '16px' }, h3: { fontSize: '14px' } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Alert: Alert.extend({
      defaultProps: { variant: 'light', color: 'gray', p: 'sm' },
      vars: (_theme, { color }) => {
        const state = NOTICE_STATES[color ?? 'gray'] ?? 'pending';
        return { root: { '--alert-bg': `var(--${state}-tint)`, '--alert-color': `var(--${state}-ink)` } };
      },
      styles: { message: { color: 'var(--text)' } },
    }),
    // Shows each problem on its own line.
    InputWrapper: InputWrapper.extend({ styles: { error: { whiteSpace: 'pre-line' } } }),
    Badge: Badge.extend({ styles: { section: { marginInlineEnd: 5 } } }),
    Button: Button.extend({ defaultProps: { size: 'xs', fz: 13, fw: 500 } }),
    // A getter, because the language of the page is not known yet.
    CloseButton: {
      defaultProps: {
        get 'aria-label'() {
          return t('Close');
        },
      },
    },
    TextInput: TextInput.extend({ defaultProps: { size: 'sm' } }),
    PasswordInput: PasswordInput.extend({ defaultProps: { size: 'sm' } }),
    // Not `Select.extend`: it would load the select on every first page.
    Select: { defaultProps: { size: 'xs' } satisfies Partial<SelectProps> },
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 200, multiline: true, maw: 480 } }),
    Modal: Modal.extend({ defaultProps: { centered: true } }),
    NavLink: NavLink.extend({ defaultProps: { px: 10, py: 6 } }),
  },
});

/** Sets Mantine's own colours to the tokens of the theme. */
export const cssVariables: CSSVariablesResolver = () => {
  const tokens = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-soft)',
    '--mantine-color-default': 'var(--surface-raised)',
    '--mantine-color-default-hover': 'var(--surface-sunken)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-placeholder': 'var(--text-soft)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--failed-ink)',
    '--mantine-color-red-light-color': 'var(--failed-ink)',
    '--mantine-shadow-md': 'var(--shadow)',
    '--mantine-shadow-xl': 'var(--shadow)',
  };
  return { variables: {}, light: tokens, dark: tokens };
};
