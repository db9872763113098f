import { t } from '../../language/language.ts';

/** The programs of docs/transformations, which a test runs, as they were at the build. */
const CODE = import.meta.glob<string>('../../../../../docs/transformations/*.js', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const LABELS: Readonly<Record<string, string>> = {
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
  flatten: t('Flatten to the old shape'),
};

/** The transformations to start from. */
export const READY_MADE = Object.entries(LABELS).map(([name, label]) => ({
  name,
  label,
  code: CODE[`../../../../../docs/transformations/${name}.js`] ?? '',
}));
