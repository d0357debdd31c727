// Runs before the first paint: a dark page must not flash white, and pages before sign-in have no frame.
try {
  const kept = localStorage.getItem('plantroom-color-scheme')
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
} catch {
  document.documentElement.setAttribute('data-mantine-color-scheme', 'light')
}
if (/^\/(sign-in|setup|reset|welcome)/.test(location.pathname)) document.documentElement.dataset.frameless = ''
