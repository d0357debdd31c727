import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import './app.css'
import { readPageEarly } from './early-reads.ts'
import { reloadAfterUpdate } from './reload-after-update.ts'
import { loadTexts } from './texts/language.ts'

reloadAfterUpdate()
void begin()

/** Draws the page after its texts have arrived: modules read their texts when they start. */
async function begin(): Promise<void> {
  const read = readPageEarly(location)
  document.documentElement.lang = await loadTexts()
  // The list of all sites is no part of the first load, but loads beside it.
  void read.then(async (page) => page === 'portfolio' && (await import('./pages/home/home-page.tsx'))).catch(() => {})
  // A build has the styles of each component beside its script, see vite.config.ts.
  if (import.meta.env.DEV) await import('@mantine/core/styles.layer.css')
  const { start } = await import('./start.tsx')
  start()
}
