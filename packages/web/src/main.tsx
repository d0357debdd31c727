import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './app.css'
import { reloadAfterUpdate } from './reload-after-update.ts'
import { loadTexts } from './texts/language.ts'

reloadAfterUpdate()
void begin()

/** Draws the page after its texts have arrived: modules read their texts when they start. */
async function begin(): Promise<void> {
  document.documentElement.lang = await loadTexts()
  const { start } = await import('./start.tsx')
  start()
}
