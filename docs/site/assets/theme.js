// Runs before the page is drawn. The dashboard keeps its choice under the same key, so both look alike.
(() => {
  const KEY = 'mantine-color-scheme-value';
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // Storage is blocked: the system decides.
    }
  };
  const apply = () => {
    const choice = chosen();
    const scheme = choice === 'light' || choice === 'dark' ? choice : system.matches ? 'dark' : 'light';
    document.documentElement.dataset.scheme = scheme;
  };
  apply();
  system.addEventListener('change', apply);
  addEventListener('storage', apply);
  window.switchTheme = () => {
    try {
      localStorage.setItem(KEY, document.documentElement.dataset.scheme === 'dark' ? 'light' : 'dark');
    } catch {
      return;
    }
    apply();
  };
})();
