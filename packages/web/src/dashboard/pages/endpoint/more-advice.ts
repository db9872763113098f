import type { MoreAdvice } from '../../../components/doctor-report.tsx';

/** Where to change a limit in the dashboard, and which settings the operator can change. */
export const moreAdvice: MoreAdvice = ({ name, detail, advice }) => {
  if (advice === null) return null;
  if (name === 'http' && (advice.includes('timeout') || advice.includes('rate limit'))) {
    return 'It is set under Advanced → Limits.';
  }
  if (name === 'dns' && detail.includes('(forbidden)')) {
    return 'The operator can allow a range with EGRESS_ALLOW_CIDRS.';
  }
  if (name === 'certificate' && advice.includes('certificate of the private one')) {
    return 'The operator can add a private authority with NODE_EXTRA_CA_CERTS.';
  }
  return null;
};
