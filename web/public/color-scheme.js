// Runs before the first paint, as a file because the content policy allows no inline scripts: whoever chose a scheme never
// sees the other one flash by. The key is the one Mantine keeps the choice under.
const chosen = localStorage.getItem('mantine-color-scheme-value');
const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
